"""Every row's evidence is that of its score."""

import json

import pytest
from official_rows import record

from longbench_eval.scoring import score
from longbench_eval.scoring.evidence import rows_with_evidence

CASES = [
    # task, prediction, answers, what is extracted, the answer that matched, part of the evidence
    (
        "qasper",
        "the red red cat",
        ["dog", "a red cat"],
        "the red red cat",
        "a red cat",
        {"words": {"red": 1, "cat": 1}},
    ),
    ("gov_report", "a b. c", ["c a b"], "a b. c", "c a b", {"words": ("a", "b", "c"), "predicted": 3}),
    ("trec", "\nFood\nDate", ["Food"], "Food", "Food", {"found": ("Food",), "kept": ("Food",)}),
    ("passage_retrieval_en", "Paragraph 3 or 4", ["Paragraph 3"], "Paragraph 3 or 4", "Paragraph 3", {"sought": "3"}),
    ("lcc", "# no\nx = 1\ny", ["x = 2"], "# no\nx = 1\ny", "x = 2", {"line": "x = 1", "ratio": 0.8}),
    ("qasper", "none", [], "none", None, None),
]


@pytest.mark.parametrize(("task", "prediction", "answers", "extracted", "answer", "part"), CASES)
def test_what_a_score_rests_on(tmp_path, task, prediction, answers, extracted, answer, part):
    row = {"pred": prediction, "answers": answers, "all_classes": ["Food", "Date"], "length": 1}
    (tmp_path / f"{task}.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (found,) = rows_with_evidence(tmp_path)
    assert (found["task"], found["line"], found["extracted"], found["answer"]) == (task, 1, extracted, answer)
    if part is None:
        assert found["evidence"] is None
    else:
        assert found["evidence"] | part == found["evidence"]


def test_scores_are_those_of_the_summary(tmp_path):
    rows = [record("qasper", i, i) | {"pred": f"answer {i % 3}"} for i in range(9)]
    (tmp_path / "qasper.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    values = [row["score"] for row in rows_with_evidence(tmp_path)]
    assert values == [one.value for one in score(tmp_path).tasks["qasper"].scores]
