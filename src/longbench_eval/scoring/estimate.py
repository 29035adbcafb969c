"""What MiniLongBench's 237 rows tell: their own averages, and the score of all 4,750 rows estimated from them.

A task's few rows are no fair sample of it: on public runs those of lsht score 29 points more than all its rows. So the
task's score on all rows is estimated by a line through those runs, with a slope that is drawn towards 1, and the error
is what the line makes of a run that it was not fitted to. The lines are data, written by `benchmarks/minilongbench.py`,
which also says how well they do; docs/minilongbench.md tells it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from json import loads
from math import sqrt
from typing import Any

from longbench_eval.errors import UsageError
from longbench_eval.scoring.averages import Average, averages_of, flat_averages, mean_of, two_decimals
from longbench_eval.scoring.summary import Summary
from longbench_eval.scoring.weights import weighted_averages
from longbench_eval.tasks import TASKS, Suite, get_suite

LEVEL = 0.95
PROFILE = "official"  # the lines are those of its scores
# Student's t for a two-sided interval at that level, by degrees of freedom from 1.
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)


@dataclass(frozen=True, slots=True)
class Line:
    """How a task's score on all rows follows from that on its few.

    Attributes:
        mini: The mean score of the runs it was fitted to, on the few rows; 0 to 100.
        full: The same on all rows.
        slope: Points on all rows for a point on the few.
        error: Root mean square of the error for a run that was left out of the fit, in points.
        runs: How many runs there were.
    """

    mini: float
    full: float
    slope: float
    error: float
    runs: int

    def at(self, mini: float) -> float:
        """The estimate for a score on the few rows."""
        return within(self.full + self.slope * (mini - self.mini))


@dataclass(frozen=True, slots=True)
class Estimated:
    """A score of the full suite, and the interval that is to hold it, on the 0 to 100 scale."""

    score: float
    low: float
    high: float

    def to_json(self) -> dict[str, Any]:
        """With two decimals."""
        return {"score": two_decimals(self.score), "interval": [two_decimals(self.low), two_decimals(self.high)]}


Part = Estimated | None


@dataclass(frozen=True, slots=True)
class MiniLongBench:
    """MiniLongBench's averages, and estimates of LongBench's scores; None where they cannot be formed.

    Attributes:
        averages: EN and ZH, which are flat means of tasks there, and ALL, the mean of the six categories.
        tasks: The estimated scores of the tasks.
        categories: Of the six categories.
        overall: Of EN, ZH and All as LongBench's paper forms them, and the flat means.
        reason: Why nothing is estimated; empty otherwise.
    """

    averages: Mapping[str, Average]
    tasks: Mapping[str, Part]
    categories: Mapping[str, Part]
    overall: Mapping[str, Part]
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """The key `minilongbench` of `score --json`."""
        parts = {"tasks": self.tasks, "categories": self.categories, "averages": self.overall}
        shapes = {key: {name: one and one.to_json() for name, one in part.items()} for key, part in parts.items()}
        return {
            "averages": {name: two_decimals(part.value) for name, part in self.averages.items()},
            "estimated": {"level": LEVEL, **shapes, "reason": self.reason or None},
        }


def estimate(summary: Summary) -> MiniLongBench:
    """Average the 237 rows as MiniLongBench does, and estimate the score of all rows.

    Raises:
        UsageError: The summary is not MiniLongBench's.
    """
    if summary.suite.name != "minilongbench":
        raise UsageError(f"These are scores of {summary.suite.name!r}; the estimate is made from MiniLongBench's rows.")
    missing = {task: Average(None, (f"{task} is missing",)) for task in TASKS}
    cells = missing | {name: task.cell() for name, task in summary.tasks.items()}
    own = own_averages(summary.suite, cells)
    if summary.profile != PROFILE:
        return MiniLongBench(own, {}, {}, {}, f"estimates are made of scores of the profile {PROFILE!r} only")
    return _estimated(own, {task: part.value for task, part in cells.items()}, lines())


def own_averages(suite: Suite, cells: Mapping[str, Average]) -> dict[str, Average]:
    """EN and ZH as flat means of 16 and 5 tasks, ALL as the mean of the six categories.

    Source: eval_new_llm_directly.ipynb of MilkThink-Lab/MiniLongBench.
    """
    chinese = [cells[name] for name in suite.tasks if TASKS[name].language == "zh"]
    english = [cells[name] for name in suite.tasks if TASKS[name].language != "zh"]
    return {"EN": mean_of(english), "ZH": mean_of(chinese), "ALL": averages_of(suite, cells).overall["All"]}


@cache
def lines() -> Mapping[str, Line]:
    """The line of each task."""
    stored = loads((files("longbench_eval") / "scoring" / "minilongbench.json").read_text("utf-8"))
    return {task: Line(**line) for task, line in stored.items()}


def estimate_scores(mini: Mapping[str, float | None], by: Mapping[str, Line]) -> MiniLongBench:
    """Estimate from scores on the few rows, by task; None or absent where there is none."""
    return _estimated({}, mini, by)


def _estimated(own: Mapping[str, Average], mini: Mapping[str, float | None], by: Mapping[str, Line]) -> MiniLongBench:
    known = {task: by[task].at(value) for task in TASKS if (value := mini.get(task)) is not None and task in by}
    tasks = {task: _interval(known[task], by[task].error, by[task].runs) if task in known else None for task in TASKS}
    cells = {task: Average(known[task]) if task in known else Average(None, (task,)) for task in TASKS}
    groups = {name: _average(name, part, by) for name, part in _all_averages(cells).items()}
    categories = {name: groups.pop(name) for name in averages_of(_FULL, cells).categories}
    return MiniLongBench(own, tasks, categories, groups)


def _average(name: str, part: Average, by: Mapping[str, Line]) -> Part:
    """Errors of tasks are taken as independent of each other, which those of the public runs are."""
    if part.value is None:
        return None
    weights = _weights()[name]
    error = sqrt(sum((weight * by[task].error) ** 2 for task, weight in weights.items()))
    return _interval(part.value, error, min(by[task].runs for task in weights))


def _interval(score: float, error: float, runs: int) -> Estimated:
    half = _T[min(runs, len(_T)) - 1] * error
    return Estimated(score, within(score - half), within(score + half))


def within(score: float) -> float:
    """The nearest score there can be."""
    return min(100.0, max(0.0, score))


_FULL = get_suite("longbench")


def _all_averages(cells: Mapping[str, Average]) -> dict[str, Average]:
    categories, overall = averages_of(_FULL, cells)
    return {**categories, **overall, **flat_averages(_FULL, cells)}


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    """The weight of each task in each average."""
    averages = weighted_averages(_FULL, lambda cell: "")
    return {one.name: {cell.task: weight for cell, weight in one.weights.items()} for one in averages}
