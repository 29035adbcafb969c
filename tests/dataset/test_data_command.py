import json

import pytest
from click.testing import CliRunner
from fake_longbench import SHARED, encode, make_rows, needs_shared, write

from longbench_eval.cli import data
from longbench_eval.dataset import pull as pulling
from longbench_eval.errors import DataError, UsageError


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "80")

    def call(*arguments):
        result = CliRunner().invoke(data.data, [str(argument) for argument in arguments])
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.output

    return call


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "f" / "qasper.jsonl", encode(make_rows(3)))
    return tmp_path / "f"


def test_verify_names_the_first_bad_row_and_exits_1(call, folder):
    code, output = call("verify", folder)
    assert code == 1
    assert "qasper_e" in output
    assert "row 0 (line 1) is different" in " ".join(output.split())
    assert "templates: absent" in output
    assert max(map(len, output.splitlines())) <= 80


def test_verify_prints_json(call, folder):
    code, output = call("verify", folder, "--suite", "longbench", "--json")
    assert code == 1
    files = {file["stem"]: file for file in json.loads(output)["files"]}
    assert len(files) == 21
    assert (files["qasper"]["state"], files["qasper"]["proof"], files["qasper"]["rows"]) == (
        "different",
        "unofficial",
        3,
    )
    assert files["qasper"]["difference"]["row"] == 0
    assert files["trec"]["state"] == "absent"


def test_absent_files_are_no_failure(call, folder):
    code, output = call("verify", folder, "--suite", "longbench-e")
    assert code == 0
    assert "absent" in output


def test_another_template_file_is_a_failure(call, folder):
    write(folder / "config" / "dataset2prompt.json", b"{}")
    code, output = call("verify", folder, "--suite", "longbench-e", "--json")
    assert code == 1
    assert json.loads(output)["templates"]["state"] == "different"


def test_mistakes_are_errors_of_this_package(call, folder, tmp_path):
    with pytest.raises(UsageError, match="Did you mean 'longbench-e'"):
        call("verify", folder, "--suite", "longbench-r")
    for command in ("verify", "ls"):
        with pytest.raises(DataError, match="longbench-eval data pull"):
            call(command)
        with pytest.raises(DataError, match="holds no LongBench files"):
            call(command, tmp_path)


def test_ls_lists_what_is_there(call, folder):
    code, output = call("ls", folder)
    assert code == 0
    assert output.split()[-5:] == ["qasper", "3", "0.0", "MB", "unofficial"]
    code, output = call("ls", folder, "--json")
    assert [(file["stem"], file["proof"]) for file in json.loads(output)["files"]] == [("qasper", "unofficial")]


def test_pull_passes_its_options_on_and_counts(call, tmp_path, monkeypatch):
    asked = []

    def fake_pull(destination, *, repository, progress):
        asked.append((destination, repository))
        progress("fetching")
        return [pulling.Pulled(tmp_path / "a", "fetched"), pulling.Pulled(tmp_path / "b", "kept")]

    monkeypatch.setattr(pulling, "pull", fake_pull)
    code, output = call("pull", "--to", tmp_path, "--repository", "a/b")
    assert (code, asked) == (0, [(tmp_path, "a/b")])
    assert output.splitlines() == ["fetching", "2 files in place: 1 fetched, 1 already there and right."]


@needs_shared
def test_verify_of_original_files(call):
    code, output = call("verify", SHARED)
    assert code == 0
    assert output.count("the official file") == 3
    assert "templates: exact" in output
    assert call("verify", SHARED / "samples")[0] == 1
