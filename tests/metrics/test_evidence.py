from dataclasses import asdict
from json import dumps

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.metrics import METRICS
from longbench_eval.metrics.evidence import explain_match

TABLE = [
    # metric, prediction, answer, evidence, why
    (
        "qa_f1",
        "The cat, the cat sat.",
        "a cat cat dog",
        {"words": {"cat": 2}, "predicted": 3, "referenced": 3},
        "words that both have, as often as both have them",
    ),
    ("qa_f1", "dog", "cat", {"words": {}, "predicted": 1, "referenced": 1}, "none"),
    ("qa_f1_zh", "我来到北京。", "北京", {"words": {"北京": 1}, "predicted": 3, "referenced": 1}, "jieba's words"),
    (
        "rouge",
        "b x. a.",
        "a. b y",
        {"words": ("a", "b"), "predicted": 3, "referenced": 3, "raised": False},
        "the words on the paths of all pairs of sentences",
    ),
    ("rouge", "...", "a", {"words": (), "predicted": 0, "referenced": 0, "raised": True}, "no sentence: it raises"),
    (
        "rouge_zh",
        "来到北京",
        "我来到北京",
        {"words": ("北京", "来到"), "predicted": 2, "referenced": 3, "raised": False},
        "over jieba's words",
    ),
    ("count", "7 or 8", "7", {"found": ("7", "8"), "sought": "7"}, "all numbers"),
    ("retrieval", "Paragraph 3", "Paragraph 4", {"found": ("3",), "sought": "4"}, "the answer's number"),
    ("retrieval_zh", "段落3", "段落3", {"found": ("3",), "sought": "3"}, "the same in Chinese"),
    (
        "classification",
        "Sport event",
        "Sport event",
        {"found": ("Sport", "Sport event"), "kept": ("Sport event",), "sought": "Sport event"},
        "Sport is a part of the right class",
    ),
    ("code_sim", "# a\nxy\nz", "xz", {"line": "xy", "ratio": 0.5}, "the line that is compared"),
    ("code_sim", "abcxab", "xabab", {"line": "abcxab", "ratio": 6 / 11}, "the ratio before rounding"),
    ("code_sim_levenshtein", "abcxab", "xabab", {"line": "abcxab", "ratio": pytest.approx(8 / 11)}, "the other one"),
]


@pytest.mark.parametrize(("metric", "prediction", "answer", "evidence", "why"), TABLE)
def test_evidence(metric, prediction, answer, evidence, why):
    found = explain_match(metric, prediction, answer, ["Sport", "Sport event", "Number"])
    assert asdict(found) == evidence, why
    assert dumps(asdict(found)), "can be written beside a score"


ANSWERS = {"retrieval": "Paragraph 3", "retrieval_zh": "段落3", "count": "3"}
answers = st.sampled_from(["Sport event", "3", "北京的大学", "a. the b c", "", "return x # a", "...", "x" * 250])


@pytest.mark.parametrize("name", sorted(METRICS))
@given(prediction=st.text(st.sampled_from("Sport evntPargh段落北京的大学3.xabc# \n"), max_size=30), answer=answers)
def test_the_value_is_the_metric_s(name, prediction, answer):
    answer, classes = ANSWERS.get(name, answer), ["Number", "Sport", "Sport event", "event"]
    assert explain_match(name, prediction, answer, classes).value == METRICS[name](prediction, answer, classes)


@pytest.mark.parametrize(("metric", "answer"), [("classification", "a"), ("retrieval", "3"), ("retrieval_zh", "3")])
def test_what_a_metric_cannot_use_is_an_error_here_too(metric, answer):
    with pytest.raises(ValueError, match=r"all_classes|names no paragraph"):
        explain_match(metric, "3", answer)
