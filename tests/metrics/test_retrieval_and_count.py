import pytest

from longbench_eval.metrics import count, retrieval, retrieval_zh

COUNT = [
    # prediction, answer, expected, why
    ("7", "7", 1.0, "equal"),
    ("There are 7 unique paragraphs.", "7", 1.0, "the only number"),
    ("7 or 8", "7", 0.5, "half of the numbers"),
    ("7, 7, 8", "7", 2 / 3, "repeats count"),
    ("17", "7", 0.0, "whole numbers, not digits"),
    ("07", "7", 0.0, "spellings, not values"),
    ("7.0", "7", 0.5, "a decimal is two numbers"),
    ("seven", "7", 0.0, "no number at all"),
    ("", "7", 0.0, "nothing predicted"),
]


@pytest.mark.parametrize(("prediction", "answer", "expected", "why"), COUNT)
def test_count(prediction, answer, expected, why):
    assert count(prediction, answer) == expected, why


@pytest.mark.parametrize(("prediction", "answer", "expected", "why"), COUNT)
def test_retrieval_is_the_same_share(prediction, answer, expected, why):
    assert retrieval(prediction, f"Paragraph {answer}") == expected, why
    assert retrieval_zh(prediction, f"段落{answer}") == expected, why


@pytest.mark.parametrize(
    ("metric", "prediction", "answer", "expected", "why"),
    [
        (retrieval, "Paragraph 3", "Paragraph 3", 1.0, "equal"),
        (retrieval, "3", "Paragraph 3, Paragraph 4", 1.0, "the first number of the answer"),
        (retrieval_zh, "段落3", "段落3", 1.0, "equal"),
        (retrieval_zh, "答案是段落３", "段落3", 0.0, "a full-width digit is a digit, but another spelling"),
    ],
)
def test_paragraphs(metric, prediction, answer, expected, why):
    assert metric(prediction, answer) == expected, why


@pytest.mark.parametrize(
    ("metric", "answer"),
    [(retrieval, "段落3"), (retrieval, "paragraph 3"), (retrieval_zh, "段落 3"), (retrieval_zh, "")],
)
def test_an_answer_without_a_paragraph_is_an_error(metric, answer):
    with pytest.raises(ValueError, match="names no paragraph"):
        metric("3", answer)
