"""Tasks of one's own through a whole run, and what is made of them afterwards."""

import json
import os
from dataclasses import replace
from threading import Thread

import pytest

from longbench_eval import RunSettings, get_suite, load_task, run, score
from longbench_eval.comparison import compare
from longbench_eval.errors import DataError, RunError, UsageError
from longbench_eval.runs import list_runs
from longbench_eval.runs.merge import merge_runs
from longbench_eval.runs.preview import preview
from longbench_eval.scoring.evidence import rows_with_evidence
from own_samples import ROWS, write_sorting, write_task
from samples import write_sample_data
from toys import ToyTokenizer

OWN = ("leases", "letters")


def answer(request):
    """The owner, whoever asks; a bill, whatever it is."""
    return "a bill of sale\nmore" if request.task == "letters" else "the owner"


@pytest.fixture
def files(tmp_path):
    return (write_task(tmp_path), write_sorting(tmp_path))


@pytest.fixture
def settings(tmp_path, files):
    data = write_sample_data(tmp_path / "data", n=4)
    return RunSettings(tasks=("qasper", *OWN), own_tasks=files, data=data, allow_unofficial=True, out=tmp_path / "run")


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted((folder / "predictions").iterdir())}


def test_a_run_with_two_own_tasks_and_an_official_one(settings):
    asked = {}

    def model(request):
        asked.setdefault(request.task, request)
        return answer(request)

    summary = run(model, settings, tokenizer=ToyTokenizer()).summary
    assert list(summary.tasks) == ["qasper", *OWN]
    # Over the rows: f1 of "owner" is 1, 0, 0; "bill" is alone once, beside "bill of sale" once, and alone again.
    assert summary.tasks["leases"].score == pytest.approx(33.33)
    assert summary.tasks["letters"].score == pytest.approx(83.33)
    assert asked["leases"].prompt.text.startswith("<user>Lease: The owner heats.")
    assert (asked["letters"].prompt.chat, asked["letters"].max_new_tokens) == (False, 4)
    assert (asked["letters"].stop_at_newline, asked["leases"].stop_at_newline) == (True, False)
    digests = "+".join(f"{load_task(path).task.name}@{load_task(path).digest}" for path in settings.own_tasks)
    assert f"|tasks:1|own:{digests}|data:unofficial|" in str(summary.signature)
    assert "not LongBench's but tasks of your own, in none of its averages: leases, letters" in summary.warnings


def test_the_run_is_scored_without_the_files(settings, files):
    done = run(answer, settings)
    for path in files:
        path.unlink()
    again = score(settings.out)
    assert {name: task.value for name, task in again.tasks.items()} == {
        name: task.value for name, task in done.summary.tasks.items()
    }
    assert again.suite.task("letters").category == "sorting mail"
    evidence = [row for row in rows_with_evidence(settings.out) if row["task"] == "letters"]
    assert [row["score"] for row in evidence] == [1.0, 0.5, 1.0]
    assert list_runs(settings.out)[0].planned_rows == list_runs(settings.out)[0].rows == 10


def test_a_function_may_change_the_working_directory(settings, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = {"data": "data", "own_tasks": [path.name for path in settings.own_tasks], "out": "run"}
    (tmp_path / "other").mkdir()

    def model(request):
        os.chdir(tmp_path / "other")
        return answer(request)

    done = run(model, replace(settings, **given))
    assert done.directory == settings.out
    assert [len(lines.splitlines()) for lines in contents(settings.out).values()] == [3, 3, 4]
    assert not list((tmp_path / "other").iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_rows_may_come_from_a_pipe_which_is_read_once(settings, tmp_path):
    run(answer, settings)
    file = tmp_path / "leases.jsonl"
    rows = file.read_bytes()
    file.unlink()
    os.mkfifo(file)
    writer = Thread(target=file.write_bytes, args=(rows,))
    writer.start()
    run(answer, replace(settings, out=tmp_path / "piped"))
    writer.join()
    assert contents(tmp_path / "piped") == contents(settings.out)


def test_json_keeps_own_tasks_apart(settings):
    run(answer, settings)
    shape = json.loads((settings.out / "summary.json").read_text("utf-8"))
    assert list(shape["tasks"]) == ["qasper"]
    assert list(shape["own_tasks"]) == list(OWN)
    assert shape["own_tasks"]["letters"]["n"] == shape["own_tasks"]["letters"]["expected_n"] == 3
    assert "interval" in shape["own_tasks"]["letters"]


@pytest.mark.parametrize("suite", ["demo"])
def test_own_tasks_never_change_an_average(tmp_path, files, suite):
    alone = run(answer, RunSettings(suite=suite, out=tmp_path / "alone")).summary
    beside = run(answer, RunSettings(suite=suite, own_tasks=files, out=tmp_path / "beside")).summary
    assert beside.tasks.keys() == alone.tasks.keys() | set(OWN)
    assert beside.averages["All"].value is not None
    for name in ("averages", "categories", "flat_averages"):
        assert getattr(beside, name) == getattr(alone, name)
    assert beside.uncertainty.averages == alone.uncertainty.averages


def test_a_category_of_the_six_is_still_none_of_theirs(tmp_path):
    files = (write_task(tmp_path, category='"single-doc QA"'),)
    alone = run(answer, RunSettings(suite="demo", out=tmp_path / "alone")).summary
    beside = run(answer, RunSettings(suite="demo", own_tasks=files, out=tmp_path / "beside")).summary
    assert beside.categories == alone.categories


def test_only_own_tasks_need_no_data_and_have_no_averages(tmp_path, files, monkeypatch):
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path / "nothing"))
    summary = run(answer, RunSettings(tasks=OWN, own_tasks=files, out=tmp_path / "run")).summary
    assert {part.value for part in summary.all_averages.values()} == {None}
    assert summary.averages["All"].withheld == ("no task of longbench is here",)
    assert "|tasks:0|own:" in str(summary.signature)
    assert "|data:own|prompts:own|" in str(summary.signature)


