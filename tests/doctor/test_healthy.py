"""Nothing is wrong, and nothing is said to be."""

import json

import pytest
from toy_server import Toy

from longbench_eval import RunSettings
from longbench_eval.doctor import examine
from longbench_eval.models.base import ServerOptions
from samples import write_sample_data

HEALTHY = {
    "ids": Toy(),
    "text": Toy(takes_ids=False),
    "its own account of the tokens": Toy(tells_ids=True),
    "a template that nobody shows": Toy(shows_template=False),
    "no tokenizer": Toy(tokenizes=False),
    "no counts": Toy(counts=False),
    "llama.cpp": Toy(kind="llamacpp"),
    "llama.cpp, BOS not in the template": Toy(kind="llamacpp", template_bos=0),
    "a base model": Toy(chat=False),
    "a base model that runs on": Toy(chat=False, short="Paris. Question: What is the capital of Spain? " * 3),
}


CHECKS = ["server", "name", "completions", "chat", "window", "tokens", "BOS", "end of turn", "agreement", "silent cut"]
CHECKS += ["speed", "data", "size", "time"]


@pytest.mark.parametrize("kind", HEALTHY)
def test_no_problem(patient, kind):
    report = patient(HEALTHY[kind])
    assert [finding for finding in report.findings if finding.level == "problem"] == []
    assert report.healthy


def test_every_check_of_a_healthy_server_has_its_line(patient, tmp_path):
    data = write_sample_data(tmp_path / "data", n=3)
    tasks = ("qasper", "samsum")
    report = patient(Toy(), data=data, allow_unofficial=True, tasks=tasks)
    checks = [
        "server",
        "name",
        "completions",
        "chat",
        "window",
        "tokens",
        "BOS",
        "agreement",
        "speed",
        "data",
        "size",
        "time",
    ]
    levels = {finding.check: finding.level for finding in report.findings}
    assert levels == dict.fromkeys([*checks, "end of turn", "silent cut"], "ok")


def test_few_and_tiny_requests(patient):
    toy = Toy()
    patient(toy)
    sizes = [len(body.get("prompt") or body["messages"][0]["content"]) for body in toy.seen]
    assert len(sizes) == 7, "two of the meeting, one short, two equal, one page, one long"
    assert sum(size > 500 for size in sizes) == 1
    assert 3300 < max(sizes) <= 3500, "as long as M, and no longer"
    assert [body["max_tokens"] for body in toy.seen] == [1, 1, 64, 48, 48, 1, 1]
    assert all(body["temperature"] == 0 for body in toy.seen)


def test_what_no_task_needs_is_not_asked(patient):
    """A base model behind a server that makes up a chat template."""
    toy = Toy(short="Paris.<|im_end|>")
    report = patient(toy, chat="never")
    assert report.healthy
    assert ["messages" in body for body in toy.seen] == [False, True] + [False] * 5, "one chat, when they meet"
    assert patient(Toy(short="Paris.<|im_end|>"), tasks=("trec",)).healthy


def test_quick_sends_no_long_prompt(patient):
    toy = Toy()
    patient(toy, quick=True)
    assert len(toy.seen) == 6


def test_the_long_prompt_is_no_longer_than_the_rows(patient, tmp_path):
    data = write_sample_data(tmp_path / "data", n=3)
    template = {"qasper": "Read." + "x" * 1800 + "{context}{input}"}
    (data / "config" / "dataset2prompt.json").write_text(json.dumps(template), "utf-8")
    toy = Toy()
    patient(toy, data=data, allow_unofficial=True, tasks=("qasper",))
    assert 1700 < len(toy.seen[-1]["messages"][0]["content"]) < 1900


@pytest.mark.model
def test_the_embedded_model(smollm2):
    report = examine("smollm2", RunSettings(suite="demo", tasks=("qasper",), max_input_tokens=700), quick=True)
    assert report.healthy
    levels = {finding.check: finding.level for finding in report.findings}
    assert levels["BOS"] == levels["end of turn"] == levels["agreement"] == levels["speed"] == "ok"
    assert report.estimate.low_s < report.estimate.high_s


@pytest.mark.model
def test_a_real_llama_cpp_server(smollm2):
    server = ServerOptions(base_url=smollm2._server.listening_address)
    settings = RunSettings(suite="demo", tasks=("qasper", "samsum"), max_input_tokens=900, server=server)
    report = examine("openai:smollm2", settings)
    assert report.healthy, report.findings
    levels = {finding.check: finding.level for finding in report.findings}
    assert {levels[check] for check in ("BOS", "tokens", "end of turn", "agreement", "speed", "completions")} == {"ok"}
    assert levels["name"] == "notice", "llama.cpp answers to any name"
