"""The real model, killed and taken up again: under `--deterministic` nothing of it shows."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.model

TASKS = ("samsum", "lcc")


def command(out: Path) -> list[str]:
    options = ["--suite", "demo", "--tasks", ",".join(TASKS), "--deterministic", "--out", str(out)]
    return [sys.executable, "-m", "longbench_eval", "run", "--model", "smollm2", *options]


def predictions(out: Path) -> dict[str, bytes]:
    return {task: (out / "predictions" / f"{task}.jsonl").read_bytes() for task in TASKS}


def test_a_killed_deterministic_run_ends_with_the_same_bytes(undisturbed, tmp_path):
    process = subprocess.Popen(command(tmp_path), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while rows_in(tmp_path) < 2:
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    subprocess.run(command(tmp_path), check=True, capture_output=True)
    assert predictions(tmp_path) == undisturbed


def rows_in(out: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in out.glob("predictions/*.jsonl"))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("undisturbed")
    subprocess.run(command(out), check=True, capture_output=True)
    return predictions(out)
