"""A sample of real predictions, each held against the official scorer's value for it; skipped without `../shared`."""

import json
from pathlib import Path

import pytest

from longbench_eval.metrics import METRICS

RUN = Path(__file__).parents[3] / "shared" / "oracle" / "llama3-8b-instruct"
METRIC_OF = {
    "qasper": "qa_f1",
    "multifieldqa_zh": "qa_f1_zh",
    "gov_report": "rouge",
    "dureader": "rouge_zh",
    "trec": "classification",
    "passage_retrieval_en": "retrieval",
    "passage_retrieval_zh": "retrieval_zh",
    "passage_count": "count",
    "lcc": "code_sim",
    "repobench-p": "code_sim_levenshtein",
}

pytestmark = pytest.mark.skipif(not RUN.is_dir(), reason="needs the reference runs in ../shared")


def test_every_metric_has_real_rows():
    assert set(METRIC_OF.values()) == set(METRICS)


@pytest.mark.parametrize("task", METRIC_OF)
def test_rows_are_scored_as_by_the_official_scorer(task):
    with (RUN / "predictions" / f"{task}.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    metric = METRICS[METRIC_OF[task]]
    if task == "trec":  # scored on the first line, which is not the metric's business
        rows = [row | {"pred": row["pred"].lstrip("\n").split("\n")[0]} for row in rows]
    scores = [max(metric(row["pred"], answer, row["all_classes"]) for answer in row["answers"]) for row in rows[::5]]
    expected = json.loads((RUN / "expected.json").read_text(encoding="utf-8"))[task]
    kind = "per_sample_levenshtein" if METRIC_OF[task] == "code_sim_levenshtein" else "per_sample"
    assert scores == expected[kind][::5]
