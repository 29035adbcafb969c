"""What is sent to the two endpoints, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from longbench_eval.models.llama_cpp import GREEDY as LLAMA_CPP_GREEDY
from longbench_eval.prompts.chat import ChatSetup
from longbench_eval.records import FinishReason, Request

ServerKind = str
"""`llama.cpp`, `vllm`, `sglang`, or `unknown`."""

# Fields of the common interface, all of them explicit: a server's defaults must not decide.
_GREEDY: Mapping[str, Any] = {
    "temperature": 0,
    "top_p": 1,
    "n": 1,
    "presence_penalty": 0,
    "frequency_penalty": 0,
    "seed": 0,
    "stream": False,
}
# vLLM and SGLang take their defaults from the model's generation_config.json; a repetition penalty there (1.05 in some
# families) changes greedy answers too.
_NO_PENALTY: Mapping[str, Any] = {"top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0}
_OWN_FIELDS = frozenset(("stop", "stream", "return_tokens", "n_probs"))
_MORE: Mapping[ServerKind, Mapping[str, Any]] = {
    "llama.cpp": {name: value for name, value in LLAMA_CPP_GREEDY.items() if name not in _OWN_FIELDS},
    "vllm": _NO_PENALTY,
    "sglang": _NO_PENALTY,
}
# Neutral values: a server that does not know the field behaves as if it had been sent.
TEMPLATE_FIELD = "chat_template_kwargs"
_DISPENSABLE = ("top_p", "n", "presence_penalty", "frequency_penalty", "seed", TEMPLATE_FIELD)
_REASONS: Mapping[Any, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "eos_token": "stop",
    "stop_sequence": "stop",
    "eos": "stop",
}


class Answer(NamedTuple):
    """An answer and its counts, None where the server does not tell."""

    text: str
    reason: FinishReason
    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int | None
    thinking: str | None = None


class Dialect(NamedTuple):
    """The fields one endpoint of a server takes."""

    greedy: Mapping[str, Any]
    cap_field: str = "max_tokens"

    def body(self, model: str, prompt: Mapping[str, Any], max_new_tokens: int, newline: bool) -> dict[str, Any]:
        """A whole request."""
        stop = {"stop": ["\n"]} if newline else {}
        return {"model": model, **prompt, self.cap_field: max_new_tokens, **self.greedy, **stop}

    def switched(self, switches: Mapping[str, bool]) -> Dialect:
        """The same with variables for the server's chat template."""
        return self._replace(greedy={**self.greedy, TEMPLATE_FIELD: dict(switches)}) if switches else self

    def without(self, complaint: str) -> Dialect | None:
        """The same without the field that a server complains of; None when it is one that cannot be missed."""
        if self.cap_field == "max_tokens" and "max_completion_tokens" in complaint:
            return self._replace(cap_field="max_completion_tokens")
        words = set(complaint.replace("`", " ").replace("'", " ").replace('"', " ").replace(".", " ").split())
        field = next((name for name in _DISPENSABLE if name in self.greedy and name in words), None)
        return (field and self._replace(greedy={k: v for k, v in self.greedy.items() if k != field})) or None


def greedy_dialect(kind: ServerKind, reuse: bool) -> Dialect:
    """Greedy decoding for this kind of server."""
    cache = {"cache_prompt": reuse} if kind == "llama.cpp" else {}
    return Dialect({**_GREEDY, **_MORE.get(kind, {}), **cache})


def as_chat(text: str, setup: ChatSetup) -> Mapping[str, Any]:
    """A conversation that ends with this message."""
    return {"messages": setup.messages(text)}


def as_prompt(request: Request, ids: bool) -> Mapping[str, Any]:
    """A completion's prompt, as token ids where the server takes them."""
    token_ids = request.prompt.token_ids
    return {"prompt": list(token_ids) if ids and token_ids else request.prompt.text}


def read_answer(body: Any) -> Answer:
    """Take the answer out of a body of either endpoint.

    Raises:
        ValueError: The body is no answer.
    """
    try:
        choice = body["choices"][0]
        message = choice.get("message")
        text = choice["text"] if message is None else message["content"]
        if text is None and message is not None:
            text = ""  # nothing but thinking, or nothing at all
        usage = body.get("usage") or {}
        details = usage.get("prompt_tokens_details") or {}
        reason = _REASONS.get(choice.get("finish_reason"), "unknown")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise ValueError("no choices") from None
    if not isinstance(text, str):
        raise ValueError(f"a text of type {type(text).__name__}")
    prompt_tokens, new_tokens = _whole(usage.get("prompt_tokens")), _whole(usage.get("completion_tokens"))
    return Answer(text, reason, prompt_tokens, new_tokens, _whole(details.get("cached_tokens")), _thinking(message))


def _whole(count: Any) -> int | None:
    return count if isinstance(count, int) else None


def _thinking(message: Any) -> str | None:
    """What a server that tells thoughts from answers keeps apart: vLLM, SGLang, llama.cpp, DeepSeek; newer ones."""
    found = (message.get(name) for name in ("reasoning_content", "reasoning")) if message else ()
    return next((thought for thought in found if isinstance(thought, str)), None)
