"""Writing files so that nothing is ever half there, and where this package keeps its own."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

CHUNK_BYTES = 1 << 20


def cache_dir() -> Path:
    """The folder for models and data: `LONGBENCH_EVAL_CACHE`, or `longbench-eval` in the user's cache folder."""
    if own := os.environ.get("LONGBENCH_EVAL_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "longbench-eval"


@contextmanager
def atomic_writer(path: Path) -> Iterator[IO[bytes]]:
    """Open a file beside `path` for writing and rename it there at the end; on any error `path` stays as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def sweep_temporary(folder: Path) -> None:
    """Remove what killed writers left beside their targets; call it only where no other process writes."""
    for path in folder.rglob(".*.tmp"):
        path.unlink(missing_ok=True)


def write_atomic(path: Path, data: str | bytes) -> None:
    """Write a whole file, text as UTF-8, or nothing."""
    with atomic_writer(path) as file:
        file.write(data.encode("utf-8") if isinstance(data, str) else data)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def printable(path: Path) -> str:
    """A path as text that can be written as UTF-8; bytes of its name that are none become U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")


def json_line(record: Any) -> str:
    """One record as a line of JSON, ended by a newline; text stays readable.

    A lone surrogate cannot be written as UTF-8, so a record that holds one is escaped to ASCII, which reads back
    to the very same text.
    """
    line = json.dumps(record, ensure_ascii=False)
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        line = json.dumps(record)
    return line + "\n"
