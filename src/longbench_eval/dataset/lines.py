"""A file as lines, hashed while they pass."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import IO


class HashedLines:
    r"""The lines of a binary stream with their numbers from 1, blank ones skipped.

    Lines end at `\n` only: U+2028 and its like are text here. The hash is taken with LF line ends, because copies
    with CRLF circulate; it covers what was iterated so far.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self.size = 0
        self.crlf_lines = 0
        self._stream = stream
        self._hash = hashlib.sha256()

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        for number, raw in enumerate(self._stream, 1):
            self.size += len(raw)
            line = raw
            if raw.endswith(b"\r\n"):
                line = raw[:-2] + b"\n"
                self.crlf_lines += 1
            self._hash.update(line)
            if not line.isspace():
                yield number, line

    @property
    def sha256(self) -> str:
        """The hash in hexadecimal."""
        return self._hash.hexdigest()
