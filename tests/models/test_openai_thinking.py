"""Servers of models that think: their own fields, the switches of their templates, and a budget for the thoughts."""

import json

import pytest

from fault_server import good
from longbench_eval import RunSettings, run
from longbench_eval.models.base import ServerOptions
from samples import write_sample_data

CHAT = "/v1/chat/completions"


def thinking(body):
    """A server that keeps thoughts apart, as vLLM does with a reasoning parser; without room, only a thought."""
    answer = good(body)
    [choice] = answer["choices"]
    choice["message"]["reasoning_content"] = "let me see"
    if body["max_tokens"] < 100:
        choice["message"]["content"], choice["finish_reason"] = None, "length"
    return 200, answer


def inline(body):
    """One that does not."""
    answer = good(body)
    message = answer["choices"][0]["message"]
    message["content"] = f"<think>let me see</think>\n\n{message['content']}"
    return 200, answer


def evaluate(address, tmp_path, task="qasper", **settings):
    data = write_sample_data(tmp_path / "data", n=3)
    server = ServerOptions(base_url=address)
    given = RunSettings(
        tasks=(task,), data=data, allow_unofficial=True, out=tmp_path / "run", server=server, **settings
    )
    result = run("openai:toy", given)
    lines = (tmp_path / "run" / "predictions" / f"{task}.jsonl").read_text("utf-8").splitlines()
    return str(result.summary.signature), [json.loads(line) for line in lines], result


def asked(told):
    """The bodies of the rows, without the sample."""
    return [body for path, body in told.seen if path == CHAT][1:]


@pytest.mark.parametrize("kind", [thinking, inline])
def test_a_model_that_thinks_gets_a_budget_by_itself(told, address, tmp_path, kind):
    told.paths[CHAT] = kind
    signature, rows, _ = evaluate(address, tmp_path)
    assert "|thinking:1024|" in signature, "a quarter of the window"
    assert {body["max_tokens"] for body in asked(told)} == {128 + 1024}
    assert not any("chat_template_kwargs" in body for body in asked(told))
    assert [row["thinking"] for row in rows] == [{"text": "let me see", "finished": True}] * 3
    assert not any("think" in row["pred"] or row["pred"] == "" for row in rows)


def test_a_budget_turns_it_on_and_off_turns_it_off(told, address, tmp_path):
    signature, _, _ = evaluate(address, tmp_path / "a", thinking="budget 50")
    assert "|thinking:50|" in signature
    assert {body["max_tokens"] for body in asked(told)} == {178}
    assert {body["chat_template_kwargs"]["enable_thinking"] for body in asked(told)} == {True}
    told.seen.clear()
    signature, _, _ = evaluate(address, tmp_path / "b", thinking="off")
    assert "|thinking:off|" in signature
    assert {body["max_tokens"] for body in asked(told)} == {128}
    assert {body["chat_template_kwargs"]["enable_thinking"] for body in asked(told)} == {False}


def test_others_are_asked_as_ever(told, address, tmp_path):
    signature, rows, _ = evaluate(address, tmp_path)
    assert "thinking" not in signature
    assert {body["max_tokens"] for body in asked(told)} == {128}
    assert not any("thinking" in row for row in rows)


def test_tasks_without_a_template_have_no_budget_and_keep_their_stop(told, address, tmp_path):
    evaluate(address, tmp_path, "samsum", thinking="budget 50")
    plain = [body for path, body in told.seen if path == "/v1/completions"][1:]
    assert {(body["max_tokens"], body["stop"][0]) for body in plain} == {(128, "\n")}
    told.seen.clear()
    told.paths[CHAT] = thinking
    evaluate(address, tmp_path / "chat", "samsum", thinking="budget 50", chat="always")
    assert {(body["max_tokens"], "stop" in body) for body in asked(told)} == {(178, False)}


def test_thoughts_without_an_end_are_counted(told, address, tmp_path):
    def endless(body):
        status, answer = thinking(body)
        answer["choices"][0]["message"]["content"], answer["choices"][0]["finish_reason"] = None, "length"
        return status, answer

    told.paths[CHAT] = endless
    _, rows, result = evaluate(address, tmp_path)
    assert [(row["pred"], row["thinking"]["finished"]) for row in rows] == [("", False)] * 3
    task = result.summary.tasks["qasper"]
    assert task.counts.unfinished == 3
    assert [found.kind for found in task.suspicions if found.kind in ("thinking-unclosed", "empty")] == [
        "thinking-unclosed"
    ]


def test_a_server_that_takes_no_switches(told, address, tmp_path):
    def picky(body):
        if "chat_template_kwargs" in body:
            return 400, {"error": {"message": "Unrecognized request argument: chat_template_kwargs"}}
        return 200, good(body)

    told.paths[CHAT] = picky
    _, _, result = evaluate(address, tmp_path, thinking="off")
    assert any("cannot be switched from here" in warning for warning in result.summary.warnings)


def test_a_system_message(told, address, tmp_path):
    signature, _, result = evaluate(address, tmp_path, system="Be brief.")
    assert "|system:sha256-" in signature
    assert {body["messages"][0]["content"] for body in asked(told)} == {"Be brief."}
    assert any("official prompts have none" in warning for warning in result.summary.warnings)
