"""Every command and option, called as a user calls it."""

import json

import pytest

from longbench_eval.tasks import TASKS
from samples import options


def test_run_prints_a_table_the_signature_and_where_the_run_is(cli, data, recorded):
    code, out, _ = cli("run", "--model", f"replay:{recorded}", *options(data))
    assert code == 0
    assert "qasper" in out
    assert "longbench|tasks:3|data:unofficial|" in out
    assert "run: runs" in out
    assert max(len(line) for line in out.splitlines() if "|" not in line) <= 80


def test_run_with_every_option(cli, data, recorded, tmp_path):
    templates = data / "config" / "dataset2prompt.json"
    more = ["--suite", "longbench", "--limit", 2, "--templates", templates, "--out", tmp_path / "here"]
    more += ["--truncate", "left", "--chat", "never", "--deterministic", "--json"]
    code, out, _ = cli("run", "--model", f"replay:{recorded}", *options(data), *more)
    shape = json.loads(out)
    assert code == 0
    assert shape["run"] == str(tmp_path / "here")
    assert shape["tasks"]["qasper"].pop("interval")[1] == 100.0
    assert shape["tasks"]["qasper"].pop("cut")["rows"] == 0
    assert shape["tasks"]["qasper"] | {"warnings": []} == {
        "score": 100.0,
        "n": 2,
        "expected_n": 200,
        "warnings": [],
        "failed": 0,
        "truncated": 0,
        "empty": 0,
        "capped": 0,
        "unfinished": 0,
        "standard_error": 0.0,
    }
    assert "|limit:2|" in shape["signature"]
    assert "|chat:never" in shape["signature"]


def test_failed_rows_exit_with_3(cli, data, recorded):
    lines = (recorded / "samsum.jsonl").read_text("utf-8").splitlines(keepends=True)
    (recorded / "samsum.jsonl").write_text("".join(lines[1:]), encoding="utf-8")
    code, out, _ = cli("run", "--model", f"replay:{recorded}", *options(data))
    assert code == 3
    assert "1 rows have no answer" in " ".join(out.split())


def test_prompt_prints_what_a_run_sends(cli, data):
    code, out, _ = cli("prompt", "qasper", 1, *options(data))
    assert code == 0
    assert out == "Read.\ncontext 1 of qasper: the answers are here. 上下文\nAsk: question 1 of qasper?\nSay:\n"


def test_prompt_finds_a_row_by_its_id(cli, data):
    row = json.loads((data / "data" / "qasper.jsonl").read_text("utf-8").splitlines()[1])
    assert cli("prompt", "qasper", row["_id"], *options(data)) == cli("prompt", "qasper", 1, *options(data))


def test_score_text_rows_and_several_paths(cli, recorded):
    code, out, _ = cli("score", recorded, recorded, "--json", "--rows", "--profile", "official-levenshtein")
    first, second = json.loads(out)
    assert code == 0
    assert first == second
    assert len(first["tasks"]["qasper"]["rows"]) == 6
    assert "|profile:official-levenshtein|edit:levenshtein|" in first["signature"]
    assert "qasper" in cli("score", recorded)[1]


def test_runs_ls_and_rm(cli, data, recorded):
    _, out, _ = cli("run", "--model", f"replay:{recorded}", *options(data))
    run = out.rsplit("run: ", 1)[1].split()[0]
    assert run in cli("runs", "ls")[1]
    (shape,) = json.loads(cli("runs", "ls", "runs", "--json")[1])
    assert (shape["path"], shape["rows"], shape["planned_rows"]) == (run, 18, 18)
    assert cli("runs", "rm", "--yes", run)[0] == 0
    assert "no runs" in cli("runs", "ls")[1]


@pytest.mark.parametrize("task", TASKS)
def test_tasks_names_are_never_shortened(cli, task):
    assert task in cli("tasks")[1].split()


def test_tasks_in_every_form(cli):
    assert len(json.loads(cli("tasks", "--json")[1])) == 21
    assert cli("tasks", "--markdown")[1].count("\n") == 23
    assert "minilongbench" in cli("tasks", "--suites")[1]
    assert {
        suite["name"]: sum(suite["rows"].values()) for suite in json.loads(cli("tasks", "--suites", "--json")[1])
    } == {
        "longbench": 4750,
        "longbench-e": 3668,
        "minilongbench": 237,
        "demo": 42,
    }


def test_version_and_help(cli):
    assert cli("--version")[1].startswith("longbench-eval 0.")
    code, out, _ = cli("--help")
    assert code == 0
    assert "score" in out


def test_models_ls_names_the_embedded_one(cli):
    assert "smollm2: SmolLM2-135M-Instruct" in cli("models", "ls")[1]


def test_all_profiles_side_by_side(cli, recorded):
    shape = json.loads(cli("score", recorded, "--json", "--profile", "all")[1])
    assert list(shape) == ["official", "official-levenshtein", "lm-eval", "opencompass", "kvpress"]
    assert {one["profile"] for one in shape.values()} == set(shape)
    out = cli("score", recorded, "--profile", "all")[1]
    assert all(name in out for name in ("qasper", "lm-eval", "flat-21", "profile:kvpress"))


def test_rows_without_json_are_lines_with_evidence(cli, recorded):
    code, out, _ = cli("score", recorded, "--rows")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert len(lines) == 18
    assert lines[0]["evidence"]["words"] == {"answer": 1, "0": 1}
    assert cli("score", recorded, "--rows", "--profile", "all")[0] == 1


def test_thinking_is_stripped_when_asked_for(cli, recorded):
    path = recorded / "qasper.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for row in rows[:4]:
        row["pred"] = f"<think>hm</think>\n\n{row['pred']}"
    rows[4]["pred"] = "<think>hm, but then"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    kept, stripped = (json.loads(cli("score", path, "--json", *more)[1]) for more in ([], ["--strip-thinking"]))
    assert kept["tasks"]["qasper"]["score"] < stripped["tasks"]["qasper"]["score"] == 83.33
    assert "|thinking:stripped|" in stripped["signature"]
    assert "thinking" not in kept["signature"]
    assert any("1 of 6 answers are unfinished thinking" in said for said in stripped["tasks"]["qasper"]["warnings"])
    assert "unfinished" in cli("score", path, "--strip-thinking")[1]
    first = json.loads(cli("score", path, "--strip-thinking", "--rows")[1].splitlines()[0])
    assert first["extracted"] == "answer 0"


def test_a_budget_for_thinking_is_written_in_two_words(cli, data, recorded):
    model = ["--model", f"replay:{recorded}", *options(data)]
    signature = json.loads(cli("run", *model, "--thinking", "budget", 64, "--system", "Be brief.", "--json")[1])[
        "signature"
    ]
    assert "|thinking:64|" in signature
    assert "|system:sha256-" in signature
    again = json.loads(cli("run", *model, "--thinking=budget 64", "--system", "Be brief.", "--json")[1])
    assert again["signature"] == signature
    code, _, err = cli("run", *model, "--thinking", "on")
    assert (code, "expected auto, off, or budget N" in err) == (1, True)
