"""Real predictions of real models, each row held against the official scorer's value; skipped without `../shared`."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from longbench_eval.scoring import PROFILES, read_folder, score_row, summarize

ORACLE = Path(__file__).parents[2] / "shared" / "oracle"
RUNS = sorted(path.parent.name for path in ORACLE.glob("*/expected.json"))
CODE = ("lcc", "repobench-p")
# Rows whose reference answer looks like a comment, so that the official scorer passes it over.
LIKE_COMMENTS = {
    ("longbench", "lcc"): 5,
    ("longbench", "repobench-p"): 8,
    ("longbench-e", "lcc"): 8,
    ("longbench-e", "repobench-p"): 3,
}

pytestmark = pytest.mark.skipif(not RUNS, reason="needs the reference runs in ../shared")


def scored(found, profile):
    return summarize(found.signature, found.suite, found.files, PROFILES[profile])


def agree(values, expected):
    return len(values) == len(expected) and all(abs(a - b) <= 1e-12 for a, b in zip(values, expected, strict=True))


def test_there_are_twelve_runs():
    assert len(RUNS) == 12


@pytest.mark.parametrize("run", RUNS)
def test_a_run_is_scored_as_by_the_official_scorer(run):
    found = read_folder(ORACLE / run / "predictions")
    expected = json.loads((ORACLE / run / "expected.json").read_text("utf-8"))
    assert found.suite.name == ("longbench-e" if run.endswith("-e") else "longbench")
    check(scored(found, "official"), expected, "per_sample", "score")
    code = replace(found, files={task: found.files[task] for task in CODE})
    expected_code = {task: expected[task] for task in CODE}
    check(scored(code, "official-levenshtein"), expected_code, "per_sample_levenshtein", "score_levenshtein")


def check(summary, expected, rows_key, score_key):
    assert summary.tasks.keys() == expected.keys()
    for name, task in summary.tasks.items():
        assert agree([score.value for score in task.scores], expected[name][rows_key]), name
        assert (task.n, task.score) == (expected[name]["n"], expected[name][score_key]), name
        if task.buckets is not None and rows_key == "per_sample":
            assert task.bucket_scores == expected[name]["buckets"], name


@pytest.mark.parametrize("run", ["llama3-8b-instruct", "llama2-7b-chat-e"])
def test_gold_answers_are_perfect_unless_they_look_like_comments(run):
    found = read_folder(ORACLE / run / "predictions")
    imperfect = {}
    for task, rows in found.files.items():
        classes = rows[-1].all_classes
        perfect = [
            all(score_row(task, answer, row.answers, classes).value >= 1 - 1e-8 for answer in row.answers)
            for row in rows
        ]
        if not all(perfect):
            imperfect[found.suite.name, task] = perfect.count(False)
    assert imperfect == {key: n for key, n in LIKE_COMMENTS.items() if key[0] == found.suite.name}


@pytest.mark.parametrize(
    ("run", "task", "warning"),
    [
        (
            "llama2-7b",
            "narrativeqa",
            "3 rows are repeated, the first in line 4; they count again, as they do officially",
        ),
        ("llama3.1-8b-window", "2wikimqa", "1 rows are repeated, the first in line 201; "),
        ("rwkv5-7b-e", "repobench-p", "70 of 300 rows are missing (first: row "),
    ],
)
def test_what_is_odd_about_the_runs_is_said(run, task, warning):
    found = read_folder(ORACLE / run / "predictions")
    summary = scored(replace(found, files={task: found.files[task]}), "official")
    assert any(said.startswith(warning) for said in summary.tasks[task].to_json()["warnings"])


def test_the_score_without_doubled_rows_is_that_of_the_file_without_them():
    found = read_folder(ORACLE / "llama2-7b" / "predictions" / "narrativeqa.jsonl")
    once = replace(found, files={"narrativeqa": found.files["narrativeqa"][3:]})
    with_them, without = scored(found, "official").tasks["narrativeqa"], scored(once, "official").tasks["narrativeqa"]
    assert (with_them.n, without.n, with_them.gap, without.warnings) == (203, 200, "", ())
    # Rows 0 to 2 have the same predictions both times, so which of them is left out makes no difference.
    assert with_them.warnings[0].endswith(f"without them the score is {without.score:.2f}")
