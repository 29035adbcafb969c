"""Scores without the rows that are known to be wrong or impossible, beside those with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longbench_eval.dataset.noise import noise_rows
from longbench_eval.dataset.official import official_digests
from longbench_eval.predictions import Prediction
from longbench_eval.scoring.averages import (
    Average,
    Averages,
    averages_of,
    bucket_percents,
    percent,
    two_decimals,
    two_decimals_numpy,
)
from longbench_eval.scoring.census import digest_of
from longbench_eval.scoring.summary import Summary, TaskSummary
from longbench_eval.tasks import BUCKETS, Suite


@dataclass(frozen=True, slots=True)
class QuietTask:
    """A task without its noisy rows.

    Attributes:
        left_out: How many of its predictions were left out.
        n: How many remain.
        value: The unrounded score of these, on the 0 to 100 scale.
        buckets: The same by length, for LongBench-E.
        gap: Why the task cannot be part of an average.
    """

    left_out: int
    n: int
    value: float | None
    buckets: Mapping[str, float | None] | None = None
    gap: str = ""

    def cell(self, bucket: str | None) -> Average:
        """The score as a part of an average."""
        value = self.value if bucket is None else (self.buckets or {}).get(bucket)
        return Average(None, (self.gap or "no rows",)) if self.gap or value is None else Average(value)

    def to_json(self) -> dict[str, Any]:
        """The key `without_noise` of a task of `score --without-noise --json`."""
        shape: dict[str, Any] = {"score": two_decimals(self.value), "n": self.n, "left_out": self.left_out}
        if self.buckets is not None:
            shape["buckets"] = {bucket: two_decimals_numpy(value) for bucket, value in self.buckets.items()}
        return shape


@dataclass(frozen=True, slots=True)
class Quiet:
    """All tasks without their noisy rows, and the averages: by name, or for LongBench-E the average by length."""

    tasks: Mapping[str, QuietTask]
    averages: Mapping[str, Average]

    @property
    def left_out(self) -> int:
        """How many predictions were left out."""
        return sum(task.left_out for task in self.tasks.values())

    def add_to(self, shape: dict[str, Any]) -> None:
        """Put the scores beside those of `score --json`."""
        for name in shape["tasks"]:
            shape["tasks"][name]["without_noise"] = self.tasks[name].to_json()
        values = {name: two_decimals(part.value) for name, part in self.averages.items()}
        shape["without_noise"] = {"left_out": self.left_out, "averages": values}


def without_noise(summary: Summary) -> Quiet:
    """Average the same row scores again, but for rows that are known to be wrong or impossible."""
    suite = summary.suite
    tasks = {name: _quiet(suite, task) for name, task in summary.tasks.items()}
    if suite.has_buckets:
        return Quiet(tasks, {bucket: _averages(suite, tasks, bucket).overall["All"] for bucket in BUCKETS})
    categories, overall = _averages(suite, tasks, None)
    return Quiet(tasks, {**categories, **overall})


def _averages(suite: Suite, tasks: Mapping[str, QuietTask], bucket: str | None) -> Averages:
    missing = {task: Average(None, (f"{task} is missing",)) for task in suite.tasks}
    return averages_of(suite, missing | {name: task.cell(bucket) for name, task in tasks.items()})


def _quiet(suite: Suite, task: TaskSummary) -> QuietTask:
    noisy = find_noise(suite, task.task, task.rows)
    kept = [place for place in range(len(task.rows)) if place not in noisy]
    values, lengths = [task.scores[place].value for place in kept], [task.rows[place].length for place in kept]
    buckets = bucket_percents(values, lengths) if suite.has_buckets else None
    return QuietTask(len(noisy), len(kept), percent(values), buckets, task.gap)


def find_noise(suite: Suite, task: str, rows: Sequence[Prediction]) -> frozenset[int]:
    """The positions (from 0) of predictions for rows that are left out.

    Rows are told by digest, in any order. Of rows that share one, the first prediction is taken for the first of them,
    and so on; where such a row is repeated, for the last.
    """
    left_out = {n for n, kinds in noise_rows(suite, task).items() if any(kind.left_out for kind in kinds)}
    if not left_out:
        return frozenset()
    digests = official_digests(suite.file_name(task).removesuffix(".jsonl"))
    chosen = range(len(digests)) if suite.row_numbers is None else sorted(suite.row_numbers[task])
    waiting = {digests[number]: [n for n in chosen if digests[n] == digests[number]] for number in left_out}
    found = set()
    for position, row in enumerate(rows):
        if numbers := waiting.get(digest_of(row) or ""):
            number = numbers.pop(0) if len(numbers) > 1 else numbers[0]
            if number in left_out:
                found.add(position)
    return frozenset(found)
