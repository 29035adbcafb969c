"""How sure scores are: from row scores, for every suite, and in JSON."""

import json
from dataclasses import replace

import pytest
from official_rows import predictions, record, records, write

from longbench_eval.errors import UsageError
from longbench_eval.scoring import score
from longbench_eval.scoring.intervals import with_intervals
from longbench_eval.scoring.weights import Cell
from longbench_eval.stats import Resampling
from longbench_eval.tasks import TASKS, get_suite

FEW = Resampling(resamples=500)


@pytest.fixture
def summary(tmp_path, facts):
    files = {task: records(task) for task in TASKS}
    for rows in files.values():
        for row in rows[::3]:
            row["pred"] = "wrong"
    return score(write(tmp_path / "plain", files))


def test_every_task_and_average_has_an_interval_around_its_score(summary):
    known = with_intervals(summary, FEW).uncertainty
    assert known.cells.keys() == {Cell(task) for task in TASKS}
    for task in summary.tasks.values():
        interval = known.cells[Cell(task.task)]
        assert interval.low < task.value < interval.high
        assert interval.standard_error > 0
    assert known.averages.keys() == {*summary.all_averages, *summary.flat_averages}
    for name, interval in known.averages.items():
        assert interval.low < {**summary.all_averages, **summary.flat_averages}[name].value < interval.high


def test_an_average_is_surer_than_its_tasks(summary):
    known = with_intervals(summary, FEW).uncertainty
    assert known.averages["All"].standard_error < min(cell.standard_error for cell in known.cells.values())


def test_a_task_does_not_depend_on_which_others_there_are(summary):
    alone = replace(summary, tasks={"trec": summary.tasks["trec"]})
    assert (
        with_intervals(alone, FEW).uncertainty.cells[Cell("trec")]
        == with_intervals(summary, FEW).uncertainty.cells[Cell("trec")]
    )


def test_the_signature_has_the_seed_and_another_level(summary):
    signature = str(with_intervals(summary, FEW).signature)
    assert "|boot:500@seed0|v:" in signature
    assert "level" not in signature
    assert "|boot:500@seed3|level:0.9|v:" in str(with_intervals(summary, Resampling(3, 500, 0.9)).signature)


def test_nothing_is_scored_again(summary, monkeypatch):
    monkeypatch.setattr("longbench_eval.scoring.rows.score_row", None)
    assert with_intervals(summary, FEW).tasks is summary.tasks


@pytest.mark.parametrize(
    ("resampling", "message"),
    [
        (Resampling(level=95), "--level is 95"),
        (Resampling(seed=-1), "--seed is -1"),
        (Resampling(resamples=3), "There are 3 resamples"),
    ],
)
def test_impossible_settings_are_refused(summary, resampling, message):
    with pytest.raises(UsageError, match=message):
        with_intervals(summary, resampling)


def test_rows_of_one_context_are_kept_together(tmp_path, facts):
    rows = [row | {"pred": "wrong" if i < 100 else row["pred"]} for i, row in enumerate(records("trec"))]
    apart = score(write(tmp_path / "apart", {"trec": rows}))
    shared = [row | {"context_sha256": f"{i // 4}"} for i, row in enumerate(rows)]
    together = score(write(tmp_path / "together", {"trec": shared}))
    few, many = (with_intervals(one, FEW).uncertainty for one in (together, apart))
    assert (few.contexts_known, many.contexts_known) == (True, False)
    assert "|clusters:contexts|boot:" in str(with_intervals(together, FEW).signature)
    assert "|clusters:rows|boot:" in str(with_intervals(apart, FEW).signature)
    assert few.cells[Cell("trec")].standard_error == pytest.approx(
        2 * many.cells[Cell("trec")].standard_error, rel=0.05
    )


def test_repeated_rows_are_no_new_evidence(tmp_path, facts):
    rows = [row | {"pred": "wrong" if i % 2 else row["pred"]} for i, row in enumerate(records("trec"))]
    once, twice = (score(write(tmp_path / str(n), {"trec": rows * n})) for n in (1, 2))
    errors = [with_intervals(one, FEW).uncertainty.cells[Cell("trec")].standard_error for one in (once, twice)]
    assert errors[1] == pytest.approx(errors[0], rel=0.01)


def test_longbench_e_has_intervals_by_length(tmp_path, facts):
    tasks = get_suite("longbench-e").tasks
    files = {task: records(task, "longbench-e") for task in tasks}
    for rows in files.values():
        for row in rows[::2]:
            row["pred"] = "wrong"
    summary = score(write(tmp_path / "even", files))
    shape = with_intervals(summary, FEW).to_json()
    found = shape["tasks"]["trec"]["bucket_intervals"]
    assert found["0-4k"]["interval"][0] < shape["tasks"]["trec"]["buckets"]["0-4k"] < found["0-4k"]["interval"][1]
    assert {name for name, bucket in found.items() if bucket is None} == {
        name for name, bucket in shape["tasks"]["trec"]["buckets"].items() if bucket is None
    }


def test_in_json_numbers_are_rounded_and_missing_ones_null(tmp_path):
    one = score(write(tmp_path, {"trec": [record("trec", 0, 5)], "vcsum": []}))
    shape = json.loads(json.dumps(with_intervals(one, FEW).to_json(), allow_nan=False))
    assert shape["tasks"]["trec"]["interval"] == [2.5, 100.0]
    assert shape["tasks"]["trec"]["standard_error"] is None
    assert (shape["tasks"]["vcsum"]["interval"], shape["intervals"]) == (None, {})
    assert not one.to_json()["tasks"]["trec"].keys() & {"interval", "standard_error"}


def test_predictions_keep_the_context_of_their_row():
    (row,) = predictions([record("trec", 0, 5) | {"context_sha256": "abc"}])
    assert row.context_sha256 == "abc"
    (row,) = predictions([record("trec", 0, 5) | {"context_sha256": 7}])
    assert row.context_sha256 is None
