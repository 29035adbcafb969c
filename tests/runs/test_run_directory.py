"""What lies in a run directory, and what it refuses."""

import json
import multiprocessing
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from longbench_eval import Completion, RunSettings, run, score
from longbench_eval.errors import RunError, UsageError
from longbench_eval.models.callable import CallableModel
from longbench_eval.records import Failure
from longbench_eval.runs import list_runs, remove_run
from longbench_eval.runs.directory import locked
from longbench_eval.scoring.intervals import with_intervals
from samples import TASKS_USED, answer_by_hash, rows_of, write_sample_data


@pytest.fixture
def settings(tmp_path) -> RunSettings:
    data = write_sample_data(tmp_path / "data", n=6)
    return RunSettings(tasks=TASKS_USED, data=data, allow_unofficial=True, out=tmp_path / "run")


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_files_of_a_run(settings):
    result = run(answer_by_hash, settings)
    names = {path.relative_to(settings.out).as_posix() for path in settings.out.rglob("*") if path.is_file()}
    predictions = {f"predictions/{task}.jsonl" for task in TASKS_USED}
    assert names - {".lock"} == {"run.json", "scores.jsonl", "summary.json", "timings.jsonl"} | predictions
    manifest = json.loads((settings.out / "run.json").read_text("utf-8"))
    assert manifest["signature"].startswith("longbench|tasks:3|data:unofficial|prompts:sha256-")
    assert manifest["invocations"][0]["rows"] == 18
    assert len(lines(settings.out / "timings.jsonl")) == 18
    values = [row["score"] for row in lines(settings.out / "scores.jsonl")]
    assert values == [s.value for task in result.summary.tasks.values() for s in task.scores]


def test_a_prediction_begins_with_the_official_four_keys_and_has_no_clock_time(settings):
    run(answer_by_hash, settings)
    row = lines(settings.out / "predictions" / "qasper.jsonl")[0]
    assert list(row)[:5] == ["pred", "answers", "all_classes", "length", "_id"]
    assert not {"latency_s", "finished_at"} & set(row)


def test_rows_that_share_a_context_are_asked_together_and_written_in_file_order(settings):
    asked = []

    def model(request):
        asked.append(request.example_id)
        return "x"

    run(model, replace(settings, tasks=("qasper",)))
    ids = [row["_id"] for row in rows_of("qasper", 6)]
    assert asked == [ids[i] for i in (0, 3, 1, 4, 2, 5)]
    assert [row["_id"] for row in lines(settings.out / "predictions" / "qasper.jsonl")] == ids


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"limit": 2}, "limit: None there, 2 now"),
        ({"tasks": ("qasper",)}, "tasks: "),
        ({"chat": "never"}, "chat: 'official' there, 'never' now"),
        ({"truncate": "left"}, "truncate: 'middle' there, 'left' now"),
        ({"deterministic": True}, "deterministic: False there, True now"),
    ],
)
def test_other_settings_are_refused_by_name_and_nothing_changes(settings, change, named):
    run(answer_by_hash, settings)
    before = {path: path.read_bytes() for path in settings.out.rglob("*") if path.is_file()}
    with pytest.raises(RunError, match=named):
        run(answer_by_hash, replace(settings, **change))
    assert {path: path.read_bytes() for path in settings.out.rglob("*") if path.is_file()} == before


def test_changed_rows_are_another_run(settings):
    run(answer_by_hash, settings)
    file = settings.data / "data" / "qasper.jsonl"
    file.write_text(file.read_text("utf-8").replace("context 1", "contents 1"), encoding="utf-8")
    with pytest.raises(RunError, match=r"data\.qasper"):
        run(answer_by_hash, settings)


