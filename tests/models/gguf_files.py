"""GGUF headers made by hand, honest and hostile."""

import struct
from pathlib import Path

U8, U32, I32, F32, BOOL, STRING, ARRAY, U64 = 0, 4, 5, 6, 7, 8, 9, 10
_CODES = {U8: "B", U32: "I", I32: "i", F32: "f", BOOL: "?", U64: "Q"}


def string(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def value(kind: int, content) -> bytes:
    """One value; an array's content is `(kind of its elements, elements)`."""
    if kind == STRING:
        return string(content)
    if kind == ARRAY:
        of, elements = content
        return struct.pack("<IQ", of, len(elements)) + b"".join(value(of, element) for element in elements)
    return struct.pack("<" + _CODES[kind], content)


def pair(key: str, kind: int, content) -> bytes:
    return string(key) + struct.pack("<I", kind) + value(kind, content)


def raw_pair(key: str, kind: int, body: bytes) -> bytes:
    """A pair whose value is any bytes at all."""
    return string(key) + struct.pack("<I", kind) + body


def header(*pairs: bytes, version: int = 3, tensors: int = 0, count: int | None = None) -> bytes:
    number = len(pairs) if count is None else count
    return b"GGUF" + struct.pack("<IQQ", version, tensors, number) + b"".join(pairs)


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
