"""`longbench-eval doctor`, called as a user calls it."""

import json

import pytest
from toy_server import Toy

from fault_server import Behaviour, fault_server
from own_samples import write_task
from samples import TASKS_USED, write_sample_data


@pytest.fixture
def toy():
    return Toy()


@pytest.fixture
def address(toy):
    told = Behaviour()
    toy.install(told)
    with fault_server(told) as address:
        yield address


def test_every_option(cli, toy, address, tmp_path, monkeypatch):
    data = write_sample_data(tmp_path / "data", n=3)
    monkeypatch.setenv("MY_KEY", "sk-123")
    tokenizer = tmp_path / "none.json"
    words = ["--base-url", f"{address}/v1", "--api-key-env", "MY_KEY", "--window", 2048, "--concurrency", 3]
    words += ["--timeout", 90, "--tasks", ",".join(TASKS_USED), "--data", data, "--allow-unofficial", "--limit", 2]
    words += ["--templates", data / "config" / "dataset2prompt.json", "--max-input-tokens", 1800, "--chat", "official"]
    words += ["--tokenizer", tokenizer, "--suite", "longbench", "--price", "1,2", "--quick"]
    code, out, err = cli("doctor", "--model", "openai:toy", *words)
    assert code == 0, out + err
    assert "no problem" in out
    assert "prompts are cut to M = 1800 tokens" in " ".join(out.split())
    assert "with 3 requests at once" in " ".join(out.split())
    assert "6 rows" in out
    assert "between $" in out
    assert "sk-123" not in out + err
    assert "asking a short question" in err
    assert max(map(len, out.splitlines())) <= 80


def test_json_and_the_exit_code_of_a_problem(cli, toy, address):
    toy.chat_bos = 2
    code, out, _ = cli("doctor", "--model", "openai:toy", "--base-url", address, "--json")
    assert code == 1
    report = json.loads(out)
    assert (report["model"], report["healthy"]) == ("openai:toy", False)
    [finding] = [finding for finding in report["findings"] if finding["level"] == "problem"]
    assert finding.keys() == {"check", "level", "message", "remedy"}
    assert finding["check"] == "BOS"
    assert report["estimate"]["rows"] == 4750


def test_the_table_shows_the_remedy(cli, toy, address):
    toy.completions = False
    toy.install(told := Behaviour())
    with fault_server(told) as other:
        code, out, err = cli("doctor", "--model", "openai:toy", "--base-url", other)
    assert code == 1
    assert "-> Serve the model with something that has /v1/completions" in out
    assert "1 problem, 1 notice: mend before the run" in out
    assert "Traceback" not in err


MISTAKES = [
    (["--model", "openai:toy"], "needs --base-url"),
    (["--base-url", "http://127.0.0.1:1"], "add --model"),
    (["--price", "1,2"], "add --model"),
    (["--quick"], "add --model"),
    (["--model", "opnai:toy"], "no model 'opnai:...'"),
    (["--model", "smollm2", "--price", "cheap"], "--price is 'cheap'"),
    (["--model", "smollm2", "--suite", "longbnch"], "Did you mean 'longbench'?"),
    (["--model", "smollm2", "--tasks", "qaspr"], "Did you mean 'qasper'?"),
    (["--model", "smollm2", "--limit", "0"], "--limit is 0"),
    (["--model", "openai:toy", "--base-url", "http://127.0.0.1:1", "--timeout", "0"], "--timeout is 0"),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES, ids=[" ".join(words[:4]) for words, _ in MISTAKES])
def test_mistakes(cli, monkeypatch, words, said):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    code, _, err = cli("doctor", *words)
    assert code == 1
    assert said in err
    assert "Traceback" not in err


def test_what_a_server_says_cannot_drive_the_terminal(cli, toy):
    toy.short_fails = "\x1b[2Jgone"
    toy.install(told := Behaviour())
    with fault_server(told) as other:
        code, out, _ = cli("doctor", "--model", "openai:toy", "--base-url", other)
    assert code == 1
    assert "[2Jgone" in out
    assert "\x1b" not in out


def test_no_server(cli):
    code, out, err = cli("doctor", "--model", "openai:toy", "--base-url", "http://127.0.0.1:9")
    assert code == 1
    assert "no server answers at http://127.0.0.1:9" in " ".join(out.split())
    assert "Traceback" not in out + err


def test_a_file_that_is_no_model(cli, tmp_path):
    (tmp_path / "broken.gguf").write_bytes(b"GGUF?")
    code, out, err = cli("doctor", "--model", tmp_path / "broken.gguf", "--suite", "demo")
    assert code == 1
    assert "problem" in out
    assert "->" in out
    assert "Traceback" not in out + err


@pytest.fixture
def recorded(tmp_path):
    """A recorded run of two tasks, and the rows of three."""
    data = write_sample_data(tmp_path / "data", n=6)
    folder = tmp_path / "recorded"
    folder.mkdir()
    for task in TASKS_USED[:2]:
        rows = (data / "data" / f"{task}.jsonl").read_text("utf-8").splitlines()
        lines = [json.dumps({"pred": "x", **json.loads(row)}) + "\n" for row in rows]
        (folder / f"{task}.jsonl").write_text("".join(lines), "utf-8")
    return folder, data


def test_a_replay_that_lacks_a_task(cli, recorded):
    folder, data = recorded
    words = ["--model", f"replay:{folder}", "--data", data, "--allow-unofficial"]
    code, out, _ = cli("doctor", *words, "--tasks", ",".join(TASKS_USED))
    assert code == 1
    assert f"no recorded answers to the first rows of {TASKS_USED[2]}" in " ".join(out.split())
    assert f"--tasks {','.join(TASKS_USED[:2])}" in " ".join(out.split())
    code, out, _ = cli("doctor", *words, "--tasks", ",".join(TASKS_USED[:2]))
    assert code == 0
    assert cli("doctor", "--model", f"replay:{folder}")[0] == 0, "without rows nothing is wrong with it"


def test_a_task_of_one_s_own_is_reckoned_too(cli, toy, address, tmp_path):
    data, own = write_sample_data(tmp_path / "data", n=3), write_task(tmp_path)
    words = ["--base-url", f"{address}/v1", "--window", 4096, "--data", data, "--allow-unofficial", "--quick", "--json"]
    sizes = []
    for tasks in ("qasper", "qasper,leases"):
        code, out, err = cli("doctor", "--model", "openai:toy", *words, "--task-file", own, "--tasks", tasks)
        assert code == 0, out + err
        sizes.append(json.loads(out)["estimate"]["rows"])
    assert sizes == [3, 6]