def test_without_a_name_the_same_settings_find_their_run_again(settings, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    run(answer_by_hash, settings)
    model, unnamed = f"replay:{settings.out}", replace(settings, out=None)
    first = run(model, unnamed).directory
    assert run(model, unnamed).directory == first
    assert run(model, replace(unnamed, limit=1)).directory != first


def test_a_function_s_run_needs_a_name(settings):
    with pytest.raises(UsageError, match="RunSettings\\(out="):
        run(answer_by_hash, replace(settings, out=None))


@pytest.mark.parametrize("model", [5, None, object()])
def test_what_cannot_be_called_is_refused(settings, model):
    with pytest.raises(UsageError, match="give a function"):
        run(model, settings)


def test_a_tokenizer_goes_with_a_function(settings):
    with pytest.raises(UsageError, match="has its own"):
        run("smollm2", settings, tokenizer=5)


def test_a_wrong_model_name_is_told_before_rows_are_read(settings):
    with pytest.raises(UsageError, match="'smollm2'"):
        run("smolm2", replace(settings, data="nowhere"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"tasks": "qasper"}, "give a tuple"),
        ({"tasks": ()}, "No task is named"),
        ({"limit": 1.5}, "limit is 1.5"),
        ({"max_input_tokens": 20.5}, "max_input_tokens is 20.5"),
    ],
)
def test_impossible_settings(settings, wrong, said):
    with pytest.raises(UsageError, match=said):
        run(answer_by_hash, replace(settings, **wrong))


def test_strings_are_taken_for_paths(settings):
    named = replace(settings, out=str(settings.out), data=str(settings.data), tasks=["qasper"])
    assert run(answer_by_hash, named).directory == settings.out


def test_a_run_killed_before_its_manifest_was_written_can_go_on(settings):
    settings.out.mkdir()
    for leftover in (".lock", ".run.json.x8y2.tmp"):
        (settings.out / leftover).touch()
    run(answer_by_hash, settings)
    assert not list(settings.out.glob(".run.json.*"))


def test_a_torn_timing_is_dropped(settings):
    run(answer_by_hash, settings)
    file = settings.out / "timings.jsonl"
    file.write_bytes(file.read_bytes()[:-9])
    run(answer_by_hash, settings)
    assert len(lines(file)) == 17


def test_a_line_damaged_in_the_middle_is_named_with_the_remedy(settings):
    run(answer_by_hash, settings)
    file = settings.out / "predictions" / "qasper.jsonl"
    file.write_bytes(file.read_bytes().replace(b'{"pred"', b"{", 1))
    with pytest.raises(RunError, match=r"qasper\.jsonl, line 1: .* Delete that line"):
        run(answer_by_hash, settings)


def test_a_torn_last_line_is_repaired(settings):
    run(answer_by_hash, settings)
    file = settings.out / "predictions" / "samsum.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-7])
    run(answer_by_hash, settings)
    assert file.read_bytes() == whole


def test_failed_rows_are_values_counted_and_asked_again(settings):
    broken = {row["_id"] for row in rows_of("qasper", 6)[:2]}

    def answer_by_hash_or_not(request):
        if request.example_id in broken:
            return Completion(request.example_id, "", error=Failure("timeout", "no answer within 5 s"))
        return answer_by_hash(request)

    model = CallableModel(answer_by_hash_or_not, name="m")
    summary = run(model, settings).summary
    assert summary.failed == 2
    assert summary.tasks["qasper"].counts.failed == 2
    assert lines(settings.out / "predictions" / "qasper.jsonl")[0]["error"]["kind"] == "timeout"
    broken.clear()
    assert run(model, settings).summary.failed == 0
    assert len(lines(settings.out / "predictions" / "qasper.jsonl")) == 6


def test_a_lone_surrogate_in_an_answer_is_kept(settings):
    run(lambda request: "a\ud800b\u2028c\0", replace(settings, tasks=("qasper",)))
    assert lines_pred(settings) == {"a\ud800b\u2028c\0"}


def lines_pred(settings: RunSettings) -> set[str]:
    data = (settings.out / "predictions" / "qasper.jsonl").read_bytes()
    return {json.loads(line)["pred"] for line in data.split(b"\n") if line}


@pytest.mark.parametrize("content", ["folder", "file"])
def test_a_place_that_is_no_run_is_left_alone(settings, content):
    if content == "file":
        settings.out.write_text("mine")
    else:
        settings.out.mkdir()
        (settings.out / "thesis.tex").write_text("mine")
    with pytest.raises(RunError, match="--out"):
        run(answer_by_hash, settings)


def _hold(path: str, ready, done) -> None:
    from filelock import FileLock

    with FileLock(path):
        ready.set()
        done.wait(20)


