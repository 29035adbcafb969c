"""A Python function as a model, for people whose model is an object."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from time import perf_counter
from types import CodeType
from typing import Any

from longbench_eval.models.base import NewlineStop, PrefixReuse
from longbench_eval.prompts.tokenizer import Tokenizer, adapt_tokenizer
from longbench_eval.records import Completion, Failure, Request

Generate = Callable[[Request], str | Completion]


class CallableModel:
    """Wraps `generate(request) -> str`.

    The function finds the final text in `request.prompt.text` and its ids in `request.prompt.token_ids`, and must
    decode greedily, at most `request.max_new_tokens`. It is told of samsum's rule by `request.stop_at_newline` and
    `request.min_new_tokens`; set `newline_stop` to how it keeps it. An exception fails the row, not the run.

    Args:
        generate: The function; it returns the new text, or a whole `Completion`.
        tokenizer: The model's (transformers', tokenizers', or our protocol); without one, prompts are not cut.
        window: Tokens the model can hold.
        name: For the run's name and manifest; the function's own by default.
        newline_stop: How the function keeps samsum's rule: `"token"`, `"string"` or `"none"`.
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
    ) -> None:
        self._generate = generate
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
        """Call the function once a request, in order."""
        return map(self._answer, requests)

    def _answer(self, request: Request) -> Completion:
        began = perf_counter()
        try:
            answer = _as_completion(self._generate(request), request)
        except Exception as error:  # the user's own code: whatever it raises fails this row alone
            answer = Completion(request.example_id, "", error=Failure("model", f"{type(error).__name__}: {error}"))
        return answer if answer.latency_s else replace(answer, latency_s=perf_counter() - began)

    def close(self) -> None:
        """Nothing to free."""


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
