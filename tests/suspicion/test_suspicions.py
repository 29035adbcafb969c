"""What is an alarm, with what counts, and what it says."""

import time
from dataclasses import asdict

import pytest

from longbench_eval.predictions import Prediction
from longbench_eval.scoring.census import Census
from longbench_eval.scoring.suspicion import DETECTORS, ROW_DETECTORS, suspect, suspect_answers, suspect_rows
from longbench_eval.tasks import TASKS, get_suite

LONGBENCH = get_suite("longbench")
DEMO = get_suite("demo")


def prediction(text, row=0, **extra):
    return Prediction(text, ("a",), None, None, f"id{row}", extra)


def answers(*texts, **extra):
    return [prediction(text, row, **extra) for row, text in enumerate(texts)]


def kinds(task, rows, **options):
    return [found.kind for found in suspect_answers(LONGBENCH, task, rows, **options)]


LOOP = "It was a good day. " * 6
GOOD = ["Paris"] * 98

# The threshold at work: rows of one kind among 98 good answers, in a task of each sort.
ALARMS = [
    ("qasper", ["<think>so"], ["thinking-unclosed"], "one is enough"),
    ("lcc", ["<think>so"], ["thinking-unclosed"], "in code too"),
    ("qasper", ["<think>so</think>Paris"], ["thinking-kept"], "one is enough"),
    ("qasper", ["", "\n\n"], ["empty"], "2 % of a chat task"),
    ("qasper", [""], [], "one row among others is an accident"),
    ("lcc", ["", ""], [], "code models stop at once now and then"),
    ("lcc", [""] * 6, ["empty"], "more than 5 %"),
    ("qasper", [LOOP] * 6, ["loop"], "more than 5 %"),
    ("qasper", [LOOP] * 4, [], "healthy models loop now and then"),
    ("trec", [LOOP] * 90, [], "few-shot answers loop in every run"),
    ("repobench-p", [LOOP] * 90, [], "code loops in every run"),
    ("qasper", ["Paris<|eot_id|>"] * 2, ["chat-marker"], ""),
    ("samsum", ["Paris<|eot_id|>"] * 2, ["chat-marker"], "nothing in the protocol causes marks"),
    ("passage_retrieval_zh", ["段落4\n\nAssistant: 段落4"] * 2, ["next-turn"], ""),
    ("lcc", ["x = 1\n\nAssistant: the code"] * 9, [], "code goes on in every run"),
    ("multifieldqa_zh", ["厦门大学\n\n问题：还有呢？"] * 11, ["runs-on"], "10 %"),
    ("multifieldqa_zh", ["厦门大学\n\n问题：还有呢？"] * 5, [], "up to 5 % in healthy runs"),
    ("trec", ["Date\nQuestion: What is a cue ?\nType:"] * 90, [], "few-shot answers go on in every run"),
    ("hotpotqa", [" Passage 1:\nReima"] * 11, ["prompt-echoed"], "10 %"),
    ("multi_news", [" Passage 1: Reima"] * 5, [], "a way to summarize"),
    ("lsht", ["新\ufffd\ufffd让"] * 3, ["broken-characters"], "decoding by token"),
    ("lsht", ["联合国\ufffd"] * 90, [], "the cap cuts characters in every run"),
]


@pytest.mark.parametrize(("task", "odd", "expected", "why"), ALARMS)
def test_alarms(task, odd, expected, why):
    assert kinds(task, answers(*GOOD, *odd)) == expected, why


@pytest.mark.parametrize(
    ("task", "extra", "expected", "why"),
    [
        ("qasper", {"finish_reason": "length"}, ["capped"], "all were cut"),
        ("qasper", {"finish_reason": "stop", "completion_tokens": 128}, [], "it ended at the cap by itself"),
        ("qasper", {"completion_tokens": 128}, ["capped"], "no reason is on record, but tokens are"),
        ("qasper", {"finish_reason": "unknown", "completion_tokens": 127}, [], "below the cap"),
        ("qasper", {}, [], "nothing is on record"),
        ("trec", {"finish_reason": "length"}, [], "few-shot answers run into the cap in every run"),
        ("passage_count", {"finish_reason": "length"}, [], "healthy models explain their count"),
    ],
)
def test_capped_answers(task, extra, expected, why):
    assert kinds(task, answers(*GOOD, **extra)) == expected, why


def test_two_thirds_of_capped_answers_are_no_alarm():
    rows = [*answers(*["so"] * 66, finish_reason="length"), *answers(*["Paris"] * 34, finish_reason="stop")]
    assert kinds("dureader", rows) == []


def test_failed_rows_are_no_empty_answers():
    rows = [*answers("Paris", "Rome"), *answers(*[""] * 9, error={"kind": "timeout", "message": "late"})]
    assert suspect_answers(LONGBENCH, "qasper", rows) == []


@pytest.mark.parametrize("rows", [[], answers(""), answers("", ""), answers("Paris", "")])
def test_small_files(rows):
    assert kinds("qasper", rows) == (["empty"] if rows and not any(row.pred for row in rows) else [])


