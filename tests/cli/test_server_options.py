"""The options of `openai:` models, called as a user calls them."""

import json

import pytest

from fault_server import Behaviour, answer_to, fault_server
from samples import options


@pytest.fixture
def address(monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-123")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with fault_server(Behaviour()) as address:
        yield address


def test_every_option(cli, data, address, tmp_path):
    words = ["--base-url", f"{address}/v1", "--api-key-env", "MY_KEY", "--window", 2048, "--concurrency", 3]
    words += ["--requests-per-minute", 1e6, "--tokens-per-minute", 1e9, "--timeout", 9, "--out", tmp_path / "run"]
    code, out, err = cli("run", "--model", "openai:toy", *options(data), *words, "--json")
    assert code == 0, err
    assert "|trunc:middle@1500|tokens:estimated|" in json.loads(out)["signature"]
    assert "tokens are estimated" in err
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert manifest["settings"]["server"]["concurrency"] == 3
    assert "sk-123" not in json.dumps(manifest)
    # Neither the address nor the pace is part of the identity: the run is found again and has nothing to do.
    other = ["--base-url", f"{address}/", "--api-key-env", "MY_KEY", "--window", 2048, "--out", tmp_path / "run"]
    assert cli("run", "--model", "openai:toy", *options(data), *other)[0] == 0


def test_the_prompt_of_a_server(cli, data, address):
    words = ["--base-url", address, "--max-input-tokens", 20]
    code, out, _ = cli("prompt", "qasper", 1, "--model", "openai:toy", *options(data), *words)
    assert code == 0
    assert "tokens," in out
    assert "characters cut here" in out
    assert answer_to(out)


MISTAKES = [
    (["--model", "openai:toy"], "needs --base-url"),
    (["--model", "openai:"], "openai:NAME"),
    (["--model", "openai:toy", "--base-url", "here"], "must look like"),
    (["--model", "openai:toy", "--base-url", "http://h", "--concurrency", "0"], "--concurrency is 0"),
    (["--model", "openai:toy", "--base-url", "http://h", "--timeout", "-1"], "--timeout is -1"),
    (["--model", "openai:toy", "--base-url", "http://h", "--window", "0"], "--window is 0"),
    (["--model", "replay:x", "--base-url", "http://h"], "--base-url is for openai: models"),
    (["--model", "openai:toy", "--base-url", "http://h", "--api-key-env", "UNSET_KEY"], "not the key"),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES, ids=[said for _, said in MISTAKES])
def test_mistakes(cli, monkeypatch, words, said):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    code, _, err = cli("run", "--suite", "demo", *words)
    assert code == 1
    assert said in err
    assert "Traceback" not in err
