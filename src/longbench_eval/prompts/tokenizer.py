"""What prompts need of a tokenizer, and adapters for the ones people have."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Protocol, runtime_checkable

from longbench_eval.errors import UsageError


@runtime_checkable
class Tokenizer(Protocol):
    """A model's tokenizer."""

    @property
    def bos_id(self) -> int | None:
        """The id that begins a sequence; None without one."""
        ...

    @property
    def newline_id(self) -> int | None:
        """The last id of an encoded newline, which ends samsum's answers; None when unknown."""
        ...

    def encode(self, text: str) -> list[int]:
        """Text to ids, with the tokenizer's default special tokens (BOS where the model has one)."""
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """Ids to text, special tokens left out."""
        ...

    def wrap_chat(self, text: str) -> str | None:
        """Put one user message into the model's chat template, ready to be answered; None when it has none."""
        ...


class HFTokenizer:
    """A tokenizer of transformers, called as the reference code calls it."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    @property
    def bos_id(self) -> int | None:
        """The tokenizer's own BOS id."""
        bos: int | None = self._tokenizer.bos_token_id
        return bos

    @property
    def newline_id(self) -> int | None:
        """The last id of an encoded newline, as pred.py takes it for samsum."""
        ids = self._tokenizer.encode("\n", add_special_tokens=False)
        return ids[-1] if ids else None

    def encode(self, text: str) -> list[int]:
        """Text to ids with default special tokens, never truncated."""
        return list(self._tokenizer(text, truncation=False)["input_ids"])

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Many texts in one call, which a fast tokenizer spreads over the processors."""
        return [list(ids) for ids in self._tokenizer(list(texts), truncation=False)["input_ids"]] if texts else []

    def decode(self, ids: Sequence[int]) -> str:
        """Ids to text without special tokens."""
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True))

    def wrap_chat(self, text: str) -> str | None:
        """One user message in the tokenizer's chat template."""
        if not getattr(self._tokenizer, "chat_template", None):
            return None
        messages = [{"role": "user", "content": text}]
        return str(self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))


class _RustTokenizer:
    """A `tokenizers.Tokenizer`; it knows no chat template and no BOS by name."""

    bos_id = None

    def __init__(self, tokenizer: Any) -> None:
        # A length limit or padding stored in its file would falsify every count; the caller's object keeps them.
        self._tokenizer = deepcopy(tokenizer)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    @property
    def newline_id(self) -> int | None:
        ids = self._tokenizer.encode("\n", add_special_tokens=False).ids
        return ids[-1] if ids else None

    def encode(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text).ids)

    def decode(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True))

    def wrap_chat(self, text: str) -> str | None:
        return None


def adapt_tokenizer(tokenizer: Any) -> Tokenizer | None:
    """Make a `Tokenizer` of what a caller has: ours, transformers', or `tokenizers`'; None stays None.

    Raises:
        UsageError: The object is none of these.
    """
    if tokenizer is None or isinstance(tokenizer, Tokenizer):
        return tokenizer
    if hasattr(tokenizer, "apply_chat_template"):
        return HFTokenizer(tokenizer)
    if hasattr(tokenizer, "encode_batch") and hasattr(tokenizer, "decode"):
        return _RustTokenizer(tokenizer)
    raise UsageError(
        f"A {type(tokenizer).__name__} is no tokenizer this package knows. Give one of transformers or tokenizers, "
        "or an object with encode, decode, wrap_chat, bos_id and newline_id."
    )
