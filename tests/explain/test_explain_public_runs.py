"""Public predictions with the scores their authors published: the true rule of each of the 210."""

from pathlib import Path

import pytest

from longbench_eval.scoring.explain import explain

ORACLE = Path(__file__).parents[3] / "shared" / "oracle"
RUNS = {
    "llama2-7b": 21,
    "llama2-7b-chat-e": 13,
    "llama2-7b-chat-sparse-e": 13,
    "llama3-8b-instruct": 21,
    "llama3.1-8b-fused": 20,
    "llama3.1-8b-window": 20,
    "longalpaca-7b-16k": 16,
    "mistral-7b-full": 16,
    "mistral-7b-kv256": 16,
    "qwen3-8b": 21,
    "rwkv5-7b-e": 13,
    "rwkv6-7b": 20,
}
LEVENSHTEIN = {"mistral-7b-full", "mistral-7b-kv256", "rwkv5-7b-e", "rwkv6-7b"}

pytestmark = pytest.mark.skipif(not ORACLE.is_dir(), reason="needs the reference runs in ../shared")


def truth(run, task):
    if run in LEVENSHTEIN and task in ("lcc", "repobench-p"):
        return "official-levenshtein"
    if run.startswith("llama3.1-8b-") and task == "passage_retrieval_zh":
        return "english-rule-error"
    return "official"


def test_there_are_210_scores():
    assert sum(RUNS.values()) == 210


@pytest.mark.parametrize("run", RUNS)
def test_the_true_rule_of_every_published_score(run):
    found = explain(ORACLE / run / "predictions")
    assert {task: one.by for task, one in found.tasks.items()} == {task: truth(run, task) for task in found.tasks}
    assert all(one.reproduced for one in found.tasks.values())
    assert len(found.tasks) == RUNS[run]
    assert found.ignored == ()
    assert found.unpublished == (("gov_report",) if run.startswith("llama3.1-8b-") else ())


def test_repeated_rows_are_mentioned():
    found = explain(ORACLE / "llama2-7b")
    assert found.tasks["narrativeqa"].detail == "all 203 rows, 3 of them repeated"
    assert found.headline == "21 of 21 reproduced: 21 official"
