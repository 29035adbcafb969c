"""Finding what can be looked at: run directories, and folders of predictions of any tool."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from longbench_eval.errors import DataError, RunError
from longbench_eval.files import printable
from longbench_eval.manifest import MANIFEST
from longbench_eval.scoring.locate import find_files, task_of

DEPTH = 3
MOST_FOLDERS = 5000  # a home directory given by mistake must not be walked for minutes
_FIRST_BYTES = 1 << 20
_PASSED_BY = {"node_modules", "__pycache__", "site-packages"}

Stamp = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """One run, or one folder of predictions.

    Attributes:
        name: Its path below the folder that is viewed; what links call it.
        path: Where it lies.
        is_run: Whether it has a manifest.
        files: Predictions by task.
        problem: Why its files cannot be told apart, if so.
    """

    name: str
    path: Path
    is_run: bool
    files: Mapping[str, Path]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Walk:
    """What was found, by name; `whole` is false when there were more folders than are looked into."""

    found: Mapping[str, Found]
    whole: bool = True


def stamp_of(path: Path) -> Stamp:
    """What changes when a file does: its time and size; zeros for one that is gone."""
    try:
        state = path.stat()
    except OSError:
        return (0, 0)
    return (state.st_mtime_ns, state.st_size)


def find_all(root: Path) -> Walk:
    """Find everything under a folder, three levels deep; the folder itself may be a run.

    Raises:
        RunError: There is no such folder.
    """
    if not root.is_dir():
        raise RunError(
            f"{str(root)!r} is no folder. Name one that holds runs or predictions: `longbench-eval view FOLDER`; or "
            "make a first run with `longbench-eval demo`."
        )
    found: dict[str, Found] = {}
    for number, folder in enumerate(_folders(root, DEPTH)):
        if number >= MOST_FOLDERS:
            return Walk(found, whole=False)
        if one := _look_at(folder, _name(folder, root)):
            found[one.name] = one
    return Walk(dict(sorted(found.items())))


def _name(folder: Path, root: Path) -> str:
    below = folder.relative_to(root)
    return printable(below if below.parts else Path(root.resolve().name or "runs"))


def _folders(folder: Path, depth: int) -> Iterator[Path]:
    """A folder and those below it; runs, and the predictions/ of what is yielded, are not gone into."""
    yield folder
    if depth == 0 or (folder / MANIFEST).is_file():
        return
    try:
        below = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    except OSError:
        return
    for name in below:
        if not name.startswith(".") and name not in _PASSED_BY and name != "predictions":
            yield from _folders(folder / name, depth - 1)


def _look_at(folder: Path, name: str) -> Found | None:
    is_run = (folder / MANIFEST).is_file()
    inside = folder / "predictions"
    place = inside if inside.is_dir() else folder
    try:
        files = find_files(place, _own_names(place) if is_run else ()) if is_run or _holds_predictions(place) else {}
    except DataError as error:
        # A run without answers has no file yet, which is no problem; two files for one task are one.
        return Found(name, folder, is_run, {}, "" if is_run and not _names(place) else str(error))
    return Found(name, folder, is_run, files) if is_run or files else None


def _own_names(folder: Path) -> list[str]:
    """In a run, what is named after none of the 21 tasks is a task of the user's own."""
    return [path.stem for path in sorted(folder.glob("*.jsonl")) if task_of(path.stem) is None]


def _names(folder: Path) -> list[Path]:
    try:
        return [path for path in sorted(folder.glob("*.jsonl")) if task_of(path.stem)]
    except OSError:
        return []


def _holds_predictions(folder: Path) -> bool:
    """Whether a file that is named after a task holds predictions; those of the data are named alike."""
    return any(_begins_with_prediction(path) for path in _names(folder))


def _begins_with_prediction(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return b'"pred"' in file.readline(_FIRST_BYTES)
    except OSError:
        return False
