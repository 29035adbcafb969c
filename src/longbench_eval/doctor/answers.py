"""Asking one small thing, of whatever kind of model, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from longbench_eval.models.base import Model
from longbench_eval.prompts.build import encode_once
from longbench_eval.prompts.tokenizer import Tokenizer
from longbench_eval.records import Failure, FinishReason, Prompt, Request

# Models look at a request's prompt and cap; a task must be named.
_TASK, _ID = "qasper", "doctor"


class Timing(NamedTuple):
    """A server's own clock: tokens it read or wrote, and seconds."""

    prompt_tokens: int
    prompt_s: float
    new_tokens: int
    new_s: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back.

    Attributes:
        text: The answer.
        reason: Why it ended.
        counted: The prompt in our tokens, chat template included.
        prompt_tokens: The prompt as the model counts it; None where it does not tell.
        new_tokens: The answer as the model counts it.
        latency_s: From asking to the whole answer.
        thoughts: Whether a thought came in a field of its own.
        prompt_ids: The very tokens that the model was given, where they are known.
        timing: By the server's clock, if it has one.
        failure: Why there is no answer.
    """

    text: str = ""
    reason: FinishReason = "unknown"
    counted: int | None = None
    prompt_tokens: int | None = None
    new_tokens: int | None = None
    latency_s: float = 0.0
    thoughts: bool = False
    prompt_ids: tuple[int, ...] | None = None
    timing: Timing | None = None
    failure: Failure | None = None


class Asker(Protocol):
    """Puts one question at a time."""

    def ask(self, text: str, cap: int, *, chat: bool) -> Answer:
        """Ask, through the chat template or plainly, for at most `cap` tokens."""
        ...


class ModelAsker:
    """Asks a model in this process, just as a run does."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def ask(self, text: str, cap: int, *, chat: bool) -> Answer:
        """Wrap, tokenize, generate."""
        prompt = wrapped_prompt(text, self._model.tokenizer, chat)
        [done] = self._model.generate([Request(_TASK, prompt, cap)])
        return Answer(
            done.text,
            done.finish_reason,
            prompt.tokens,
            done.prompt_tokens,
            done.completion_tokens,
            done.latency_s,
            prompt_ids=prompt.token_ids,
            failure=done.error,
        )


def wrapped_prompt(text: str, tokenizer: Tokenizer | None, chat: bool) -> Prompt:
    """A text as a run would send it."""
    if tokenizer is None:
        return Prompt(_ID, text, chat=False, token_ids=None, truncation=None)
    wrapped = tokenizer.wrap_chat(text) if chat else None
    final = text if wrapped is None else wrapped
    ids = tuple(encode_once(final, tokenizer, wrapped is not None))
    return Prompt(_ID, final, wrapped is not None, ids, None)