def test_without_the_data_the_error_says_how_to_run_only_these(tmp_path, files, monkeypatch):
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path / "nothing"))
    with pytest.raises(DataError) as told:
        run(answer, RunSettings(own_tasks=files, out=tmp_path / "run"))
    assert told.value.__notes__ == ["To run only your own tasks, name them: --tasks leases,letters"]


def test_an_interrupted_run_goes_on_to_the_same_bytes(settings, tmp_path):
    whole = run(answer, settings).directory
    seen = []

    def breaks_off(request):
        seen.append(request)
        if len(seen) == 6:
            raise KeyboardInterrupt
        return answer(request)

    part = replace(settings, out=tmp_path / "part")
    model = Named(breaks_off)
    with pytest.raises(KeyboardInterrupt):
        run(model, part)
    assert contents(part.out) != contents(whole)
    run(model, part)
    assert contents(part.out) == contents(whole)
    assert len(seen) == 11


class Named:
    """A function whose code is the same whatever it calls."""

    def __init__(self, function):
        self._function = function

    def __call__(self, request):
        return self._function(request)


def test_parts_are_joined_to_the_same_bytes(settings, tmp_path):
    whole = run(answer, settings).directory
    parts = [run(answer, replace(settings, out=tmp_path / f"p{i}", shard=f"{i}/2")).directory for i in (1, 2)]
    merged = merge_runs(parts, tmp_path / "merged")
    assert merged.missing == 0
    assert contents(merged.path) == contents(whole)
    assert (merged.path / "summary.json").read_bytes() == (whole / "summary.json").read_bytes()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"metric": '"rouge"'}, "own.leases.metric: 'qa_f1' there, 'rouge' now"),
        ({"template": '"{context} {input}"'}, "own.leases.template_sha256: "),
        ({"first_line": "true"}, "own.leases.first_line: False there, True now"),
        ({"rows": ROWS[:2]}, r"data\.leases: "),
    ],
)
def test_a_changed_task_is_another_run(settings, tmp_path, change, named):
    run(answer, settings)
    write_task(tmp_path, **change)
    with pytest.raises(RunError, match=named):
        run(answer, settings)


def test_the_order_of_the_files_makes_no_other_run(settings):
    run(answer, settings)
    turned = replace(settings, own_tasks=settings.own_tasks[::-1])
    assert run(answer, turned).directory == settings.out


def test_a_run_is_scored_anew_by_a_changed_file(settings, tmp_path):
    before = run(answer, settings).summary
    changed = write_task(tmp_path, metric='"rouge"')
    after = score(settings.out, own_tasks=[changed])
    assert after.tasks["leases"].value != before.tasks["leases"].value
    assert after.tasks["letters"].value == before.tasks["letters"].value
    was, now = (summary.signature.choices["own"].split("+") for summary in (before, after))
    assert (was[0] != now[0], was[1] == now[1]) == (True, True)


