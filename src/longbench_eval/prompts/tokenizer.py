"""What prompts need of a tokenizer, and adapters for the ones people have."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from longbench_eval.errors import UsageError
from longbench_eval.prompts.chat import ChatSetup

_PROBE = "Do n't , Ab c .\n\n <s>é 1 中文</s>"


@runtime_checkable
class Tokenizer(Protocol):
    """A model's tokenizer.

    One that is faster with several texts at once may have `encode_batch(texts) -> list of ids` besides.
    """

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


def encode_all(tokenizer: Tokenizer, texts: Sequence[str]) -> list[list[int]]:
    """Tokenize several texts as `encode` does each, together where the tokenizer can."""
    together: Callable[[Sequence[str]], list[list[int]]] | None = getattr(tokenizer, "encode_batch", None)
    return together(texts) if together and len(texts) > 1 else [tokenizer.encode(text) for text in texts]


class RustTokenizer:
    """A copy of a `tokenizers.Tokenizer` that is ours alone; it knows no chat template and no BOS by name.

    Prompts are tokenized in threads beside the model, whose own tokenizer may be in use. And a length limit or padding
    stored in its file would falsify every count.
    """

    bos_id = None
    free_threaded = True

    def __init__(self, tokenizer: Any) -> None:
        # What a thread allocates is best freed by the same one: two of ours that tokenize text by text need a fifth
        # less time than two that hand their texts to the library's own.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        self._tokenizer = deepcopy(tokenizer)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    @property
    def newline_id(self) -> int | None:
        """The last id of an encoded newline."""
        ids = self._tokenizer.encode("\n", add_special_tokens=False).ids
        return ids[-1] if ids else None

    def encode(self, text: str) -> list[int]:
        """Text to ids with default special tokens."""
        return self.encode_batch([text])[0]

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Several texts at once, without offsets and masks; other threads go on meanwhile."""
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]

    def decode(self, ids: Sequence[int]) -> str:
        """Ids to text without special tokens."""
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True))

    def wrap_chat(self, text: str) -> str | None:
        """None: it knows no template."""
        return None


class HFTokenizer:
    """A tokenizer of transformers, called as the reference code calls it."""

    def __init__(self, tokenizer: Any, chat: ChatSetup = ChatSetup()) -> None:  # noqa: B008 (frozen)
        self._tokenizer, self._chat = tokenizer, chat

    @property
    def free_threaded(self) -> bool:
        """Whether several threads may use it at once: a copy of the tokenizer inside does all the work."""
        return self._rust is not None and self._decodes_plainly

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
        return self.encode_batch([text])[0]

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Several texts at once."""
        return self._rust.encode_batch(texts) if self._rust else [self._encode_definition(text) for text in texts]

    def _encode_definition(self, text: str) -> list[int]:
        return list(self._tokenizer(text, truncation=False)["input_ids"])

    @cached_property
    def _rust(self) -> RustTokenizer | None:
        """The tokenizer inside; None if it counts otherwise."""
        inside = getattr(self._tokenizer, "backend_tokenizer", None)
        if not hasattr(inside, "encode_batch_fast"):
            return None
        rust = RustTokenizer(inside)
        return rust if rust.encode(_PROBE) == self._encode_definition(_PROBE) else None

    def decode(self, ids: Sequence[int]) -> str:
        """Ids to text without special tokens."""
        return self._rust.decode(ids) if self._rust and self._decodes_plainly else self._decode_definition(ids)

    def _decode_definition(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True))

    @cached_property
    def _decodes_plainly(self) -> bool:
        """Whether transformers only looks at each id again (a sixth of all time) and does nothing to the text."""
        if self._rust is None or getattr(self._tokenizer, "clean_up_tokenization_spaces", True):
            return False
        ids = self._encode_definition(_PROBE)
        return self._rust.decode(ids) == self._decode_definition(ids)

    def wrap_chat(self, text: str) -> str | None:
        """One user message in the tokenizer's chat template."""
        if not self.template:
            return None
        apply, messages = self._tokenizer.apply_chat_template, self._chat.messages(text)
        wrapped = str(apply(messages, tokenize=False, add_generation_prompt=True, **self._chat.switches))
        return self._chat.finish(wrapped, self.template)

    @property
    def template(self) -> str:
        """The chat template's source; empty without one. Of several, the one that is used by default."""
        template = getattr(self._tokenizer, "chat_template", None) or ""
        return str(template.get("default", "")) if isinstance(template, dict) else str(template)


def adapt_tokenizer(tokenizer: Any, chat: ChatSetup = ChatSetup()) -> Tokenizer | None:  # noqa: B008 (frozen)
    """Make a `Tokenizer` of what a caller has: ours, transformers', or `tokenizers`'; None stays None.

    `chat` is for the chat template of one of transformers.

    Raises:
        UsageError: The object is none of these.
    """
    if tokenizer is None or isinstance(tokenizer, Tokenizer):
        return tokenizer
    if hasattr(tokenizer, "apply_chat_template"):
        return HFTokenizer(tokenizer, chat)
    if hasattr(tokenizer, "encode_batch") and hasattr(tokenizer, "decode"):
        return RustTokenizer(tokenizer)
    raise UsageError(
        f"A {type(tokenizer).__name__} is no tokenizer this package knows. Give one of transformers or tokenizers, "
        "or an object with encode, decode, wrap_chat, bos_id and newline_id."
    )
