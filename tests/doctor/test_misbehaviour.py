"""One server an ill: each is found, named, and comes with what mends it."""

import socket

import pytest
from toy_server import TALE, Toy, refuse

from longbench_eval import RunSettings
from longbench_eval.doctor import examine
from longbench_eval.models.base import ServerOptions
from samples import write_sample_data


def found(report, check, level="problem"):
    """The one finding of a check at a level."""
    [finding] = [f for f in report.findings if (f.check, f.level) == (check, level)]
    assert finding.remedy or level != "problem"
    return finding


def problems(report):
    return [finding.check for finding in report.findings if finding.level == "problem"]


SIX = "trec, triviaqa, samsum, lsht, lcc, repobench-p"
CHATTY = ("A", "B", "C")
OTHER_TALE = "Once, on an island that no map showed, a keeper counted waves instead of days."

# The server, further settings, the check that must find it, and words of the message and of the remedy.
ILLS = {
    "no completions": (Toy(completions=False), {}, "completions", SIX, "--tasks"),
    "BOS doubled in chat, by count": (Toy(chat_bos=2), {}, "BOS", "chats begin with BOS twice", "add_special_tokens"),
    "BOS doubled in the template": (
        Toy(chat_bos=2, template_bos=2),
        {},
        "BOS",
        "chats begin with BOS twice",
        "chat tem",
    ),
    "BOS doubled in chat, by ids": (
        Toy(chat_bos=2, tells_ids=True),
        {},
        "BOS",
        "chats begin with BOS twice",
        "Take BOS",
    ),
    "BOS doubled in plain text": (
        Toy(takes_ids=False, plain_bos=2),
        {},
        "BOS",
        "plain prompts begin with BOS twice",
        "add",
    ),
    "BOS missing in plain text": (
        Toy(takes_ids=False, plain_bos=0),
        {},
        "BOS",
        "plain prompts lack BOS",
        "add_special",
    ),
    "BOS missing in chat": (Toy(chat_bos=0, template_bos=0), {}, "BOS", "chats lack BOS (token 1)", "chat template"),
    "BOS missing in chat, by ids": (Toy(chat_bos=0, tells_ids=True), {}, "BOS", "chats lack BOS", "chat template"),
    "BOS doubled by llama.cpp": (Toy(kind="llamacpp", chat_bos=2), {}, "BOS", "chats begin with BOS twice", "Take BOS"),
    "BOS missing in llama.cpp": (
        Toy(kind="llamacpp", chat_bos=0, template_bos=0),
        {},
        "BOS",
        "chats lack BOS",
        "template",
    ),
    "end token in the text": (
        Toy(short="Paris.<|im_end|>"),
        {},
        "end of turn",
        "marks of the chat template",
        "eos_token_id",
    ),
    "end token dropped": (
        Toy(short="Paris.assistant\n\nParis." * 9),
        {},
        "end of turn",
        "plays further turns",
        "eot_token",
    ),
    "end token dropped, no full stop": (
        Toy(short="Parisassistant\n\nIt is"),
        {},
        "end of turn",
        "further turns",
        "stop",
    ),
    "no end at all": (Toy(short="Paris! " * 12), {}, "end of turn", "repeats itself", "eos_token_id"),
    "long prompts cut silently": (Toy(reads=2048), {}, "silent cut", "server read 2048", "num_ctx"),
    "wrong count of the tokens": (
        Toy(tokenizes=False, reads=100),
        {},
        "silent cut",
        "read 100",
        "--max-input-tokens 2",
    ),
    "window not told": (Toy(window=None), {}, "window", "not known", "--window N"),
    "window overstated": (Toy(refuses_over=2000), {}, "window", "is refused", "true --window"),
    "a short question is not answered": (Toy(short_fails="out of memory"), {}, "answer", "out of memory", "by hand"),
    "window too small": (Toy(window=300), {}, "window", "No room for a prompt", "larger window"),
    "sampling": (
        Toy(tales=(TALE, OTHER_TALE)),
        {},
        "agreement",
        "from character 1 on, as if it sampled",
        "temperature 0",
    ),
    "too slow": (
        Toy(speeds=(100, 10)),
        {"server": {"timeout_s": 60}},
        "speed",
        "would take about 86 s, and --timeout is 60 s",
        "Give --timeout 172",
    ),
    "no answer to a long prompt": (
        Toy(wait_s=lambda tokens: 3.0 if tokens > 800 else 0),
        {"server": {"timeout_s": 1.0}},
        "long prompt",
        "is not answered in 1 s",
        "--timeout",
    ),
}


@pytest.mark.parametrize("ill", ILLS)
def test_each_ill_is_found_alone(patient, ill):
    toy, more, check, message, remedy = ILLS[ill]
    report = patient(toy, **more)
    finding = found(report, check)
    assert message in finding.message
    assert remedy in finding.remedy
    assert problems(report) == [check], "and nothing else is blamed"
    assert not report.healthy


def test_a_wrong_name(patient):
    finding = found(patient(Toy(listed=("toy", "other")), "tyo"), "name")
    assert finding.message == "the server has no model 'tyo'; it serves 'toy', 'other'"
    assert finding.remedy == "Give --model openai:toy."


