import json
from pathlib import Path

import pytest
from official_rows import record, records, write

from longbench_eval.errors import DataError, RunError
from longbench_eval.manifest import Manifest
from longbench_eval.scoring import read_folder, score
from longbench_eval.scoring.locate import find_files, task_of
from longbench_eval.tasks import TASKS

SIGNATURE = {"tasks": "2", "data": "official", "trunc": "middle@7500"}

pytestmark = pytest.mark.usefixtures("facts")


@pytest.fixture
def run(tmp_path):
    """A finished run of two tasks."""
    Manifest("longbench", {}, SIGNATURE, warnings=("mind this",)).save(tmp_path / "run")
    write(tmp_path / "run" / "predictions", {task: records(task) for task in ("qasper", "trec")})
    (tmp_path / "run" / "scores.jsonl").write_text("{}\n")
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("stem", "task"),
    [
        ("qasper", "qasper"),
        ("qasper_e", "qasper"),
        ("2wikimqa_ws32_mc2048_snks0_hopf_True", "2wikimqa"),
        ("repobench-p-full", "repobench-p"),
        ("multifieldqa_en_e", "multifieldqa_en"),
        ("multifieldqa_zh.v2", "multifieldqa_zh"),
        ("passage_retrieval_en", "passage_retrieval_en"),
        ("qasper2", None),
        ("hotpot", None),
        ("multifieldqa", None),
        ("my_qasper", None),
        ("result", None),
        ("", None),
        ("._qasper", None),
    ],
)
def test_task_of(stem, task):
    assert task_of(stem) == task


@pytest.mark.parametrize("suffix", ["", "_e", "_ws32_mc2048", "_e_ws32", "-run1", ".v2"])
def test_every_suffix_that_circulates(tmp_path, suffix):
    files = {task: records(task)[:1] for task in TASKS}
    folder = write(tmp_path, files, suffix)
    (folder / "result.json").write_text('{"qasper": NaN}')
    (folder / "qasper.jsonl.bak").write_text("{")
    (folder / "trec_old.jsonl").mkdir()
    assert list(find_files(folder)) == list(TASKS)
    found = read_folder(folder)
    assert (found.suite.name, list(found.files), found.warnings) == ("longbench", list(TASKS), ())


def test_folders_named_for_the_other_suite_are_told_by_their_rows(tmp_path):
    plain = write(tmp_path / "pred_e" / "model", {"trec": records("trec")[:9]}, "_e")
    even = write(tmp_path / "pred" / "model", {"trec": records("trec", "longbench-e")[-9:]})
    assert read_folder(plain).suite.name == "longbench"
    assert read_folder(even).suite.name == "longbench-e"


@pytest.mark.parametrize(
    ("place", "suffix", "suite"),
    [
        ("pred/model", "", "longbench"),
        ("pred/model", "_e", "longbench-e"),
        ("pred/model", "_e_ws32", "longbench-e"),
        ("pred/model", "_else", "longbench"),
        ("pred_e/model", "", "longbench-e"),
    ],
)
def test_unknown_rows_are_what_their_names_say(tmp_path, place, suffix, suite):
    rows = [record("trec", 0, None)]
    found = read_folder(write(tmp_path / place, {"trec": rows, "lcc": rows}, suffix))
    assert found.suite.name == suite
    assert found.warnings == ("no row is LongBench's (by answers and length): these are not LongBench scores",)
    assert str(found.signature).startswith(f"{suite}|tasks:2|data:unproved|v:")


@pytest.mark.parametrize(
    ("changes", "data", "warning"),
    [
        ({}, "answers-agree", None),
        ({"trec": []}, "unproved", None),
        ({"trec": [record("trec", 0, 1)]}, "unproved", "no row of trec is LongBench's (by answers and length)"),
        ({"trec": [record("trec", 0, 1), *records("trec")]}, "unproved", None),
    ],
)
def test_the_signature_says_what_the_rows_prove(tmp_path, changes, data, warning):
    found = read_folder(write(tmp_path, {task: records(task)[:5] for task in ("qasper", "trec")} | changes))
    assert f"|data:{data}|" in str(found.signature)
    assert [text.split(":")[0] for text in found.warnings] == ([warning] if warning else [])


def test_files_that_are_no_part_of_the_suite_are_left_out_with_a_warning(tmp_path):
    folder = write(tmp_path, {task: records(task, "longbench-e") for task in ("trec", "lcc")})
    write(folder, {"narrativeqa": records("narrativeqa"), "notes": []})
    found = read_folder(folder)
    assert (found.suite.name, list(found.files)) == ("longbench-e", ["trec", "lcc"])
    assert found.warnings == ("no task of longbench-e, left out: 'narrativeqa.jsonl', 'notes.jsonl'",)


