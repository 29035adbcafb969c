"""The model's tokenizer, asked of its server: llama.cpp's shape, and the one of vLLM and SGLang."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from longbench_eval.prompts.tokenizer import Tokenizer

Probe = Callable[[str, Mapping[str, Any]], Any]
"""Posts a body to a path under the server's root and returns the decoded answer; None for every failure."""
Ask = Callable[[str, Sequence[Mapping[str, Any]], int], list[Any]]
"""Posts several bodies, so many at once, each as often as it takes; raises what went wrong."""


class Shape(Protocol):
    """One way to spell the same two questions."""

    @property
    def at_once(self) -> int:
        """How many texts it is asked about at once."""
        ...

    def tokenize(self, text: str, special: bool) -> Mapping[str, Any]:
        """The body for `/tokenize`."""
        ...

    def detokenize(self, ids: Sequence[int]) -> Mapping[str, Any]:
        """The body for `/detokenize`."""
        ...

    def text(self, body: Mapping[str, Any]) -> Any:
        """The text in an answer of `/detokenize`."""
        ...


class LlamaCppShape(NamedTuple):
    """Special tokens that stand in the text are recognized, as the other servers do it."""

    model: str
    # Each connection holds one of a handful of threads for seconds after its last answer; more would wait for those.
    at_once: int = 1

    def tokenize(self, text: str, special: bool) -> Mapping[str, Any]:
        """`add_special` is off by default."""
        return {"content": text, "add_special": special, "parse_special": True}

    def detokenize(self, ids: Sequence[int]) -> Mapping[str, Any]:
        """Special tokens come out as text."""
        return {"tokens": list(ids)}

    def text(self, body: Mapping[str, Any]) -> Any:
        """Its key."""
        return body.get("content")


class VLLMShape(NamedTuple):
    """vLLM answers with `prompt`, SGLang with `text`."""

    model: str
    at_once: int = 8

    def tokenize(self, text: str, special: bool) -> Mapping[str, Any]:
        """The prompt of a completion, not of a chat."""
        return {"model": self.model, "prompt": text, "add_special_tokens": special}

    def detokenize(self, ids: Sequence[int]) -> Mapping[str, Any]:
        """Special tokens come out as text in vLLM, not in SGLang."""
        return {"model": self.model, "tokens": list(ids)}

    def text(self, body: Mapping[str, Any]) -> Any:
        """Either key."""
        return body.get("prompt", body.get("text"))


SHAPES: tuple[type[LlamaCppShape] | type[VLLMShape], ...] = (VLLMShape, LlamaCppShape)
_SAMPLE = "Ab c"


class ServerTokenizer:
    """`Tokenizer` over HTTP."""

    def __init__(self, ask: Ask, shape: Shape) -> None:
        self._ask, self._shape = ask, shape
        self._begin, self._end = self._special_ids()
        self.bos_id = self._begin[0] if self._begin else None

    def _special_ids(self) -> tuple[list[int], list[int]]:
        """What is put before and after a text by default: BOS, in some models an end mark."""
        bare, whole = self._tokenize(_SAMPLE, special=False), self._tokenize(_SAMPLE, special=True)
        at = next((i for i in range(len(whole)) if whole[i : i + len(bare)] == bare), 0)
        return whole[:at], whole[at + len(bare) :]

    @cached_property
    def newline_id(self) -> int | None:
        """The last id of an encoded newline."""
        ids = self._tokenize("\n", special=False)
        return ids[-1] if ids else None

    def encode(self, text: str) -> list[int]:
        """Text to ids, with the special tokens that the model puts around a text."""
        return self._tokenize(text, special=True)

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Several texts at once."""
        bodies = [self._shape.tokenize(text, True) for text in texts]
        return [answer["tokens"] for answer in self._ask("/tokenize", bodies, self._shape.at_once)]

    def decode(self, ids: Sequence[int]) -> str:
        """Ids to text; what the tokenizer puts around a text is left out, in whichever half it is."""
        plain = list(ids)
        plain = plain[len(self._begin) :] if self._begin and plain[: len(self._begin)] == self._begin else plain
        plain = plain[: -len(self._end)] if self._end and plain[-len(self._end) :] == self._end else plain
        return str(self._shape.text(*self._ask("/detokenize", [self._shape.detokenize(plain)], 1))) if plain else ""

    def wrap_chat(self, text: str) -> str | None:
        """The server does it when it answers."""
        return None

    def _tokenize(self, text: str, *, special: bool) -> list[int]:
        ids: list[int] = self._ask("/tokenize", [self._shape.tokenize(text, special)], 1)[0]["tokens"]
        return ids


def find_tokenizer(probe: Probe, ask: Ask, model: str) -> Tokenizer | None:
    """The server's tokenizer in whichever shape gives a text back; None when there is none.

    Args:
        probe: Asks once, and returns None for every failure.
        ask: Asks as often as it takes.
        model: The model's name.
    """
    for kind in SHAPES:
        shape = kind(model)
        tokens = _field(probe("/tokenize", shape.tokenize(_SAMPLE, False)), "tokens")
        if not tokens or not all(isinstance(token, int) for token in tokens):
            continue
        answer = probe("/detokenize", shape.detokenize(tokens))
        if isinstance(answer, dict) and str(shape.text(answer)).strip() == _SAMPLE:
            return ServerTokenizer(ask, shape)
    return None


def _field(body: Any, name: str) -> list[Any]:
    value = body.get(name) if isinstance(body, dict) else None
    return value if isinstance(value, list) else []
