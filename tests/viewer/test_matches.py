"""Marks in predictions and answers: always the whole text, and as many as the score counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.metrics.evidence import explain_match
from longbench_eval.scoring.extract import first_line
from longbench_eval.viewer.matches import MARKED_CHARACTERS, mark_answer, mark_prediction
from longbench_eval.viewer.telling import tell

CASES = [
    # metric, prediction, answer, classes, marks in the prediction, marks in the answer, why
    ("qa_f1", "The cat, a cat", "cat.", None, [("cat,", "hit")], [("cat.", "hit")], "a word counts once"),
    ("qa_f1", "don't know", "Dont", None, [("don't", "hit")], [("Dont", "hit")], "punctuation is dropped first"),
    ("qa_f1", "no", "yes", None, [], [], "nothing is shared"),
    ("qa_f1_zh", "答案是北京", "北京。", None, [("北京", "hit")], [("北京", "hit")], "the segmenter's words"),
    ("rouge", "the cat sat. on mats", "the cat on", None, [("the", "hit"), ("cat", "hit"), ("on", "hit")],
     [("the", "hit"), ("cat", "hit"), ("on", "hit")], "words on the common subsequences"),
    ("count", "5 or 7, say 5", "5", None, [("5", "hit"), ("7", "miss"), ("5", "hit")], [("5", "hit")], "numbers"),
    ("retrieval", "Paragraph 12", "Paragraph 12", None, [("12", "hit")], [("12", "hit")], "the number alone"),
    ("classification", "sport event", "sport event", ("sport", "sport event"), [("sport event", "hit")],
     [("sport event", "hit")], "a part of the right class is none"),
    ("classification", "Food or Date", "Date", ("Food", "Date"), [("Food", "miss"), ("Date", "hit")],
     [("Date", "hit")], "another class halves the score"),
    ("code_sim", "\n# note\nreturn a", "return b", None, [("\n# note\n", "out"), ("return ", "hit")],
     [("return ", "hit")], "the compared line alone"),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "prediction", "answer", "classes", "marks", "in_answer", "why"), CASES)
def test_marks(metric, prediction, answer, classes, marks, in_answer, why):
    evidence = explain_match(metric, prediction, answer, classes)
    pieces = mark_prediction(metric, prediction, prediction, answer, evidence)
    assert [(text, kind) for text, kind in pieces if kind] == marks, why
    assert [(text, kind) for text, kind in mark_answer(metric, answer, evidence) if kind] == in_answer, why


def test_what_is_not_compared_is_out():
    prediction = "\nParis\nQuestion: Paris?"
    evidence = explain_match("qa_f1", "Paris", "Paris")
    pieces = mark_prediction("qa_f1", prediction, first_line(prediction), "Paris", evidence)
    assert pieces == [["\n", "out"], ["Paris", "hit"], ["\nQuestion: Paris?", "out"]]


METRICS = ["qa_f1", "qa_f1_zh", "rouge", "rouge_zh", "count", "code_sim"]
TEXTS = st.text(st.sampled_from("ab a.5,\n 北京是the#é\u202e\x00"), max_size=40)


@given(st.sampled_from(METRICS), TEXTS, TEXTS)
def test_pieces_are_the_text(metric, prediction, answer):
    evidence = explain_match(metric, prediction, answer)
    assert "".join(t for t, _ in mark_prediction(metric, prediction, prediction, answer, evidence)) == prediction
    assert "".join(text for text, _ in mark_answer(metric, answer, evidence)) == answer
    assert tell(evidence)


WORDS = st.text(st.sampled_from("ab a.5,\n 北京isthe#é"), max_size=40)


@given(WORDS, WORDS)
def test_marked_words_are_those_that_count(prediction, answer):
    evidence = explain_match("qa_f1", prediction, answer)
    shared = sum(evidence.words.values())
    for pieces in (
        mark_prediction("qa_f1", prediction, prediction, answer, evidence),
        mark_answer("qa_f1", answer, evidence),
    ):
        assert sum(kind == "hit" for _, kind in pieces) == shared


def test_long_texts_are_marked_at_their_beginning_only():
    long = "word " * 100_000
    evidence = explain_match("qa_f1", long, "word")
    pieces = mark_prediction("qa_f1", long, long, "word", evidence)
    assert sum(len(text) for text, _ in pieces) == MARKED_CHARACTERS
