"""Public runs of real models: what is found in them, and that nothing is found in the healthy ones."""

from functools import cache
from pathlib import Path

import pytest

from longbench_eval.scoring import read_folder
from longbench_eval.scoring.suspicion import suspect

RUNS = Path(__file__).parents[3] / "shared" / "oracle"

pytestmark = pytest.mark.skipif(not RUNS.is_dir(), reason="needs the reference runs in ../shared")

CHAT_TASKS = 15


@cache
def found(run):
    """What is found in a run: (kind, task) -> suspicion."""
    submission = read_folder(RUNS / run / "predictions")
    return {
        (one.kind, task): one
        for task, rows in submission.files.items()
        for one in suspect(submission.suite, task, rows)
    }


def counts(run, kind):
    return {task: one.count for (slug, task), one in found(run).items() if slug == kind}


@pytest.mark.parametrize("run", ["llama3-8b-instruct", "mistral-7b-full", "mistral-7b-kv256", "longalpaca-7b-16k"])
def test_healthy_runs_raise_nothing(run):
    assert found(run) == {}


def test_llama2_chat_raises_only_the_order_of_another_copy_of_the_data():
    assert {key: one.severity for key, one in found("llama2-7b-chat-e").items()} == {
        ("rows-moved", "repobench-p"): "notice"
    }


def test_qwen3_thinks_in_every_row_of_its_chat_tasks():
    unclosed, kept = counts("qwen3-8b", "thinking-unclosed"), counts("qwen3-8b", "thinking-kept")
    assert (len(unclosed), sum(unclosed.values()), sum(kept.values())) == (CHAT_TASKS, 2411, 539)
    for task, count in unclosed.items():
        assert count + kept.get(task, 0) == found("qwen3-8b")["thinking-unclosed", task].n
    assert {kind for kind, _ in found("qwen3-8b")} == {"thinking-unclosed", "thinking-kept"}


def test_llama2_base_as_chat():
    empty = counts("llama2-7b", "empty")
    assert (empty["multi_news"], empty["vcsum"], empty["multifieldqa_zh"]) == (179, 198, 93)
    assert counts("llama2-7b", "rows-doubled") == {"narrativeqa": 3}
    assert found("llama2-7b")["rows-doubled", "narrativeqa"].example_row == 3
    assert len(counts("llama2-7b", "chat-marker")) == CHAT_TASKS
    assert counts("llama2-7b", "runs-on")["2wikimqa"] == 170
    assert counts("llama2-7b", "prompt-echoed")["musique"] == 147


@pytest.mark.parametrize("run", ["llama3.1-8b-fused", "llama3.1-8b-window"])
def test_answers_that_nothing_ended(run):
    assert {kind for kind, _ in found(run)} <= {"loop", "runs-on", "rows-doubled"}
    assert counts(run, "runs-on").keys() == {"qasper", "multifieldqa_zh", "dureader"}
    assert counts(run, "runs-on")["multifieldqa_zh"] >= 178


def test_loops_of_the_fused_cache():
    loops = counts("llama3.1-8b-fused", "loop")
    assert (loops["vcsum"], loops["hotpotqa"]) == (79, 31)  # of 200: 40 and 16 %


def test_the_doubled_row_of_the_window_cache():
    assert counts("llama3.1-8b-window", "rows-doubled") == {"2wikimqa": 1}
    assert found("llama3.1-8b-window")["rows-doubled", "2wikimqa"].example_row == 200


def test_rwkv5_has_empty_answers_and_missing_rows():
    assert counts("rwkv5-7b-e", "empty") == {"passage_count": 300, "passage_retrieval_en": 300}
    assert counts("rwkv5-7b-e", "rows-missing") == {"repobench-p": 70}
    assert counts("rwkv5-7b-e", "prompt-echoed") == {"hotpotqa": 121, "2wikimqa": 63}
    assert counts("rwkv5-7b-e", "loop") == {"gov_report": 122, "multi_news": 63}
    assert counts("rwkv5-7b-e", "next-turn") == {"multifieldqa_en": 4, "gov_report": 9}


def test_rwkv6_goes_on_after_its_answers():
    assert counts("rwkv6-7b", "runs-on") == {"multifieldqa_zh": 29, "hotpotqa": 91, "2wikimqa": 163, "musique": 123}
    assert counts("rwkv6-7b", "next-turn") == {"passage_retrieval_zh": 19}
    assert counts("rwkv6-7b", "empty") == {"multifieldqa_en": 23}


def test_sparse_attention_has_another_order_in_every_task():
    notices = found("llama2-7b-chat-sparse-e")
    assert {(kind, one.severity) for (kind, _), one in notices.items()} == {("rows-moved", "notice")}
    assert len(notices) == 13


def test_few_shot_and_code_answers_are_no_alarm_in_any_run():
    raw = {"trec", "triviaqa", "samsum", "lsht", "lcc", "repobench-p"}
    runs = sorted(path.name for path in RUNS.iterdir() if path.is_dir())
    assert len(runs) == 12
    assert not [(run, key) for run in runs for key in found(run) if key[1] in raw and not key[0].startswith("rows-")]
