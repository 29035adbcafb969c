"""Which averaging gives a published average."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import fsum

from longbench_eval.scoring.averages import Average, averages_of, flat_averages
from longbench_eval.scoring.explain.explanation import Explained
from longbench_eval.scoring.explain.written import WHOLE, Committed, Numbers, fits
from longbench_eval.tasks import BUCKETS, TASKS, Suite

Cells = Mapping[str, float]
"""One number a task."""


def _named(name: str) -> Callable[[Suite, Cells], float | None]:
    def average(suite: Suite, cells: Cells) -> float | None:
        parts = {task: Average(cells.get(task), () if task in cells else ("missing",)) for task in suite.tasks}
        found = {**averages_of(suite, parts).overall, **flat_averages(suite, parts)}
        # LongBench-E has English and code only: All is EN, and it has no other.
        return found[name].value if name in found and not (suite.has_buckets and name != "All") else None

    return average


def _flat_all(suite: Suite, cells: Cells) -> float | None:
    """Where it is no other average too."""
    named = ({name for name in TASKS if TASKS[name].language != "zh"}, set(TASKS))
    return _mean(cells.values()) if cells and set(cells) not in named else None


def _mean(numbers: Iterable[float]) -> float | None:
    found = list(numbers)
    return fsum(found) / len(found) if found else None


AVERAGINGS: Mapping[str, tuple[str, Callable[[Suite, Cells], float | None]]] = {
    "EN": ("the mean of six category means over the English tasks and code", _named("EN")),
    "ZH": ("the mean of six category means over the Chinese tasks and code", _named("ZH")),
    "All": ("the mean of the six category means over all tasks", _named("All")),
    "flat-16": ("the plain mean of the 16 English and code tasks", _named("flat-16")),
    "flat-21": ("the plain mean of all 21 tasks", _named("flat-21")),
    "flat": ("the plain mean of the tasks in the file", _flat_all),
}
"""By name: in words, and the average of some tasks' numbers, or None where it cannot be formed of them."""


def explain_average(
    key: str, average: Committed, suite: Suite, published: Mapping[str, Committed], found: Mapping[str, Numbers]
) -> Explained:
    """Find the averaging that gives an average.

    Args:
        key: As in the file.
        average: The published average.
        suite: Whose tasks are averaged.
        published: The published scores, rounded as they are.
        found: The unrounded scores by the rules that reproduce them.
    """
    rounded = {task: {cell: number.value for cell, number in score.items()} for task, score in published.items()}
    sources = {"the published scores": rounded, "the unrounded scores": found}
    fitting: dict[str, str] = {}
    for name, (words, form) in AVERAGINGS.items():
        for source, scores in sources.items():
            if fits(average, {cell: _form(form, suite, scores, cell) for cell in average}):
                fitting.setdefault(name, f"{words}, of {source}")
    if not fitting:
        return Explained(key, average, False, None, f"none of {', '.join(AVERAGINGS)} gives it")
    by, *also = fitting
    return Explained(key, average, True, by, fitting[by], tuple(also))


def _form(
    form: Callable[[Suite, Cells], float | None], suite: Suite, scores: Mapping[str, Numbers], cell: str
) -> float | None:
    """The average of one bucket, or of whole scores; one number for scores by bucket is the mean of the buckets'."""
    if cell == WHOLE and not any(WHOLE in numbers for numbers in scores.values()):
        parts = [form(suite, _cells(scores, bucket)) for bucket in BUCKETS]
        values = [part for part in parts if part is not None]
        return _mean(values) if len(values) == len(parts) else None
    return form(suite, _cells(scores, cell))


def _cells(scores: Mapping[str, Numbers], cell: str) -> Cells:
    cells = {task: numbers.get(cell) for task, numbers in scores.items()}
    return {task: number for task, number in cells.items() if number is not None and number == number}
