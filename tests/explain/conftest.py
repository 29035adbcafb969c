"""The command line, called in the process."""

import sys

import pytest

from longbench_eval.cli import main


@pytest.fixture
def cli(capsys, monkeypatch, tmp_path):
    """Run a command line in an empty folder; returns exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["longbench-eval", *map(str, words)])
        with pytest.raises(SystemExit) as leaving:
            main()
        said = capsys.readouterr()
        return leaving.value.code or 0, said.out, said.err

    return call
