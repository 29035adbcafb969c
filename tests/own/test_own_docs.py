"""The example of docs/own-tasks.md, and the commands over it, work as they stand there."""

import json
import re
import shlex
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from longbench_eval import load_task, run, score
from longbench_eval.metrics import METRICS
from longbench_eval.own.load import _FILE_FIELDS
from longbench_eval.runs import RunSettings

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "own-tasks.md").read_text("utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines()]


@pytest.fixture
def example(tmp_path):
    """The example's files, in the folder that commands run in."""
    (tmp_path / "minutes.toml").write_text(blocks("toml")[0], "utf-8")
    (tmp_path / "minutes.jsonl").write_text(blocks("json")[0], "utf-8")
    return tmp_path / "minutes.toml"


@pytest.fixture
def done(example, tmp_path):
    settings = RunSettings(tasks=("minutes",), own_tasks=(example,), out=tmp_path / "RUN")
    return run(lambda request: "Tom", settings)


def test_the_example_is_scored(example, done):
    assert done.summary.tasks["minutes"].score == 50.0
    assert load_task(example).examples[1].answers == ("the beds by the fence", "those by the fence")


def test_the_snippet(example, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(blocks("python")[0], {"my_model": lambda request: "by the fence", "my_tokenizer": None})
    assert capsys.readouterr().out == "40.0\n"


@pytest.mark.parametrize("line", [line for line in COMMANDS if " score " in line])
def test_scoring_commands(cli, done, tmp_path, line):
    if "FOLDER" in line:
        (tmp_path / "RUN" / "predictions").rename(tmp_path / "FOLDER")
    code, out, _ = cli(*shlex.split(line, comments=True)[1:])
    assert code == 0
    assert re.search(r"^minutes +2 +50\.00", out, re.MULTILINE)


def test_the_prompt_command(cli, example):
    [line] = [line for line in COMMANDS if " prompt " in line]
    code, out, _ = cli(*shlex.split(line, comments=True)[1:])
    assert code == 0
    assert out == (
        "These are the minutes of a meeting.\n\nMara opened the meeting. The beds by the fence stay empty. "
        "Tom buys the seeds before May.\n\nAnswer in a few words: Who buys the seeds?\nAnswer:\n"
    )


@pytest.mark.model
def test_the_run_command(cli, example, tmp_path):
    [line] = [line for line in COMMANDS if line.split("#")[0].rstrip().endswith("--tasks minutes")]
    code, out, _ = cli(*shlex.split(line, comments=True)[1:], "--json")
    assert code == 0
    assert json.loads(out)["own_tasks"]["minutes"]["n"] == 2


def test_the_table_has_every_field_and_metric():
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == list(
        dict.fromkeys(["name", "template", "template_file", "data", *_FILE_FIELDS])
    )
    [metrics] = re.findall(r"^\| `metric` \| (.*?) \|", PAGE, re.MULTILINE)
    assert re.findall(r"`(\w+)`", metrics) == list(METRICS)


def test_the_scores_fit_the_schema(done):
    [schema] = re.findall(r"```json\n(.*?)```", (DOCS / "scores-schema.md").read_text("utf-8"), re.DOTALL)
    check = Draft202012Validator(json.loads(schema))
    check.validate(json.loads((done.directory / "summary.json").read_text("utf-8")))
    check.validate(score(done.directory).to_json(rows=True))
    wrong = score(done.directory).to_json()
    wrong["tasks"] = wrong.pop("own_tasks")
    assert list(check.iter_errors(wrong)), "the official tasks are told apart"
