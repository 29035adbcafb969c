"""The header of a GGUF file: metadata only, in milliseconds.

The `gguf` package reads the same in 2.6 s for a vocabulary of 49,152 and much longer for today's larger ones, because
it makes an array of every string. Format: the GGUF specification in the ggml project, versions 2 and 3.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from longbench_eval.errors import ModelError

_CODES: Mapping[int, Any] = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_UNKNOWN_TOKEN, _CONTROL_TOKEN = 2, 3
# Real files have some dozens; a damaged one must not fill the memory.
_MOST_PAIRS = 1 << 16


@dataclass(frozen=True, slots=True)
class GGUFHeader:
    """What a GGUF file says of itself; arrays of strings (the vocabulary) and of arrays are left out."""

    metadata: dict[str, Any] = field(repr=False)

    @property
    def window(self) -> int | None:
        """Tokens the model was trained for."""
        return self._int(f"{self.metadata.get('general.architecture')}.context_length") or None

    @property
    def chat_template(self) -> str:
        """The model's own chat template; empty without one (llama.cpp would fall back to ChatML)."""
        template = self.metadata.get("tokenizer.chat_template")
        return template if isinstance(template, str) else ""

    @property
    def bos_id(self) -> int | None:
        """The BOS token."""
        return self._int("tokenizer.ggml.bos_token_id")

    @property
    def special_ids(self) -> frozenset[int]:
        """Ids of the special tokens, which decoding leaves out."""
        types = self.metadata.get("tokenizer.ggml.token_type")
        if not isinstance(types, memoryview):
            return frozenset()
        return frozenset(i for i, kind in enumerate(types) if kind in (_UNKNOWN_TOKEN, _CONTROL_TOKEN))

    def _int(self, key: str) -> int | None:
        value = self.metadata.get(key)
        return value if isinstance(value, int) else None


class _Cursor:
    """Reads little-endian values one after another; no length is believed before it is held against the file's."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data, self.at, self.end = data, 0, len(data)

    def skip(self, size: int) -> int:
        """Go past that many bytes and return where they began."""
        start = self.at
        if size > self.end - start:
            raise EOFError
        self.at = start + size
        return start

    def raw(self, size: int) -> bytes:
        start = self.skip(size)
        return self.data[start : self.at]

    def number(self, code: str) -> Any:
        return struct.unpack("<" + code, self.raw(struct.calcsize("<" + code)))[0]

    def string(self) -> str:
        return self.raw(self.number("Q")).decode("utf-8", errors="replace")

    def value(self, kind: int) -> Any:
        if kind == _STRING:
            return self.string()
        if kind == _ARRAY:
            return self.array(self.number("I"), self.number("Q"))
        return self.number(_CODES[kind])

    def array(self, kind: int, count: int) -> memoryview | None:
        """Numbers as they lie in the file; None for strings and arrays, which are skipped."""
        if kind in _CODES:
            code = _CODES[kind]
            numbers: memoryview = memoryview(self.raw(count * struct.calcsize("<" + code))).cast(code)
            return numbers
        if kind == _STRING:
            self.skip_strings(count)
        else:
            for _ in range(count):
                self.value(kind)
        return None

    def skip_strings(self, count: int) -> None:
        for _ in range(count):
            self.skip(int.from_bytes(self.raw(8), "little"))


def read_gguf(path: Path) -> GGUFHeader:
    """Read a GGUF file's metadata.

    Raises:
        ModelError: There is no such file, it is no GGUF, or its header is cut short.
    """
    if not path.is_file():
        what = "It is a folder: give" if path.is_dir() else "Give"
        raise ModelError(f"There is no model file {str(path)!r}. {what} llama.cpp: the path of a GGUF file.")
    with path.open("rb") as file:
        _check_beginning(path, file.read(8))
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            try:
                return GGUFHeader(_read_metadata(_Cursor(data)))
            except (EOFError, KeyError, RecursionError):
                raise ModelError(
                    f"The GGUF file {str(path)!r} is cut short or damaged: its header makes no sense. Fetch it again."
                ) from None


def _check_beginning(path: Path, eight: bytes) -> None:
    if eight[:4] != b"GGUF":
        raise ModelError(
            f"{str(path)!r} is not a GGUF file: it does not begin with the letters GGUF. "
            "llama.cpp: takes models in that format only."
        )
    version = int.from_bytes(eight[4:], "little")
    if version not in (2, 3):
        raise ModelError(
            f"The GGUF file {str(path)!r} has format version {version}, expected 2 or 3. Fetch it again if it may be "
            "damaged, or convert the model again."
        )


def _read_metadata(cursor: _Cursor) -> dict[str, Any]:
    cursor.skip(8)  # letters and version
    cursor.skip(8)  # number of tensors
    pairs = cursor.number("Q")
    if pairs > _MOST_PAIRS:
        raise EOFError
    metadata: dict[str, Any] = {}
    for _ in range(pairs):
        key = cursor.string()
        metadata[key] = cursor.value(cursor.number("I"))
    return metadata