def test_two_processes_do_not_write_to_one_run(settings):
    run(answer_by_hash, settings)
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    holder = context.Process(target=_hold, args=(str(settings.out / ".lock"), ready, done))
    holder.start()
    try:
        assert ready.wait(20)
        with pytest.raises(RunError, match="Another process"):
            run(answer_by_hash, settings)
    finally:
        done.set()
        holder.join()


FULL_DISK = """
import resource, sys
from longbench_eval.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
sys.argv = ["longbench-eval", *sys.argv[1:]]
main()
"""


@pytest.fixture
def replay(settings) -> list[str]:
    """The command that replays a recorded run over the same rows, without its program name."""
    run(answer_by_hash, settings)
    tasks, data = ",".join(TASKS_USED), str(settings.data)
    return ["run", "--model", f"replay:{settings.out}", "--tasks", tasks, "--data", data, "--allow-unofficial"]


def test_a_full_disk_is_one_message_and_keeps_what_is_there(settings, replay, tmp_path):
    out = tmp_path / "replayed"
    full = subprocess.run([sys.executable, "-c", FULL_DISK, *replay, "--out", out], capture_output=True, text=True)
    assert full.returncode == 1
    assert "Traceback" not in full.stderr
    assert "No space is left" in full.stderr
    assert "rows are kept in" in full.stderr
    subprocess.run([sys.executable, "-m", "longbench_eval", *replay, "--out", out], check=True, capture_output=True)
    for task in TASKS_USED:
        again = lines(out / "predictions" / f"{task}.jsonl")
        assert [row["pred"] for row in again] == [
            row["pred"] for row in lines(settings.out / "predictions" / f"{task}.jsonl")
        ]


def test_ctrl_c_keeps_rows_and_says_how_to_go_on(replay, tmp_path):
    out = tmp_path / "replayed"
    command = [sys.executable, "-m", "longbench_eval", *replay, "--out", str(out)]
    command[5] += ",delay=0.3"
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not (out / "predictions").is_dir():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "of 18 rows are kept in" in said
    assert "Go on with: longbench-eval run --model" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("run.json", ""),
        ("run.json", "[]"),
        ("run.json", '{"format": 9}'),
        ("run.json", '{"format": 1, "suite": "longbench", "identity": 5, "signature_choices": [1]}'),
        ("summary.json", "null"),
        ("summary.json", '{"averages": []}'),
    ],
)
def test_a_broken_run_hides_no_other(settings, tmp_path, file, content):
    run(answer_by_hash, settings)
    run(answer_by_hash, replace(settings, out=tmp_path / "broken"))
    (tmp_path / "broken" / file).write_text(content)
    broken, whole = list_runs(tmp_path)
    assert (bool(broken.problem), broken.rows, whole.rows) == (file == "run.json", 18, 18)
    assert list_runs(settings.out) == [whole]
    if broken.problem:
        with pytest.raises(RunError, match=r"run\.json"):
            score(tmp_path / "broken")


def test_a_run_that_is_written_is_not_removed(settings):
    run(answer_by_hash, settings)
    with locked(settings.out), pytest.raises(RunError, match="Another process"):
        remove_run(settings.out)
    assert settings.out.exists()


def test_listing_and_removing(settings, tmp_path, monkeypatch):
    run(answer_by_hash, settings)
    (found,) = list_runs(tmp_path)
    assert (found.path, found.rows, found.planned_rows, found.overall) == (settings.out, 18, 18, None)
    with pytest.raises(RunError, match="no run directory"):
        remove_run(settings.data)
    monkeypatch.chdir(settings.out)
    remove_run(Path())
    assert list_runs(tmp_path) == []
    with pytest.raises(RunError, match="is no folder"):
        list_runs(settings.out)
    assert settings.data.exists()


def test_scoring_the_directory_gives_the_run_s_own_scores(settings):
    result = run(answer_by_hash, settings)
    for path in (settings.out, settings.out / "predictions"):
        assert with_intervals(score(path)).to_json(rows=True) == result.summary.to_json(rows=True)


def test_an_object_that_cannot_be_asked_is_told_how(settings):
    class Transformer:
        def generate(self, input_ids): ...

        def __call__(self): ...

    with pytest.raises(UsageError, match="give a function that takes a request"):
        run(Transformer(), settings)
