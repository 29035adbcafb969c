"""What counts as a run."""

import json

import pytest

from longbench_eval.errors import RunError
from longbench_eval.viewer.finding import find_all
from viewer_runs import write_plain

ROW = {"pred": "a", "answers": ["a"], "all_classes": None, "length": 3}


def test_runs_and_predictions_three_levels_deep(tmp_path):
    for place in (
        "qasper.jsonl",
        "a/qasper.jsonl",
        "a/b/predictions/qasper_e.jsonl",
        "a/b/c/trec.jsonl",
        "a/b/c/d/lcc.jsonl",
    ):
        write_plain(tmp_path / place, [ROW])
    found = find_all(tmp_path).found
    assert list(found) == sorted([tmp_path.name, "a", "a/b", "a/b/c"])
    assert list(found["a/b"].files) == ["qasper"]


def test_data_are_no_predictions(tmp_path):
    (tmp_path / "qasper.jsonl").write_text(json.dumps({"input": 'say "pred"', "context": "x", "answers": ["a"]}) + "\n")
    write_plain(tmp_path / ".hidden" / "qasper.jsonl", [ROW])
    assert find_all(tmp_path).found == {}


def test_the_folder_may_be_a_run(own_folder):
    found = find_all(own_folder.runs / "cut").found
    assert [one.is_run for one in found.values()] == [True]
    assert list(found) == ["cut"]


def test_two_files_for_one_task_are_told(tmp_path):
    write_plain(tmp_path / "run" / "qasper.jsonl", [ROW])
    write_plain(tmp_path / "run" / "qasper_e.jsonl", [ROW])
    assert "both hold qasper" in find_all(tmp_path).found["run"].problem


def test_not_for_ever(tmp_path, monkeypatch):
    for number in range(5):
        write_plain(tmp_path / f"run{number}" / "qasper.jsonl", [ROW])
    monkeypatch.setattr("longbench_eval.viewer.finding.MOST_FOLDERS", 3)
    walk = find_all(tmp_path)
    assert len(walk.found) == 2
    assert not walk.whole


def test_no_folder(tmp_path):
    with pytest.raises(RunError, match="is no folder"):
        find_all(tmp_path / "nowhere")