def test_an_unlisted_name_that_fails_for_another_reason(patient):
    toy = Toy(listed=("toy:latest",))
    toy.plain = toy.chatting = refuse(400, "the weights are broken")
    assert "the weights are broken" in found(patient(toy), "name").message


@pytest.mark.parametrize(
    ("meant", "given"),
    [
        ("meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b-instruct"),
        ("qwen2.5:7b", "qwen2.5"),
        ("a/b", "nothing like it"),
    ],
)
def test_the_name_that_was_meant(patient, meant, given):
    assert found(patient(Toy(name=meant, listed=(meant,)), given), "name").remedy == f"Give --model openai:{meant}."


def test_no_server():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        report = examine("openai:toy", RunSettings(server=ServerOptions(base_url=address)))
    finding = found(report, "server")
    assert f"no server answers at {address}" in finding.message
    assert "--base-url" in finding.remedy


def test_a_server_that_says_nothing(patient, told):
    toy = Toy()
    told.paths["/v1/models"] = None
    report = patient(_with_listing(toy, told, lambda body: _sleep(1.0)), server={"timeout_s": 0.2})
    assert "within 0.2 s" in found(report, "server").message


def _sleep(seconds):
    import time

    time.sleep(seconds)
    return 200, {}


def _with_listing(toy, told, answers):
    install = toy.install

    def installed(told):
        install(told)
        told.paths["/v1/models"] = answers

    toy.install = installed
    return toy


def test_a_refused_key(patient, told):
    report = patient(_with_listing(Toy(), told, refuse(401, "no such key")))
    finding = found(report, "key")
    assert "a request without a key (HTTP 401: no such key)" in finding.message
    assert "--api-key-env" in finding.remedy
    assert problems(report) == ["key"]


def test_a_key_that_only_the_answers_need(patient, told):
    toy = Toy()
    toy.plain = toy.chatting = refuse(403, "not for you")
    assert "HTTP 403" in found(patient(toy), "key").message


def test_an_address_that_is_no_api(patient, told):
    toy = _with_listing(Toy(completions=False), told, refuse(404, "Not Found"))
    toy.chatting = refuse(404, "Not Found")
    assert "--base-url" in found(patient(toy), "server").remedy


def test_a_model_that_is_listed_and_fails(patient):
    toy = Toy()
    toy.plain = toy.chatting = refuse(400, "the weights are broken")
    assert "the weights are broken" in found(patient(toy), "model").message


NOTICES = {
    "any name is taken": (Toy(listed=("another",)), {}, "name", "lists 'another'"),
    "a base model": (Toy(chat=False), {}, "chat", "every prompt is sent plain"),
    "thoughts in a field": (Toy(thoughts="Hm."), {}, "thinking", "thinks before it answers"),
    "thoughts in the text": (Toy(short="<think>Hm.</think>Paris."), {}, "thinking", "thinks before it answers"),
    "thoughts without end": (Toy(short="<think>Hm, let me see. " * 9), {}, "thinking", "thinks before it answers"),
    "late disagreement": (Toy(tales=(TALE, TALE[:60] + "seals.")), {}, "agreement", "part after 60 characters"),
    "an answer without end": (
        Toy(short="Paris, " + "".join(map(chr, range(97, 123))) * 4),
        {},
        "end of turn",
        "limit cut",
    ),
    "an empty answer": (Toy(short=""), {}, "end of turn", "answered with nothing"),
    "tokens estimated": (Toy(tokenizes=False), {}, "tokens", "estimated"),
    "BOS not to be told": (Toy(tokenizes=False), {}, "BOS", "cannot be told"),
    "the long prompt left out": (Toy(), {"quick": True}, "silent cut", "longer ones were not tried"),
    "neither tokens nor long prompt": (Toy(tokenizes=False), {"quick": True}, "silent cut", "not looked for"),
    "no counts": (Toy(counts=False), {}, "speed", "not measured"),
    "no counts and no word": (Toy(counts=False, knows_word=False), {}, "silent cut", "cannot be told"),
    "chat for all, by decision": (Toy(completions=False), {"chat": "always"}, "completions", "no task asked for"),
    "chat for all, by the tasks": (Toy(completions=False), {"tasks": ("qasper",)}, "completions", "no task asked for"),
    "estimated, and refused": (Toy(tokenizes=False, refuses_over=2000), {}, "window", "is refused"),
    "thoughts that are hidden": (Toy(thought_tokens=7), {}, "thinking", "thinks before it answers"),
    "no data": (Toy(), {}, "data", "not here yet"),
}


@pytest.mark.parametrize("case", NOTICES)
def test_what_is_good_to_know(patient, case):
    toy, more, check, message = NOTICES[case]
    report = patient(toy, **more)
    assert message in found(report, check, "notice").message
    assert problems(report) == []


def test_data_that_a_run_would_refuse(patient, tmp_path):
    data = write_sample_data(tmp_path / "data", n=3)
    report = patient(Toy(), data=data, tasks=("qasper",))
    assert "is not the official file" in found(report, "data").message
    assert "--allow-unofficial" in found(report, "data").remedy + found(report, "data").message
    assert problems(patient(Toy(), data=tmp_path / "nowhere")) == ["data"]


def test_chat_never_and_a_server_that_only_chats(patient):
    report = patient(Toy(completions=False), chat="never")
    assert "--chat never cannot be kept" in found(report, "completions").message + found(report, "completions").remedy
