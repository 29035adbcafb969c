"""Task scores, their averages, and why an average is withheld.

No official code forms averages; these rules give every printed value of the paper's tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from longbench_eval.tasks import BUCKETS, CATEGORIES, TASKS, Language, Suite


class Average(NamedTuple):
    """A value on the 0 to 100 scale, or None and the reason why there is none."""

    value: float | None
    withheld: str = ""


def percent(values: Sequence[float]) -> float | None:
    """100 times the mean; None if empty. Summed in file order as eval.py does: `sum` compensates since Python 3.12."""
    total = 0.0
    for value in values:
        total += value
    return 100 * total / len(values) if values else None


def bucket_of(length: int) -> str:
    """The bucket of LongBench-E that a stored length falls into."""
    return BUCKETS[(length >= 4000) + (length >= 8000)]


def bucket_percents(values: Sequence[float], lengths: Sequence[int]) -> dict[str, float | None]:
    """100 times the mean per length bucket, with numpy's pairwise mean as eval.py does; None for an empty bucket."""
    import numpy as np

    cells: dict[str, list[float]] = {bucket: [] for bucket in BUCKETS}
    for value, length in zip(values, lengths, strict=True):
        cells[bucket_of(length)].append(value)
    return {bucket: float(100 * np.mean(cell)) if cell else None for bucket, cell in cells.items()}


def category_means(
    suite: Suite, scores: Mapping[str, float | None], gaps: Mapping[str, str], languages: Iterable[Language]
) -> dict[str, Average]:
    """Plain means of the suite's tasks in each category.

    Args:
        suite: Whose tasks must be there.
        scores: Task scores, unrounded.
        gaps: Why a task cannot count, by task.
        languages: Count only tasks of these.
    """
    means: dict[str, Average] = {}
    for category in CATEGORIES:
        tasks = [t for t in suite.tasks if TASKS[t].category == category and TASKS[t].language in languages]
        means[category] = _mean({task: Average(scores.get(task), gaps.get(task, "")) for task in tasks})
    return means


def averages_of(
    suite: Suite, scores: Mapping[str, float | None], gaps: Mapping[str, str]
) -> tuple[dict[str, Average], dict[str, Average]]:
    """Form the category means (both languages) and EN, ZH and All, each the mean of six category means."""
    categories = category_means(suite, scores, gaps, ("en", "zh", "code"))
    english = category_means(suite, scores, gaps, ("en", "code"))
    chinese = category_means(suite, scores, gaps, ("zh", "code"))
    return categories, {"EN": _mean(english), "ZH": _mean(chinese), "All": _mean(categories)}


def _mean(parts: Mapping[str, Average]) -> Average:
    reasons = {part.withheld: None for part in parts.values() if part.value is None or part.withheld}
    if reasons or not parts:
        return Average(None, "; ".join(reasons) or "no task")
    values = [part.value for part in parts.values() if part.value is not None]
    return Average(sum(values) / len(values))
