"""The header of a GGUF file: metadata only, in milliseconds.

The `gguf` package reads the same in 2.6 s for a vocabulary of 49,152 and much longer for today's larger ones, because
it makes an array of every string. Format: the GGUF specification in the ggml project, versions 2 and 3.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from longbench_eval.errors import ModelError

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_CONTROL_TOKEN = 3


@dataclass(frozen=True, slots=True)
class GGUFHeader:
    """What a GGUF file says of itself; arrays of strings (the vocabulary) are skipped."""

    metadata: dict[str, Any] = field(repr=False)

    @property
    def window(self) -> int | None:
        """Tokens the model was trained for."""
        return self.metadata.get(f"{self.metadata.get('general.architecture')}.context_length")

    @property
    def has_chat_template(self) -> bool:
        """Whether the model brings a chat template of its own (llama.cpp would fall back to ChatML)."""
        return bool(self.metadata.get("tokenizer.chat_template"))

    @property
    def bos_id(self) -> int | None:
        """The BOS token."""
        return self.metadata.get("tokenizer.ggml.bos_token_id")

    @property
    def control_ids(self) -> frozenset[int]:
        """Ids of the special tokens, which decoding leaves out."""
        types = self.metadata.get("tokenizer.ggml.token_type", ())
        return frozenset(i for i, kind in enumerate(types) if kind == _CONTROL_TOKEN)


class _Cursor:
    """Reads little-endian values one after another."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data, self.at = data, 0

    def take(self, layout: str) -> tuple[Any, ...]:
        size = struct.calcsize("<" + layout)
        values = struct.unpack("<" + layout, self.data[self.at : self.at + size])
        self.at += size
        return values

    def string(self) -> str:
        (length,) = self.take("Q")
        text = self.data[self.at : self.at + length]
        if len(text) != length:
            raise struct.error("a string goes on past the end")
        self.at += length
        return text.decode("utf-8", errors="replace")

    def value(self, kind: int) -> Any:
        if kind == _STRING:
            return self.string()
        if kind == _ARRAY:
            return self.array(*self.take("IQ"))
        return self.take(_SCALARS[kind])[0]

    def array(self, kind: int, count: int) -> Any:
        if kind in _SCALARS:
            return self.take(f"{count}{_SCALARS[kind]}")
        if kind != _STRING:
            return [self.value(kind) for _ in range(count)]
        for _ in range(count):
            (length,) = self.take("Q")
            self.at += length
        return None


def read_gguf(path: Path) -> GGUFHeader:
    """Read a GGUF file's metadata.

    Raises:
        ModelError: There is no such file, it is no GGUF, or its header is cut short.
    """
    if not path.is_file():
        raise ModelError(f"There is no model file {str(path)!r}. Give llama.cpp: the path of a GGUF file.")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise ModelError(f"{str(path)!r} is not a GGUF file: it does not begin with the letters GGUF.")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            try:
                return GGUFHeader(_read_metadata(_Cursor(data)))
            except (struct.error, KeyError, MemoryError, OverflowError):
                raise ModelError(
                    f"The GGUF file {str(path)!r} is cut short or damaged: its header ends early. Fetch it again."
                ) from None


def _read_metadata(cursor: _Cursor) -> dict[str, Any]:
    _magic, version, _tensors, pairs = cursor.take("IIQQ")
    if version not in (2, 3):
        raise ModelError(f"GGUF version {version} is not supported; expected 2 or 3.")
    metadata: dict[str, Any] = {}
    for _ in range(pairs):
        key = cursor.string()
        metadata[key] = cursor.value(*cursor.take("I"))
    return metadata
