"""`--task-file` of every command that has it."""

import json

import pytest

from longbench_eval import RunSettings, run
from longbench_eval.metrics import METRICS
from own_samples import write_sorting, write_task
from samples import options, write_sample_data


@pytest.fixture
def recorded(tmp_path):
    """A run of both tasks, to replay."""
    files = (write_task(tmp_path), write_sorting(tmp_path))
    settings = RunSettings(tasks=("leases", "letters"), own_tasks=files, out=tmp_path / "recorded")
    return run(lambda request: "the owner", settings).directory


def test_run_takes_several(cli, tmp_path, recorded):
    files = ["--task-file", tmp_path / "leases.toml", "--task-file", tmp_path / "letters.toml"]
    code, out, _ = cli(
        "run", "--model", f"replay:{recorded}", *files, "--tasks", "letters,leases", "--out", "r", "--json"
    )
    assert code == 0
    assert list(json.loads(out)["own_tasks"]) == ["leases", "letters"]
    code, out, _ = cli("run", "--model", f"replay:{recorded}", *files, "--tasks", "letters,leases", "--out", "r")
    assert code == 0
    assert "tasks of your own, in none of its averages: leases, letters" in " ".join(out.split())
    assert "averages withheld (-): no task of longbench is here" in out


def test_the_tables_show_them_last(cli, tmp_path, recorded):
    code, out, _ = cli("score", recorded, "--intervals")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:3]] == ["leases", "letters"]
    code, out, _ = cli("score", recorded, "--profile", "all")
    assert code == 0
    assert out.count("own:leases@") == 5


def test_score_rows(cli, tmp_path, recorded):
    (recorded / "run.json").unlink()
    code, out, _ = cli("score", recorded, "--rows", "--task-file", tmp_path / "leases.toml")
    assert code == 0
    assert [json.loads(line)["score"] for line in out.splitlines()] == [1.0, 0.0, 0.0]


def test_runs_that_have_them_are_listed_and_compared(cli, tmp_path, recorded):
    code, out, _ = cli("runs", "ls", recorded)
    assert code == 0
    assert "6/6 rows" in out
    code, out, _ = cli("compare", recorded, recorded)
    assert code == 0
    assert "leases" in out


def test_prompt(cli, tmp_path, recorded):
    data = write_sample_data(tmp_path / "data", n=2)
    code, out, _ = cli("prompt", "letters", 1, "--task-file", tmp_path / "letters.toml", *options(data))
    assert (code, out) == (0, "Sort it. letter 1 Kind:\n")


@pytest.mark.parametrize("command", ["run", "score", "prompt"])
def test_a_mistake_is_one_line(cli, tmp_path, recorded, command):
    file = write_task(tmp_path, metric='"qa_f2"')
    words = {
        "run": ["--model", f"replay:{recorded}", "--tasks", "leases"],
        "score": [recorded],
        "prompt": ["leases", 0],
    }[command]
    code, out, err = cli(command, *words, "--task-file", file)
    assert (code, out) == (1, "")
    assert err == f"Error: {file}: There is no metric 'qa_f2'. Did you mean 'qa_f1'? Known: {', '.join(METRICS)}.\n"
