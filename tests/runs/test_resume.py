"""A run that is killed again and again ends as if nothing had happened."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from longbench_eval import RunSettings, run
from longbench_eval.errors import DataError, RunError
from samples import ROWS_A_TASK, TASKS_USED, answer_by_hash, write_sample_data

SILENT = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> Path:
    """An undisturbed run over synthetic rows, to be replayed."""
    home = tmp_path_factory.mktemp("recorded")
    write_sample_data(home / "data")
    run(answer_by_hash, settings_of(home))
    return home


def settings_of(home: Path) -> RunSettings:
    return RunSettings(tasks=TASKS_USED, data=home / "data", allow_unofficial=True, out=home / "run")


def command(home: Path, out: Path, delay_s: float) -> list[str]:
    options = ["--tasks", ",".join(TASKS_USED), "--data", str(home / "data"), "--allow-unofficial", "--out", str(out)]
    model = f"replay:{home / 'run'},delay={delay_s}"
    return [sys.executable, "-m", "longbench_eval", "run", "--model", model, *options]


def predictions(run_directory: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted((run_directory / "predictions").glob("*"))}


def comparable(run_directory: Path) -> dict[str, list[tuple[str, str]]]:
    rows = {name: map(json.loads, data.splitlines()) for name, data in predictions(run_directory).items()}
    return {name: [(row["_id"], row["pred"]) for row in found] for name, found in rows.items()}


def test_fifty_kills_leave_the_bytes_of_an_undisturbed_run(recorded, tmp_path):
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    subprocess.run(command(recorded, undisturbed, 0), check=True, capture_output=True)
    dice, landed = random.Random(2308), 0
    for _ in range(50):
        process = subprocess.Popen(
            command(recorded, killed, 0.02), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(dice.uniform(0.25, 0.55))
        landed += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(command(recorded, killed, 0), check=True, capture_output=True)
    assert landed >= 10, "the kills came after the end: the rows are too few or the delay too short"
    assert predictions(killed) == predictions(undisturbed)
    assert comparable(killed) == comparable(recorded / "run")
    assert [len(rows) for rows in comparable(killed).values()] == [ROWS_A_TASK] * len(TASKS_USED)
    assert not list(killed.rglob("*.tmp")), "a killed writer's temporary file is left"


def test_a_finished_run_is_not_asked_again(recorded):
    before = predictions(recorded / "run")
    run(answer_by_hash, settings_of(recorded))
    invocations = json.loads((recorded / "run" / "run.json").read_text("utf-8"))["invocations"]
    assert [one["rows"] for one in invocations] == [ROWS_A_TASK * len(TASKS_USED), 0]
    assert predictions(recorded / "run") == before


def test_another_function_of_the_same_name_is_another_model(recorded):
    def answer_by_hash(request):
        return "x"

    with pytest.raises(RunError, match=r"model\.code_sha256"):
        run(answer_by_hash, settings_of(recorded))


def test_a_data_file_that_changes_underway_ends_the_run_and_loses_nothing(recorded, tmp_path):
    write_sample_data(tmp_path / "data")
    file, settings = tmp_path / "data" / "data" / "samsum.jsonl", settings_of(tmp_path)
    original = file.read_bytes()
    changes = [original.replace(b"question 0", b"another question")]

    def answer(request):
        if changes:
            file.write_bytes(changes.pop())
        return answer_by_hash(request)

    with pytest.raises(DataError, match=r"samsum\.jsonl has another line 1 now: it was changed") as told:
        run(answer, settings)
    assert " of 120 rows are kept in" in told.value.__notes__[-1]
    assert set(predictions(settings.out)) >= {"qasper.jsonl"}
    file.write_bytes(original)
    run(answer, settings)
    assert predictions(settings.out) == predictions(recorded / "run")