def test_the_prompt_shows_echoes_where_it_is_known():
    prompt = "Answer what is asked below, in as few words as you can. The question: how far is it?"
    rows = answers(*[f"user: {prompt} far"] * 5)
    assert kinds("qasper", rows) == []
    assert kinds("qasper", rows, prompt_of=lambda row: prompt) == ["prompt-echoed"]
    assert kinds("trec", rows, prompt_of=lambda row: prompt) == ["prompt-echoed"]
    assert kinds("qasper", rows, prompt_of=lambda row: None) == []


def test_what_a_suspicion_says():
    [found] = suspect_answers(LONGBENCH, "qasper", answers("Paris", "<think>so", "<think>so"))
    assert str(found) == (
        "2 of 3 answers are unfinished thinking, such as <think> without </think> (first: line 2): the cap on new "
        "tokens ends the thinking before there is an answer; turn thinking off (--thinking off), or give it tokens "
        "of its own (--thinking budget N)"
    )
    assert (found.kind, found.count, found.n, found.threshold) == ("thinking-unclosed", 2, 3, 0)
    assert (found.example_row, found.severity) == (1, "warning")


def test_a_threshold_is_told():
    [found] = suspect_answers(LONGBENCH, "qasper", answers(*GOOD, *[LOOP] * 6))
    assert str(found).startswith("6 of 104 answers repeat one phrase, or white space, to the end (first: line 99; thre")
    assert (found.threshold, found.example_row) == (0.05, 98)


def test_the_line_is_that_of_the_file():
    rows = [Prediction("<think>", ("a",), None, None, line=7)]
    assert suspect_answers(LONGBENCH, "qasper", rows)[0].where == "line 7"


def test_every_suspicion_is_one_line_and_plain_data():
    rows = answers(*["<think>" + LOOP, "", "Paris<|eot_id|>\n\nAssistant:\nQuestion: 新\ufffd让 "] * 20)
    found = suspect(LONGBENCH, "qasper", rows)
    assert len(found) >= 6
    assert all("\n" not in str(one) and asdict(one)["kind"] == one.kind for one in found)


def test_a_task_has_one_detector_of_each_kind():
    for task in TASKS:
        slugs = [detector.kind.slug for detector in DETECTORS if task in detector.tasks]
        slugs += [detector.kind.slug for detector in ROW_DETECTORS]
        assert len(slugs) == len(set(slugs)), task


def lengthy(n):
    return [Prediction("Paris", ("a",), None, 1) for _ in range(n)]


IN_ORDER = (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("n", "taken", "expected", "why"),
    [
        (4, Census(4, 4, IN_ORDER), [], "as the data"),
        (2, Census(4, 2, (0, 2), missing=(1, 3)), [("rows-missing", 2, 4, 1)], "not finished"),
        (6, Census(4, 4, IN_ORDER, doubled=(2, 3)), [("rows-doubled", 2, 6, 2)], "started twice"),
        (4, Census(4, 4, (1, 2, 3, 0)), [("rows-moved", 1, 4, 3)], "the first row is the last"),
        (5, Census(4, 4, (1, 2, 3, 0), doubled=(1,)), [("rows-doubled", 1, 5, 1), ("rows-moved", 1, 5, 4)], "both"),
        (6, Census(4, 4, (0, 2, 1, 3), foreign=(0, 5)), [("rows-foreign", 2, 6, 0), ("rows-moved", 1, 6, 2)], "both"),
        (4, Census(4, 4), [("rows-foreign", 4, 4, 0)], "not one is known"),
        (5, Census(4, 5), [("rows-foreign", 5, 5, 0)], "not one is known, and there are too many"),
    ],
)
def test_rows(n, taken, expected, why):
    found = suspect_rows(LONGBENCH, lengthy(n), taken)
    assert [(one.kind, one.count, one.n, one.example_row) for one in found] == expected, why


def test_another_order_is_only_a_notice():
    [found] = suspect_rows(LONGBENCH, lengthy(4), Census(4, 4, (2, 3, 0, 1)))
    assert (found.kind, found.severity, found.where) == ("rows-moved", "notice", "line 1")


def test_a_missing_row_is_named_by_its_number():
    [found] = suspect_rows(LONGBENCH, lengthy(199), Census(200, 199, tuple(range(199)), missing=(199,)))
    assert str(found).startswith("1 of 200 rows are missing (first: row 199 of the data, from 0): ")


def test_rows_that_cannot_be_told():
    assert suspect(DEMO, "qasper", answers("Paris", "Rome")) == []
    [found] = suspect(DEMO, "qasper", answers("Paris"))
    assert (found.kind, found.count, found.n, found.where) == ("rows-missing", 1, 2, "unknown")
    [found] = suspect(DEMO, "qasper", [*answers("Paris", "Rome"), prediction("Rome", 1)])
    assert (found.kind, found.example_row) == ("rows-doubled", 2)


def test_rows_without_length_are_not_called_foreign():
    assert suspect(LONGBENCH, "musique", answers(*["Paris"] * 200)) == []


def test_a_whole_run_takes_well_under_a_second():
    rows = answers(*["The report says that costs rose, and that nobody knows why they did. " * 9] * 4750)
    start = time.process_time()
    suspect_answers(LONGBENCH, "gov_report", rows)
    assert time.process_time() - start < 2, "0.2 s here; the bound is wide for slow machines"
