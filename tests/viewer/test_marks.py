"""Marks of rows against the counts and suspicions of whole tasks."""

import json
from collections import Counter
from pathlib import Path

import pytest

from longbench_eval.scoring.folder import read_folder
from longbench_eval.scoring.suspicion import suspect
from longbench_eval.tasks import get_suite
from longbench_eval.viewer.lines import read_lines
from longbench_eval.viewer.marks import MARKS, bit_of, names_of, score_lines, weight_of
from viewer_runs import write_plain

LONGBENCH = get_suite("longbench")
ORACLE = Path(__file__).parents[3] / "shared" / "oracle"
RUNS = [path for path in (ORACLE / "llama2-7b", ORACLE / "rwkv5-7b-e") if path.is_dir()]


@pytest.mark.parametrize("run", RUNS or [pytest.param(None, marks=pytest.mark.skip("no public runs here"))])
def test_as_many_rows_are_marked_as_the_warnings_count(run):
    found = read_folder(run)
    for task, rows in found.files.items():
        path = next((run / "predictions").glob(f"{task}*.jsonl"))
        marks = score_lines(found.suite, task, read_lines(path)).marks
        counts = Counter(name for bits in marks for name in names_of(bits))
        for sign in suspect(found.suite, task, rows):
            if sign.kind != "rows-missing" and sign.count < len(rows):
                assert counts[sign.kind] == sign.count, (task, sign.kind)


def marks_of(tmp_path, task, rows):
    path = tmp_path / f"{task}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    scored = score_lines(LONGBENCH, task, read_lines(path))
    return [names_of(bits) for bits in scored.marks], list(scored.scores)


CASES = [
    ({"pred": ""}, ["empty"]),
    ({"pred": "", "error": {"kind": "model", "message": "x"}}, ["failed"]),
    ({"pred": "a", "truncation": {"start": 1}}, ["truncated"]),
    ({"pred": "a", "finish_reason": "length"}, ["capped"]),
    ({"pred": "<think>a"}, ["thinking-unclosed"]),
    ({"pred": "Paris"}, []),
]


@pytest.mark.parametrize(("row", "names"), CASES)
def test_what_happened_to_a_row(tmp_path, row, names):
    marks, _ = marks_of(tmp_path, "qasper", [{"answers": ["a"], "all_classes": None, "length": 1, **row}])
    assert marks == [names]


def test_a_row_that_cannot_be_scored_does_not_hide_the_others(tmp_path):
    rows = [{"pred": "Paragraph 3", "answers": [answer], "length": 1} for answer in ("Paragraph 3", "none")]
    marks, scores = marks_of(tmp_path, "passage_retrieval_en", rows)
    assert marks == [[], ["unscorable"]]
    assert scores == [1.0, 0.0]


def test_a_megabyte_is_not_compared_word_by_word(tmp_path):
    row = {"pred": "a b " * 250_000, "answers": ["a"], "length": 1}
    assert marks_of(tmp_path, "gov_report", [row])[0] == [["loop", "too-long"]]
    assert "too-long" not in marks_of(tmp_path, "qasper", [row])[0][0]


def test_failures_weigh_most():
    weights = {name: weight_of(bit_of(name)) for name in MARKS}
    assert max(weights, key=weights.get) in ("failed", "unscorable", "too-long")
    assert weights["loop"] > weights["capped"] > weights["truncated"] > 0
    assert bit_of("nonsense") == 0


def test_an_empty_file(tmp_path):
    write_plain(tmp_path / "qasper.jsonl", [])
    lines = read_lines(tmp_path / "qasper.jsonl")
    assert len(lines) == 0
    assert not lines.has_ids
    assert score_lines(LONGBENCH, "qasper", lines).scores.tolist() == []
