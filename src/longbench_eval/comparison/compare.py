"""Comparing runs: read, pair, resample, and say what is not comparable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from longbench_eval.comparison.comparable import check_comparable
from longbench_eval.comparison.contexts import NO_CONTEXTS, load_contexts
from longbench_eval.comparison.effects import Rows, Sum, Workbench
from longbench_eval.comparison.entries import Entry, read_entries
from longbench_eval.comparison.notes import notes_of
from longbench_eval.comparison.pairing import Pairing, pair
from longbench_eval.comparison.records import Comparison, Side
from longbench_eval.errors import DataError, UsageError
from longbench_eval.scoring import get_profile
from longbench_eval.scoring.averages import bucket_of
from longbench_eval.scoring.weights import Cell, weighted_averages
from longbench_eval.signature import Signature
from longbench_eval.stats import Resampling
from longbench_eval.tasks import BUCKETS, Suite

MEAN_OF_TASKS = "mean of tasks"
_HEADLINES = ("All", "EN", "ZH", MEAN_OF_TASKS)


@dataclass(frozen=True, slots=True)
class CompareSettings:
    """What a user decides about a comparison.

    Attributes:
        profile: How to score; a name in `PROFILES`.
        tasks: Which tasks; None for all that every run has.
        data: Where the rows lie, to tell which of them share a context where the predictions do not say.
        allow_mismatch: Compare also runs on other rows or prompts; the notes say so.
        resampling: Seed, number of resamples, level.
    """

    profile: str = "official"
    tasks: tuple[str, ...] | None = None
    data: Path | None = None
    allow_mismatch: bool = False
    resampling: Resampling = field(default_factory=Resampling)

    def check(self) -> None:
        """Refuse what cannot be.

        Raises:
            UsageError: With the value and what was expected.
        """
        chosen = self.resampling
        if not 0 < chosen.level < 1:
            raise UsageError(f"--level is {chosen.level}; expected a share between 0 and 1, such as 0.95.")
        if not 0 <= chosen.seed < 2**63:
            raise UsageError(f"--seed is {chosen.seed}; expected a whole number from 0.")
        if chosen.resamples < 100:
            raise UsageError(f"There are {chosen.resamples} resamples; expected at least 100.")


def compare(*paths: str | Path, settings: CompareSettings = CompareSettings()) -> Comparison:
    """Compare runs with the first of them, over the rows that all have.

    Args:
        paths: Run directories, or folders of official-format predictions.
        settings: How.

    Raises:
        UsageError: A setting is impossible, or the runs are not the same measurement.
        DataError: There are no predictions, a line is broken, or no row is common.
    """
    settings.check()
    entries = read_entries([Path(path) for path in paths], get_profile(settings.profile))
    differing = check_comparable(entries, allow_mismatch=settings.allow_mismatch)
    pairings = _pairings(entries, settings)
    items = _sums(entries, pairings)
    headline = next(name for name in _HEADLINES if any(one.name == name and one.weights for one in items))
    found = Workbench(_cells(entries, pairings), settings.resampling).items(items, headline)
    return Comparison(
        signature=_signature(entries, pairings, settings),
        suite=entries[0].summary.suite,
        profile=settings.profile,
        resampling=settings.resampling,
        sides=tuple(Side(one.letter, one.name, one.path, str(one.summary.signature)) for one in entries),
        items=tuple(found),
        headline=headline,
        notes=tuple(notes_of(entries, pairings, differing)),
    )


def _pairings(entries: Sequence[Entry], settings: CompareSettings) -> dict[str, Pairing]:
    """The paired rows of every task that all runs have; one without common rows is left out."""
    suite = entries[0].summary.suite
    tasks = [task for task in suite.select(settings.tasks) if all(task in entry.summary.tasks for entry in entries)]
    contexts = load_contexts(suite, tasks, settings.data) if settings.data else {}
    files = {task: [entry.summary.tasks[task].rows for entry in entries] for task in tasks}
    pairings = {task: pair(rows, contexts.get(task, NO_CONTEXTS)) for task, rows in files.items()}
    found = {task: pairing for task, pairing in pairings.items() if pairing.n}
    if not found:
        names = " and ".join(entry.name for entry in entries)
        raise DataError(
            f"{names} have no row in common (by id, or by answers and length); expected answers to the same rows"
            f"{' of ' + ', '.join(settings.tasks) if settings.tasks else ''}."
        )
    return found


def _cells(entries: Sequence[Entry], pairings: Mapping[str, Pairing]) -> dict[Cell, Rows]:
    cells: dict[Cell, Rows] = {}
    for task, pairing in pairings.items():
        scores = [[score.value for score in entry.summary.tasks[task].scores] for entry in entries]
        values = np.array([[own[i] for i in where] for own, where in zip(scores, pairing.positions, strict=True)])
        cells[Cell(task)] = Rows(values, pairing.clusters)
        for bucket, chosen in _buckets(entries[0], task, pairing).items():
            cells[Cell(task, bucket)] = Rows(values[:, chosen], [pairing.clusters[i] for i in chosen])
    return cells


def _buckets(entry: Entry, task: str, pairing: Pairing) -> dict[str, list[int]]:
    """For LongBench-E which of the paired rows are in each bucket that has some."""
    found: dict[str, list[int]] = {}
    if entry.summary.suite.has_buckets:
        lengths = [entry.summary.tasks[task].rows[position].length for position in pairing.positions[0]]
        for number, length in enumerate(lengths):
            if length is not None:
                found.setdefault(bucket_of(length), []).append(number)
    return {bucket: found[bucket] for bucket in BUCKETS if bucket in found}


def _sums(entries: Sequence[Entry], pairings: Mapping[str, Pairing]) -> list[Sum]:
    """Every task, bucket, category and average as cells with weights."""
    suite = entries[0].summary.suite
    gaps = {task: _gap(entries, pairings, task) for task in suite.tasks}
    buckets = {task: _buckets(entries[0], task, pairing) for task, pairing in pairings.items()}

    def gap(cell: Cell) -> str:
        if gaps[cell.task] or cell.bucket is None or cell.bucket in buckets[cell.task]:
            return gaps[cell.task]
        return f"{cell.task} has no rows in {cell.bucket}"

    tasks = [Sum(task, "task", {Cell(task): 1.0}) for task in pairings]
    by_length = [Sum(f"{task} {b}", "bucket", {Cell(task, b): 1.0}) for task, some in buckets.items() for b in some]
    averages = [
        Sum(one.name, one.kind, one.weights, one.withheld)
        for one in sorted(weighted_averages(suite, gap), key=lambda one: one.kind != "category")
        if one.kind != "flat"
    ]
    mean = Sum(MEAN_OF_TASKS, "average", {Cell(task): 1 / len(pairings) for task in pairings})
    return [*tasks, *by_length, *averages, mean]


def _gap(entries: Sequence[Entry], pairings: Mapping[str, Pairing], task: str) -> str:
    """Why a task cannot be part of an average: only what all runs have in full can."""
    if task not in pairings:
        return f"{task} is not compared"
    for entry in entries:
        if gap := entry.summary.tasks[task].gap:
            return f"{gap} in {entry.letter}"
    n, expected = pairings[task].n, entries[0].summary.suite.counts[task]
    return f"{task} has {n} of {expected} rows in common" if n < expected else ""


def _signature(entries: Sequence[Entry], pairings: Mapping[str, Pairing], settings: CompareSettings) -> Signature:
    suite: Suite = entries[0].summary.suite
    profile, resampling = get_profile(settings.profile), settings.resampling
    known = {pairing.contexts_known for pairing in pairings.values()}
    return Signature(
        suite.name,
        {
            "compare": "paired",
            "tasks": str(len(pairings)),
            "profile": profile.name,
            "edit": profile.edit,
            "clusters": {1: "contexts" if True in known else "rows", 2: "contexts-in-part"}[len(known)],
            "boot": str(resampling),
            "test": f"signs-{resampling}",
            "correction": "holm",
            "level": f"{resampling.level:g}",
        },
    )
