"""The run directory: what is in it, who may write to it, and how it survives being killed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longbench_eval.errors import DataError, RunError
from longbench_eval.files import json_line, sweep_temporary, write_atomic
from longbench_eval.manifest import MANIFEST, Manifest, load_manifest
from longbench_eval.predictions import Prediction, parse_prediction, read_predictions

LOCK = ".lock"
TIMINGS = "timings.jsonl"


@dataclass(frozen=True, slots=True)
class RunDirectory:
    """Paths and row files of one run."""

    path: Path

    def predictions_path(self, task: str) -> Path:
        """The task's predictions file."""
        return self.path / "predictions" / f"{task}.jsonl"

    def repair(self, task: str) -> frozenset[str]:
        """Drop a torn last line and failed rows from a predictions file, and return the ids that are done."""
        path = self.predictions_path(task)
        if not path.exists():
            return frozenset()
        data = path.read_bytes()
        good = [(line, row) for line, row in _whole_lines(path, data) if not row.failed]
        kept = b"".join(line + b"\n" for line, _ in good)
        if kept != data:
            write_atomic(path, kept)
        return frozenset(row.id for _, row in good if row.id is not None)

    def append(self, task: str, record: Mapping[str, Any], timing: Mapping[str, Any]) -> None:
        """Add one answered row: one line to the predictions, one to the timings."""
        self._append(self.predictions_path(task), record)
        self._append(self.path / TIMINGS, timing)

    def _append(self, path: Path, record: Mapping[str, Any]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(json_line(record).encode("utf-8"))

    def sort(self, task: str, ids: Sequence[str]) -> None:
        """Put a task's predictions into file order."""
        path = self.predictions_path(task)
        if not path.exists():
            return
        lines = {row.id: line for line, row in _whole_lines(path, path.read_bytes())}
        ordered = b"".join(lines[id_] + b"\n" for id_ in ids if id_ in lines)
        if ordered != path.read_bytes():
            write_atomic(path, ordered)

    def write_rows(self, task: str, lines: Sequence[bytes]) -> None:
        """Write all of a task's predictions, as lines without their ends; no file for none."""
        if lines:
            path = self.predictions_path(task)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, b"".join(line + b"\n" for line in lines))

    def kept(self) -> int:
        """How many rows there are."""
        return sum(path.read_bytes().count(b"\n") for path in self.path.glob("predictions/*.jsonl"))

    def read(self, tasks: Sequence[str]) -> dict[str, list[Prediction]]:
        """All predictions by task."""
        paths = {task: self.predictions_path(task) for task in tasks}
        return {task: read_predictions(path) for task, path in paths.items() if path.exists()}

    def write_lines(self, name: str, records: Iterator[Mapping[str, Any]]) -> None:
        """Write a file of records, whole or not at all."""
        write_atomic(self.path / name, "".join(json_line(record) for record in records))

    def write_json(self, name: str, shape: Mapping[str, Any]) -> None:
        """Write a JSON file for people and programs, whole or not at all."""
        write_atomic(self.path / name, json.dumps(shape, ensure_ascii=False, indent=1) + "\n")


def _whole_lines(path: Path, data: bytes) -> Iterator[tuple[bytes, Prediction]]:
    """Lines that were written to their end; what follows the last newline was cut off by a kill or a full disk."""
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        try:
            yield line, parse_prediction(line, f"{path}, line {number}")
        except DataError as error:
            raise RunError(f"{error} Delete that line, and the same command asks its row again.") from None


@contextmanager
def open_run(path: Path, manifest: Manifest) -> Iterator[tuple[RunDirectory, Manifest]]:
    """Create a run directory, or take up the one that is there, and keep other processes out meanwhile.

    Yields:
        The directory, and its manifest: the stored one when it is taken up.

    Raises:
        RunError: Another process is at it, it is a run with another identity, or it is something else.
    """
    _check_place(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"Cannot make the folder {str(path)!r}: {error.strerror}. Name another with --out.") from None
    with locked(path):
        sweep_temporary(path)
        _drop_torn_line(path / TIMINGS)
        stored = load_manifest(path) if (path / MANIFEST).exists() else None
        if stored is not None:
            _check_identity(path, stored.identity, manifest.identity)
        yield RunDirectory(path), stored or manifest


def _check_place(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise RunError(f"{str(path)!r} is a file; --out names a folder.")
    if path.is_dir() and not (path / MANIFEST).exists() and not all(map(_is_leftover, path.iterdir())):
        raise RunError(f"{str(path)!r} is not empty and no run directory. Name another folder with --out.")


def _is_leftover(path: Path) -> bool:
    """Whether a run that was killed at once left it."""
    return path.name == LOCK or (path.name.startswith(f".{MANIFEST}.") and path.suffix == ".tmp")


def _drop_torn_line(path: Path) -> None:
    if path.exists() and not (data := path.read_bytes()).endswith(b"\n"):
        write_atomic(path, data[: data.rfind(b"\n") + 1])


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes out of a run directory.

    Raises:
        RunError: One is in it.
    """
    from filelock import FileLock, Timeout

    try:
        with FileLock(path / LOCK, timeout=0):
            yield
    except Timeout:
        raise RunError(f"Another process is writing to {str(path)!r}; wait for it, or name another --out.") from None


def _check_identity(path: Path, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    if changes := differing_fields(stored, wanted):
        raise RunError(
            f"{str(path)!r} is a run with other settings ({changes}). Nothing was changed. "
            "Name another --out, or give the settings it was made with."
        )


def differing_fields(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """In which fields two identities differ, for people; empty when they are the same."""
    before, now = _flat(stored), _flat(wanted)
    differing = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return "; ".join(f"{name}: {before.get(name)!r} there, {now.get(name)!r} now" for name in differing)


def _flat(identity: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in identity.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {prefix + name: value}
    return flat
