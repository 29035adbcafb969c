"""How scores fall with the length of the input: LongBench-E from its first bucket to its last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from longbench_eval.errors import UsageError
from longbench_eval.scoring.averages import Average, Averages, averages_of, two_decimals, two_decimals_numpy
from longbench_eval.scoring.summary import Summary
from longbench_eval.tasks import BUCKETS

FIRST, LAST = BUCKETS[0], BUCKETS[-1]


@dataclass(frozen=True, slots=True)
class Points:
    """Unrounded scores by bucket, on the 0 to 100 scale; None where there is none, or it is withheld."""

    values: Mapping[str, float | None]

    @property
    def points(self) -> float | None:
        """How many points the last bucket is below the first; negative where it is above."""
        first, last = self.values[FIRST], self.values[LAST]
        return None if first is None or last is None else first - last

    @property
    def percent(self) -> float | None:
        """The same in percent of the first bucket's score; None also where that is 0."""
        first, points = self.values[FIRST], self.points
        return 100 * points / first if first and points is not None else None


@dataclass(frozen=True, slots=True)
class Curve:
    """The scores of a LongBench-E summary over lengths: of each task, of the six categories, and their average."""

    tasks: Mapping[str, Points]
    categories: Mapping[str, Points]
    average: Points

    def to_json(self) -> dict[str, Any]:
        """The key `curve` of `score --json`; task scores are rounded as the official scorer does."""
        return {
            "from": FIRST,
            "to": LAST,
            "tasks": {name: _task_shape(points) for name, points in self.tasks.items()},
            "categories": {name: _shape(points) for name, points in self.categories.items()},
            "average": _shape(self.average),
        }


def curve_of(summary: Summary) -> Curve:
    """Take the curve of a summary.

    Raises:
        UsageError: It is not LongBench-E's.
    """
    if not summary.suite.has_buckets:
        raise UsageError(f"Scores of the suite {summary.suite.name!r} are not by length; the curve is LongBench-E's.")
    # Of a task that has lost rows too, as its scores by bucket are shown: only averages are withheld for that.
    tasks = {name: Points(task.buckets) for name, task in summary.tasks.items() if task.buckets}
    by_bucket = {bucket: _averages(summary, bucket) for bucket in BUCKETS}
    names = by_bucket[FIRST].categories
    categories = {name: Points({b: by_bucket[b].categories[name].value for b in BUCKETS}) for name in names}
    return Curve(tasks, categories, Points({b: by_bucket[b].overall["All"].value for b in BUCKETS}))


def _averages(summary: Summary, bucket: str) -> Averages:
    """The averages of one bucket; a task that is missing or incomplete withholds its own."""
    missing = {task: Average(None, (f"{task} is missing",)) for task in summary.suite.tasks}
    return averages_of(summary.suite, missing | {name: task.cell(bucket) for name, task in summary.tasks.items()})


def _shape(points: Points) -> dict[str, float | None]:
    return {name: two_decimals(value) for name, value in points.values.items()} | _drop(points)


def _task_shape(points: Points) -> dict[str, float | None]:
    return {name: two_decimals_numpy(value) for name, value in points.values.items()} | _drop(points)


def _drop(points: Points) -> dict[str, float | None]:
    return {"points": two_decimals(points.points), "percent": two_decimals(points.percent)}
