"""The runs and folders that are compared, read and scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from longbench_eval.errors import UsageError
from longbench_eval.files import printable
from longbench_eval.manifest import load_manifest
from longbench_eval.scoring import Profile, Submission, Summary, read_folder, summarize
from longbench_eval.scoring.stored import read_stored


@dataclass(frozen=True, slots=True)
class Entry:
    """One side of a comparison.

    Attributes:
        letter: What tables call it.
        name: What people call it.
        path: As given.
        submission: Its predictions.
        summary: Their scores.
        data: For a run, by task: the proof and the hash of the rows it was asked; empty where unknown.
    """

    letter: str
    name: str
    path: Path
    submission: Submission
    summary: Summary
    data: Mapping[str, Any]


def read_entries(paths: Sequence[Path], profile: Profile) -> list[Entry]:
    """Read and score everything once; row scores that a run has stored are taken as they are.

    Raises:
        UsageError: There are fewer than two, or more than there are letters.
        DataError: One holds no predictions, or a broken line.
    """
    if not 2 <= len(paths) <= len(ascii_uppercase):
        raise UsageError(f"{len(paths)} runs are given; compare takes the one to compare with, and 1 to 25 others.")
    names = _names(paths)
    return [_read(*one, profile) for one in zip(ascii_uppercase, names, paths, strict=False)]


def _read(letter: str, name: str, path: Path, profile: Profile) -> Entry:
    found = read_folder(path)
    stored = read_stored(found.run, found.files, profile) if found.run else None
    summary = summarize(found.signature, found.suite, found.files, profile, found.warnings, found.censuses, stored)
    return Entry(letter, name, path, found, summary, _data(found.run))


def _data(run: Path | None) -> Mapping[str, Any]:
    data = load_manifest(run).evidence.get("data") if run else None
    return data if isinstance(data, dict) else {}


def _names(paths: Sequence[Path]) -> list[str]:
    """The folders' own names; where two are the same, the paths."""
    names = [printable(Path(_own_name(path))) for path in paths]
    often = Counter(names)
    return [name if often[name] == 1 else printable(path) for name, path in zip(names, paths, strict=True)]


def _own_name(path: Path) -> str:
    place = path.resolve()
    return place.parent.name if place.name == "predictions" else place.name or str(place)
