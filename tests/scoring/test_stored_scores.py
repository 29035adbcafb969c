"""`scores.jsonl`: read back only where it belongs to the predictions."""

import json
from dataclasses import replace

import pytest
from official_rows import predictions, record

from longbench_eval.files import json_line
from longbench_eval.scoring import PROFILES, summarize
from longbench_eval.scoring.stored import SCORES, read_stored, score_lines
from longbench_eval.signature import Signature
from longbench_eval.tasks import get_suite

OFFICIAL = PROFILES["official"]


@pytest.fixture
def files():
    made = {task: [record(task, i, i) | {"_id": f"{task} {i}"} for i in range(4)] for task in ("trec", "gov_report")}
    made["gov_report"][1]["pred"] = "lone \ud800"
    return {task: predictions(rows) for task, rows in made.items()}


@pytest.fixture
def summary(files):
    return summarize(Signature("longbench", {}), get_suite("longbench"), files, OFFICIAL)


@pytest.fixture
def run(tmp_path, summary):
    (tmp_path / SCORES).write_text("".join(json_line(line) for line in score_lines(summary)), encoding="utf-8")
    return tmp_path


def test_what_was_written_is_read(run, files, summary):
    stored = read_stored(run, files, OFFICIAL)
    assert {task: tuple(scores) for task, scores in stored.items()} == {
        name: task.scores for name, task in summary.tasks.items()
    }


def test_a_summary_of_stored_scores_is_the_same(run, files, summary, monkeypatch):
    monkeypatch.setattr("longbench_eval.scoring.rows.score_row", None)
    stored = read_stored(run, files, OFFICIAL)
    again = summarize(Signature("longbench", {}), get_suite("longbench"), files, OFFICIAL, stored=stored)
    assert again.to_json(rows=True) == summary.to_json(rows=True)


def changed(files, task, **fields):
    return {**files, task: [replace(files[task][0], **fields), *files[task][1:]]}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"pred": "another"}, "another prediction"),
        ({"answers": ("another",)}, "another answer"),
    ],
)
def test_other_rows_are_not_taken_for_these(run, files, fields, why):
    assert read_stored(run, changed(files, "gov_report", **fields), OFFICIAL).keys() == {"trec"}, why


def test_other_classes_in_the_last_row_change_every_score(run, files):
    last = replace(files["trec"][-1], all_classes=("right", "left"))
    assert read_stored(run, {**files, "trec": [*files["trec"][:-1], last]}, OFFICIAL).keys() == {"gov_report"}


def test_another_profile_or_version_is_not_taken(run, files, monkeypatch):
    assert read_stored(run, files, PROFILES["kvpress"]) == {}
    monkeypatch.setattr("longbench_eval.scoring.stored.__version__", "99")
    assert read_stored(run, files, OFFICIAL) == {}


@pytest.mark.parametrize(
    "line",
    ["", "{", "[]", "null", '{"task": "trec"}', '{"score": "x"}', "[" * 100_000, "\udcff", '{"score": 1e999}'],
)
def test_lines_that_are_no_scores_are_passed_over(run, files, line):
    path = run / SCORES
    path.write_bytes(line.encode("utf-8", "surrogateescape") + b"\n" + path.read_bytes())
    assert read_stored(run, files, OFFICIAL).keys() == {"trec", "gov_report"}


def test_a_score_that_is_none_is_scored_again(run, files):
    lines = [json.loads(line) for line in (run / SCORES).read_text("utf-8").splitlines()]
    lines[0]["score"] = float("nan")
    (run / SCORES).write_text("".join(json_line(line) for line in lines), encoding="utf-8")
    assert read_stored(run, files, OFFICIAL).keys() == {"trec"}


def test_without_the_file_nothing_is_known(tmp_path, files):
    assert read_stored(tmp_path, files, OFFICIAL) == {}
