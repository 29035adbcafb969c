"""A Python function as a model, for people whose model is an object."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from types import CodeType
from typing import Any

from longbench_eval.errors import UsageError
from longbench_eval.models.base import NewlineStop, PrefixReuse
from longbench_eval.prompts.tokenizer import Tokenizer, adapt_tokenizer
from longbench_eval.records import Completion, Failure, Request

Answer = str | Completion
Generate = Callable[[Request], Answer] | Callable[[Sequence[Request]], Sequence[Answer]]
Reset = Callable[[], object]


class CallableModel:
    """Wraps `generate(request) -> str`, or `generate(requests) -> list of str`.

    The function finds the final text in `request.prompt.text` and its ids in `request.prompt.token_ids`, and must
    decode greedily, at most `request.max_new_tokens`. It is told of samsum's rule by `request.stop_at_newline` and
    `request.min_new_tokens`; set `newline_stop` to how it keeps it. An exception fails the row, not the run: the rows
    of a batch that raises are asked once more, one by one.

    Rows that share a context (`request.context`) come one right after another.

    Args:
        generate: The function; it returns the new text, or a whole `Completion`, for each request.
        tokenizer: The model's (transformers', tokenizers', or our protocol); without one, prompts are not cut.
        window: Tokens the model can hold.
        name: For the run's name and manifest; the function's own by default.
        newline_stop: How the function keeps samsum's rule: `"token"`, `"string"` or `"none"`.
        batch_size: Give the function a list of so many requests at most; None gives it one request.
        reset: Called before the first request of each context, to drop what the model keeps of the last one. No batch
            then holds two contexts.
    """

    prefix_reuse: PrefixReuse = "unknown"

    def __init__(
        self,
        generate: Generate,
        tokenizer: Any = None,
        *,
        window: int | None = None,
        name: str | None = None,
        newline_stop: NewlineStop = "none",
        batch_size: int | None = None,
        reset: Reset | None = None,
    ) -> None:
        if batch_size is not None and batch_size < 1:
            raise UsageError(f"batch_size is {batch_size}; it must be at least 1.")
        self._generate: Any = generate
        self._batch_size, self._reset = batch_size, reset
        self._tokenizer = adapt_tokenizer(tokenizer)
        self._window = window
        self.name = name or str(getattr(generate, "__name__", type(generate).__name__))
        self.newline_stop: NewlineStop = newline_stop

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The adapted tokenizer."""
        return self._tokenizer

    @property
    def window(self) -> int | None:
        """As given."""
        return self._window

    @property
    def capacity(self) -> int | None:
        """As given."""
        return self._window

    def identity(self) -> Mapping[str, Any]:
        """Name and code of the function. What it reaches from outside is not in it: the name must say that."""
        return {"kind": "callable", "name": self.name, "code_sha256": _code_sha256(self._generate)}

    def versions(self) -> Mapping[str, str]:
        """Nothing is known."""
        return {}

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Call the function for each request or batch, in order."""
        context: str | None = None
        for batch in self._batches(requests):
            if self._reset and batch[0].context != context:
                context = batch[0].context
                self._reset()
            yield from self._answer(batch)

    def _batches(self, requests: Iterable[Request]) -> Iterator[list[Request]]:
        batch: list[Request] = []
        for request in requests:
            if batch and self._parts(batch[0], request):
                yield batch
                batch = []
            batch.append(request)
            if len(batch) == (self._batch_size or 1):
                yield batch
                batch = []
        if batch:
            yield batch

    def _parts(self, one: Request, other: Request) -> bool:
        """Whether two requests must not be in one batch."""
        return self._reset is not None and one.context != other.context

    def _answer(self, batch: list[Request]) -> Iterator[Completion]:
        began = perf_counter()
        try:
            answers = [_as_completion(*pair) for pair in zip(self._call(batch), batch, strict=True)]
        except Exception as error:  # the user's own code: whatever it raises fails these rows alone
            if len(batch) > 1:
                yield from (answer for request in batch for answer in self._answer([request]))
                return
            failure = Failure("model", f"{type(error).__name__}: {error}")
            answers = [Completion(batch[0].example_id, "", error=failure)]
        seconds = (perf_counter() - began) / len(batch)
        yield from (answer if answer.latency_s else replace(answer, latency_s=seconds) for answer in answers)

    def _call(self, batch: list[Request]) -> Sequence[Any]:
        if self._batch_size is None:
            return [self._generate(batch[0])]
        answers: Sequence[Any] = self._generate(batch)
        if isinstance(answers, str) or len(answers) != len(batch):
            raise TypeError(f"the function returned {_described(answers)}, expected a list of {len(batch)} answers")
        return answers

    def close(self) -> None:
        """Nothing to free."""


def _described(answers: Sequence[Any]) -> str:
    return "a str" if isinstance(answers, str) else f"{len(answers)} answers"


def _code_sha256(function: object) -> str | None:
    """A hash of what a function does, not of where it stands; None for what is not written in Python."""
    code = getattr(function, "__code__", None) or getattr(vars(type(function)).get("__call__"), "__code__", None)
    return hashlib.sha256("\n".join(_code_parts(code)).encode()).hexdigest() if code else None


def _code_parts(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_freevars))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_parts(constant)
        else:
            # Sets have no order of their own.
            yield repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)


def _as_completion(answer: object, request: Request) -> Completion:
    if isinstance(answer, Completion):
        return replace(answer, example_id=request.example_id)
    if isinstance(answer, str):
        return Completion(request.example_id, answer, prompt_tokens=request.prompt.tokens)
    raise TypeError(f"the function returned {type(answer).__name__}, expected str or Completion")
