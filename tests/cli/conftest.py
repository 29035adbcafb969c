"""The command line, called in the process, and rows for it."""

import json
import sys

import pytest

from longbench_eval.cli import main
from samples import TASKS_USED, write_sample_data


@pytest.fixture
def cli(capsys, monkeypatch, tmp_path):
    """Run a command line in an empty folder; returns exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path / "cache"))

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["longbench-eval", *map(str, words)])
        with pytest.raises(SystemExit) as leaving:
            main()
        said = capsys.readouterr()
        return leaving.value.code or 0, said.out, said.err

    return call


@pytest.fixture
def data(tmp_path):
    return write_sample_data(tmp_path / "data", n=6)


@pytest.fixture
def recorded(data, tmp_path):
    """A recorded run to replay: every prediction is the row's number."""
    folder = tmp_path / "recorded"
    folder.mkdir()
    for task in TASKS_USED:
        rows = (data / "data" / f"{task}.jsonl").read_text("utf-8").splitlines()
        lines = [json.dumps({"pred": f"answer {i}", **json.loads(row)}) + "\n" for i, row in enumerate(rows)]
        (folder / f"{task}.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder
