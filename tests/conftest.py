"""What tests of several packages share: the command line, and the embedded model, loaded once."""

import signal
import sys
from contextlib import closing

import pytest

from longbench_eval.cli import main
from longbench_eval.models import ModelOptions, open_model

# A background job of a shell ignores Ctrl-C, and so would everything that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


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


@pytest.fixture(scope="session")
def smollm2():
    """SmolLM2 with a small context; its file is fetched when it is not in the cache yet."""
    with closing(open_model("smollm2", ModelOptions(max_input_tokens=700, max_new_tokens=64))) as model:
        yield model