def test_a_folder_is_scored_with_the_files(settings, files, tmp_path):
    done = run(answer, settings).summary
    (settings.out / "run.json").unlink()
    found = score(settings.out, own_tasks=files)
    assert {name: found.tasks[name].value for name in OWN} == {name: done.tasks[name].value for name in OWN}
    assert found.signature.choices["own"] == done.signature.choices["own"]
    without = score(settings.out)
    assert list(without.tasks) == ["qasper"]
    assert "left out: 'leases.jsonl', 'letters.jsonl'" in " ".join(without.warnings)
    alone = score(settings.out / "predictions" / "leases.jsonl", own_tasks=files)
    assert (list(alone.tasks), alone.suite.name) == (["leases"], "longbench")
    assert "|tasks:0|own:leases@" in str(alone.signature)
    assert "no predictions of your own task: there is no letters.jsonl" in alone.warnings


def test_missing_rows_are_told(settings, files):
    run(answer, settings)
    path = settings.out / "predictions" / "leases.jsonl"
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])
    task = score(settings.out).tasks["leases"]
    assert (task.n, task.expected_n, task.gap) == (2, 3, "leases has 2 of 3 rows")


def test_answers_are_looked_at_as_those_of_the_nearest_kind(settings):
    kinds = {
        name: {sign.kind for sign in task.suspicions}
        for name, task in run(lambda request: "", settings).summary.tasks.items()
    }
    assert "empty" in kinds["leases"] & kinds["letters"]
    assert "rows-foreign" not in kinds["leases"], "these rows are nobody else's"


@pytest.mark.parametrize(
    "record",
    [
        5,
        {"task": 5},
        {"task": {"rows": 3}},
        {"task": {"rows": 3, "metric": "none", "max_new_tokens": 3}},
        {"task": {"rows": 3, "metric": "rouge", "max_new_tokens": 3, "more": 1}},
    ],
)
def test_a_damaged_record_is_one_message(settings, record):
    run(answer, settings)
    path = settings.out / "run.json"
    shape = json.loads(path.read_text("utf-8"))
    shape["evidence"]["own_tasks"]["leases"] = record
    path.write_text(json.dumps(shape), "utf-8")
    with pytest.raises(RunError, match=r"run\.json does not tell"):
        score(settings.out)


def test_names_are_chosen_from_both(settings):
    assert list(run(answer, replace(settings, tasks=("letters", "qasper"))).summary.tasks) == ["qasper", "letters"]
    with pytest.raises(UsageError, match=r"no task 'lease'. Did you mean 'leases'\?"):
        run(answer, replace(settings, tasks=("lease",)))


def test_a_suite_knows_its_own_tasks(files):
    suite = get_suite("longbench").with_own([load_task(files[0]).task])
    assert suite.all_tasks == (*suite.tasks, "leases")
    assert (suite.counts["leases"], suite.cap("leases"), suite.cap("qasper")) == (3, 16, 128)
    assert "leases" not in get_suite("longbench").counts
    assert suite.with_own([]).counts == get_suite("longbench").counts


def test_a_loaded_task_or_one_name_will_do(settings, files, tmp_path):
    loaded = RunSettings(tasks=("leases",), own_tasks=(load_task(files[0]),), out=tmp_path / "a")
    named = RunSettings(tasks=("leases",), own_tasks=str(files[0]), out=tmp_path / "b")
    assert contents(run(answer, loaded).directory) == contents(run(answer, named).directory)
    assert json.loads((tmp_path / "a" / "run.json").read_text("utf-8"))["settings"]["own_tasks"] == [str(files[0])]


def test_the_mean_of_tasks_in_a_comparison_is_of_the_official_ones(settings, tmp_path):
    other = run(lambda request: "May", replace(settings, out=tmp_path / "other")).directory
    compared = compare(run(answer, settings).directory, other).by_name
    assert compared["mean of tasks"].scores == compared["qasper"].scores
    assert compared["leases"].scores == (pytest.approx(100 / 3), pytest.approx(100 / 3))


def test_a_preview_warns_of_no_templates(files, tmp_path):
    settings = RunSettings(own_tasks=files)
    prompt, _ = preview("letters", "2", None, settings)
    assert prompt.text == "Sort it. letter 2 Kind:"
    with pytest.raises(UsageError, match="no task 'letter'"):
        preview("letter", "2", None, settings)


@pytest.mark.model
def test_a_preview_with_a_model_leaves_room_for_the_longest_answer_of_all(files):
    prompt, warnings = preview("leases", "0", "smollm2", RunSettings(own_tasks=files))
    assert prompt.chat
    assert warnings == ("not LongBench's but tasks of your own, in none of its averages: leases",)
