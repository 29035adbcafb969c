"""What only a server has: its list of models, and answers with more in them than a run needs."""

from __future__ import annotations

import asyncio
from typing import Any

from longbench_eval.doctor.answers import Answer, Timing, wrapped_prompt
from longbench_eval.models.openai.client import Answered, Call, GaveUp, Refused
from longbench_eval.models.openai.endpoints import Absent
from longbench_eval.models.openai.meet import Acquaintance
from longbench_eval.models.openai.overlong import read_overlong
from longbench_eval.models.openai.server import Server
from longbench_eval.models.openai.wire import as_chat, as_prompt, read_answer
from longbench_eval.prompts.build import wrap_overhead
from longbench_eval.records import Failure, Prompt, Request

# A prompt that takes minutes is not sent twice.
_ONCE_TOKENS = 2000
# vLLM then says which tokens it read; it does not mind the field where it is too old for it.
_TELLS_IDS = {"vllm": {"return_token_ids": True}}


def fetch_listing(server: Server, patience_s: float) -> Any:
    """Ask for the models, as the first contact; None where there is no such list.

    Raises:
        GaveUp: The server fails.
        TimeoutError: It says nothing.
        ModelError: It refuses the key.
    """
    call = Call(f"{server.address.api}/models")
    try:
        return server.loop.call(asyncio.wait_for(server.client.ask(call), patience_s)).body
    except Refused:
        return None


class ServerAsker:
    """Asks a server directly, with the fields and at the endpoints that a run would use."""

    def __init__(self, name: str, server: Server, known: Acquaintance) -> None:
        self._name, self._server, self._known = name, server, known

    def ask(self, text: str, cap: int, *, chat: bool) -> Answer:
        """Post it; a refusal is an answer too."""
        prompt = wrapped_prompt(text, self._known.tokenizer, chat)
        counted = (prompt.tokens or 0) + (wrap_overhead(self._known.tokenizer) if chat else 0)
        try:
            return _read(self._post(prompt, cap, chat, counted), counted)
        except Refused as refusal:
            overlong = read_overlong(refusal.status, refusal.message, refusal.body, cap)
            return Answer(counted=counted, failure=Failure("overlong" if overlong else "model", str(refusal)))
        except GaveUp as error:
            return Answer(counted=counted, failure=Failure(error.kind, str(error)))

    def _post(self, prompt: Prompt, cap: int, chat: bool, counted: int) -> Answered:
        endpoint = self._known.endpoints.chat if chat else self._known.endpoints.completions
        if isinstance(endpoint, Absent):
            raise Refused(404, endpoint.reason, None, 0)
        sent = (
            as_chat(prompt.text, self._known.setup) if chat else as_prompt(Request("qasper", prompt, cap), endpoint.ids)
        )
        body = endpoint.dialect.body(self._name, sent, cap, newline=False)
        more = _TELLS_IDS.get(self._known.facts.kind, {})
        url = self._server.address.api + endpoint.path
        attempts = 1 if counted > _ONCE_TOKENS else None
        call = Call(url, {**body, **more}, counted + cap, read_answer, attempts)
        return self._server.loop.call(self._server.client.ask(call))


def _read(answered: Answered, counted: int) -> Answer:
    body, answer = answered.body, read_answer(answered.body)
    message = body["choices"][0].get("message") or {}
    return Answer(
        answer.text,
        answer.reason,
        counted,
        answer.prompt_tokens,
        answer.completion_tokens,
        answered.latency_s,
        thoughts=any(message.get(field) for field in ("reasoning_content", "reasoning")) or _thought_tokens(body) > 0,
        prompt_ids=_ids(body.get("prompt_token_ids") or body["choices"][0].get("prompt_token_ids")),
        timing=_timing(body.get("timings")),
    )


def _thought_tokens(body: Any) -> int:
    """What a service that hides its model's thoughts counts of them."""
    details = (body.get("usage") or {}).get("completion_tokens_details")
    count = details.get("reasoning_tokens") if isinstance(details, dict) else None
    return count if isinstance(count, int) else 0


def _ids(value: Any) -> tuple[int, ...] | None:
    whole = isinstance(value, list) and value and all(isinstance(token, int) for token in value)
    return tuple(value) if whole else None


def _timing(value: Any) -> Timing | None:
    """llama.cpp's own clock; other shapes are not believed."""
    try:
        prompt_n, prompt_ms, new_n, new_ms = (
            float(value[key]) for key in ("prompt_n", "prompt_ms", "predicted_n", "predicted_ms")
        )
        return Timing(int(prompt_n), prompt_ms / 1000, int(new_n), new_ms / 1000)
    except (TypeError, KeyError, ValueError, OverflowError):
        return None
