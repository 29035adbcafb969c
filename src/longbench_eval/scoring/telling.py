"""Telling the suites apart by the rows that were answered, in incomplete and reordered files too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from longbench_eval.predictions import Prediction
from longbench_eval.scoring.census import Census, take_census
from longbench_eval.tasks import Suite, get_suite

_CLEARLY_SHORTER = 0.75


class Told(NamedTuple):
    """The suite that predictions belong to, which of its rows they are, and what is doubtful about that."""

    suite: Suite
    censuses: Mapping[str, Census]
    doubt: str = ""


class _Candidate(NamedTuple):
    """Predictions as rows of one suite, by task."""

    suite: Suite
    censuses: Mapping[str, Census]

    @property
    def known(self) -> int:
        """How many different rows of the suite there are."""
        return sum(len(census.found) for census in self.censuses.values())

    @property
    def walk(self) -> int:
        """How many rows one passes in the suite's files when going to the found ones in their order."""
        return sum(abs(b - a) for census in self.censuses.values() for a, b in pairwise(census.found))


def tell_suite(files: Mapping[str, Sequence[Prediction]], named_e: bool) -> Told:
    """Tell LongBench, LongBench-E and MiniLongBench apart.

    multifieldqa_en has the same rows in both, and other tasks share some. Then the order decides: predictions of one
    suite, also a part or a mixture of parts of its file, jump about in the file of the other.

    Args:
        files: Predictions by task.
        named_e: Whether the files' names speak for LongBench-E, which counts only where the rows say nothing.
    """
    plain, even = _candidate("longbench", files), _candidate("longbench-e", files)
    if plain.known != even.known:
        return Told(*(_or_mini(plain, files) if plain.known > even.known else even))
    suite, censuses = _by_order(plain, even) or _by_names(plain, even, named_e)
    if not plain.known:
        return Told(suite, censuses)
    doubt = f"LongBench and LongBench-E share these rows; they are taken as those of {suite.name}"
    return Told(suite, censuses, doubt)


def _candidate(name: str, files: Mapping[str, Sequence[Prediction]]) -> _Candidate:
    suite = get_suite(name)
    return _Candidate(
        suite, {task: take_census(suite, task, rows) for task, rows in files.items() if task in suite.tasks}
    )


def _by_order(plain: _Candidate, even: _Candidate) -> _Candidate | None:
    shorter, longer = sorted((plain, even), key=lambda candidate: candidate.walk)
    return shorter if shorter.walk < _CLEARLY_SHORTER * longer.walk else None


def _by_names(plain: _Candidate, even: _Candidate, named_e: bool) -> _Candidate:
    return even if named_e and plain.censuses.keys() == even.censuses.keys() else plain


def _or_mini(plain: _Candidate, files: Mapping[str, Sequence[Prediction]]) -> _Candidate:
    """MiniLongBench where each file holds its rows, all of them and no others; else LongBench."""
    mini = get_suite("minilongbench")
    rows = mini.row_numbers or {}
    whole = all(set(census.found) == set(rows[task]) for task, census in plain.censuses.items())
    return _candidate(mini.name, files) if whole else plain
