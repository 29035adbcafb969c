"""What is compared: the paired rows of tasks and buckets, and the averages that may be formed of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from longbench_eval.comparison.effects import Rows, Sum
from longbench_eval.comparison.entries import Entry
from longbench_eval.comparison.pairing import Pairing
from longbench_eval.scoring.averages import bucket_of
from longbench_eval.scoring.weights import Cell, weighted_averages
from longbench_eval.tasks import BUCKETS

MEAN_OF_TASKS = "mean of tasks"


def paired_cells(entries: Sequence[Entry], pairings: Mapping[str, Pairing]) -> dict[Cell, Rows]:
    """The row scores of every run in each task, and for LongBench-E in each bucket of it."""
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


def sums_of(entries: Sequence[Entry], pairings: Mapping[str, Pairing]) -> list[Sum]:
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
    official = [task for task in pairings if not suite.is_own(task)] or list(pairings)
    mean = Sum(MEAN_OF_TASKS, "average", {Cell(task): 1 / len(official) for task in official})
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
