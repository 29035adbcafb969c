"""The protocol every model follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from longbench_eval.prompts.tokenizer import Tokenizer
from longbench_eval.records import Completion, Request

NewlineStop = Literal["token", "string", "none"]
PrefixReuse = Literal["on", "off", "unknown"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What a model is told when it is opened.

    Attributes:
        deterministic: Every answer must be independent of order, resume and neighbours.
        max_input_tokens: M as the user gave it, or None for the default; a model may size its memory by it.
        max_new_tokens: The longest answer that will be asked for.
    """

    deterministic: bool = False
    max_input_tokens: int | None = None
    max_new_tokens: int = 512


class Model(Protocol):
    """Something that answers requests, greedily.

    Attributes:
        name: For people and file names.
        newline_stop: How samsum's rule is kept: by token id, by string, or not at all.
        prefix_reuse: Whether a prefix shared with an earlier prompt may be served from a cache.
    """

    name: str
    newline_stop: NewlineStop
    prefix_reuse: PrefixReuse

    @property
    def tokenizer(self) -> Tokenizer | None:
        """None when the model's tokenizer is not known; prompts are then sent whole."""
        ...

    @property
    def window(self) -> int | None:
        """Tokens the model was made for, from which the default M follows; None when unknown."""
        ...

    @property
    def capacity(self) -> int | None:
        """Tokens it can hold as it is loaded, prompt and answer together; None when unknown."""
        ...

    def identity(self) -> Mapping[str, Any]:
        """What makes this model this model (JSON values): part of a run's identity."""
        ...

    def versions(self) -> Mapping[str, str]:
        """The libraries at work, by name."""
        ...

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answer requests as they come; completions may come in another order. A failed row is a value."""
        ...

    def close(self) -> None:
        """Free what the model holds."""
        ...