def test_one_file_can_be_scored_alone(tmp_path):
    folder = write(tmp_path, {"qasper": records("qasper"), "trec": records("trec")})
    summary = score(folder / "trec.jsonl")
    assert [(task.task, task.score, task.gap) for task in summary.tasks.values()] == [("trec", 100.0, "")]
    assert summary.warnings == ()


def test_order_and_tasks_are_the_table_s(tmp_path):
    folder = write(tmp_path, {task: records(task)[:1] for task in ("lcc", "2wikimqa", "qasper")})
    assert list(score(str(folder)).tasks) == ["qasper", "2wikimqa", "lcc"]


@pytest.mark.parametrize(
    ("place", "tasks"),
    [(".", ["qasper", "trec"]), ("predictions", ["qasper", "trec"]), ("predictions/trec.jsonl", ["trec"])],
)
def test_a_run_is_what_its_manifest_says(run, place, tasks, monkeypatch):
    for path in (run / place, Path(place)):
        monkeypatch.chdir(run)
        found = read_folder(path)
        assert (found.suite.name, list(found.files), found.warnings) == ("longbench", tasks, ("mind this",))
        assert "|trunc:middle@7500|" in str(found.signature)
    monkeypatch.chdir(run / "predictions")
    assert read_folder(Path()).signature == found.signature


def test_only_predictions_belong_to_a_run(run):
    other = write(run / "other", {"trec": records("trec")})
    assert read_folder(other).warnings == ()
    assert "trunc" not in str(read_folder(other).signature)


def test_a_run_that_was_killed_is_scored_up_to_the_last_whole_line(run):
    path = run / "predictions" / "trec.jsonl"
    path.write_bytes(path.read_bytes()[:-5])
    summary = score(run)
    assert (summary.tasks["trec"].n, summary.tasks["trec"].gap) == (199, "trec has 199 of 200 rows")
    torn = f"the last line of {str(path)!r} is torn and left out; running the run again repairs it"
    assert summary.warnings == ("mind this", torn)
    foreign = write(run.parent / "foreign", {})
    (foreign / "trec.jsonl").write_bytes(path.read_bytes())
    with pytest.raises(DataError, match=r"foreign.trec\.jsonl, line 200 \(the last, without a newline at its end"):
        score(foreign)


def test_a_run_killed_before_its_first_row_says_so(run):
    for path in (run / "predictions").iterdir():
        path.unlink()
    with pytest.raises(DataError, match=r"holds no predictions: expected .* or a run with answered rows"):
        score(run)
    (run / "predictions").rmdir()
    with pytest.raises(DataError, match="holds no predictions"):
        score(run)


def test_a_broken_manifest_is_an_error(run):
    (run / "run.json").write_text('{"not": "ours"}')
    with pytest.raises(RunError, match=r"run\.json' cannot be read as a run's manifest"):
        score(run)


def refused(path):
    with pytest.raises(DataError) as error:
        score(path)
    return str(error.value)


def test_what_holds_no_predictions_is_refused(tmp_path):
    assert "'nowhere' does not exist; expected a run, or a folder of predictions" in refused("nowhere")
    assert "holds no predictions: expected files named after their tasks" in refused(tmp_path)
    write(tmp_path, {"hotpot": [], "qasper2": []})
    assert "holds no predictions" in refused(tmp_path)
    assert "hotpot.jsonl' holds no predictions" in refused(tmp_path / "hotpot.jsonl")
    for model in "dcba":
        write(tmp_path / model, {"qasper": []})
    assert refused(tmp_path).endswith(f"There are some in {tmp_path}/a, {tmp_path}/b, {tmp_path}/c.")


def test_two_files_for_one_task_are_refused(tmp_path):
    write(tmp_path, {"qasper": []})
    write(tmp_path, {"qasper": []}, "_e")
    assert "qasper.jsonl and qasper_e.jsonl both hold qasper; score them in folders of their own" in refused(tmp_path)


def test_a_broken_line_is_named_by_file_and_line(tmp_path):
    folder = write(tmp_path, {"qasper": records("qasper")[:2], "trec": [{"pred": "x"}]})
    assert refused(folder).startswith(f"{folder}/trec.jsonl, line 1: there is no field 'answers'")


def test_crlf_marks_and_blank_lines_change_nothing(tmp_path):
    rows = [row | {"pred": "a\u2028b \ud800"} for row in records("qasper")]
    text = "".join(json.dumps(row) + "\r\n" for row in rows)
    write(tmp_path, {})
    (tmp_path / "qasper.jsonl").write_bytes(b"\xef\xbb\xbf" + text.encode() + b"\r\n")
    summary = score(tmp_path)
    assert (summary.tasks["qasper"].n, summary.tasks["qasper"].warnings, summary.warnings) == (200, (), ())
