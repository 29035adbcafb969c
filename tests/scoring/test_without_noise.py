"""Scores beside those without rows that are known to be wrong."""

import json
from pathlib import Path

import pytest

from longbench_eval.dataset.noise import noise_rows
from longbench_eval.scoring import read_folder, score
from longbench_eval.scoring.noise import find_noise, without_noise
from longbench_eval.tasks import TASKS, get_suite

ORACLE = Path(__file__).parents[3] / "shared" / "oracle"
needs_oracle = pytest.mark.skipif(not ORACLE.is_dir(), reason="needs the reference runs in ../shared")


def left_out(suite, task):
    return {number for number, kinds in noise_rows(suite, task).items() if any(kind.left_out for kind in kinds)}


@needs_oracle
@pytest.mark.parametrize("run", ["llama3-8b-instruct", "llama2-7b-chat-e"])
def test_rows_are_found_in_files_without_ids_and_left_out(run):
    summary = score(ORACLE / run)
    quiet = without_noise(summary)
    expected = json.loads((ORACLE / run / "expected.json").read_text("utf-8"))
    for task, census in read_folder(ORACLE / run).censuses.items():
        one, noisy = quiet.tasks[task], left_out(summary.suite, task)
        scored = zip(census.found, expected[task]["per_sample"], strict=True)
        values = [value for number, value in scored if number not in noisy]
        assert one.left_out == len(noisy)
        assert one.value == pytest.approx(100 * sum(values) / len(values))
    assert quiet.left_out == sum(len(left_out(summary.suite, task)) for task in summary.tasks)


@needs_oracle
def test_the_order_of_rows_does_not_matter():
    plain = without_noise(score(ORACLE / "llama2-7b-chat-sparse-e"))
    assert {task: one.left_out for task, one in plain.tasks.items() if one.left_out} == {
        task: len(rows) for task in plain.tasks if (rows := left_out(get_suite("longbench-e"), task))
    }


@needs_oracle
def test_of_two_rows_that_are_one_the_second_is_left_out_and_so_are_its_repeats():
    rows = score(ORACLE / "llama3-8b-instruct").tasks["multifieldqa_zh"].rows
    longbench = get_suite("longbench")
    assert find_noise(longbench, "multifieldqa_zh", rows) == {25}
    assert find_noise(longbench, "multifieldqa_zh", rows[::-1]) == {181}, "whichever comes second"
    assert find_noise(longbench, "multifieldqa_zh", [*rows, rows[25]]) == {25, 200}
    assert find_noise(longbench, "multifieldqa_zh", [rows[18]]) == frozenset()


@needs_oracle
def test_averages_of_incomplete_tasks_stay_withheld():
    quiet = without_noise(score(ORACLE / "longalpaca-7b-16k"))
    assert quiet.averages["All"].value is None
    assert quiet.averages["EN"].value is not None


def test_most_tasks_have_none():
    longbench = get_suite("longbench")
    noisy = {task for task in TASKS if left_out(longbench, task)}
    assert noisy == {"qasper", "multifieldqa_en", "multifieldqa_zh", "lcc", "repobench-p"}
    assert find_noise(longbench, "trec", []) == frozenset()
