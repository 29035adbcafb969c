"""Means of row scores, their averages over tasks, and why an average is withheld.

The official code forms no average over tasks; the rules here give every printed value of the paper's tables.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from math import fsum
from typing import NamedTuple

from longbench_eval.tasks import BUCKETS, CATEGORIES, TASKS, Language, Suite


def percent(values: Sequence[float]) -> float | None:
    """100 times the mean; None if empty. Added up one by one as eval.py does: `sum` compensates since Python 3.12."""
    total = 0.0
    for value in values:
        total += value
    return 100 * total / len(values) if values else None


def bucket_of(length: int) -> str:
    """The bucket of LongBench-E that a stored length falls into."""
    return BUCKETS[(length >= 4000) + (length >= 8000)]


def bucket_percents(values: Sequence[float], lengths: Sequence[int | None]) -> dict[str, float | None]:
    """100 times the mean per length bucket, with numpy's pairwise mean as eval.py does; None for an empty bucket.

    A row without a length is in no bucket.
    """
    import numpy as np  # here, so that scoring LongBench does not wait for it

    cells: dict[str, list[float]] = {bucket: [] for bucket in BUCKETS}
    for value, length in zip(values, lengths, strict=True):
        if length is not None:
            cells[bucket_of(length)].append(value)
    return {bucket: float(100 * np.mean(cell)) if cell else None for bucket, cell in cells.items()}


def two_decimals(value: float | None) -> float | None:
    """Round as `scorer` of eval.py does: correctly, so that 2.675, which is just below the tie, becomes 2.67."""
    return None if value is None else round(value, 2)


def two_decimals_numpy(value: float | None) -> float | None:
    """Round as `scorer_e` of eval.py does, to whom numpy's mean is no Python float: 100 x 2.675 is a tie; 2.68."""
    import numpy as np

    return None if value is None else float(np.round(value, 2))


class Average(NamedTuple):
    """A value on the 0 to 100 scale, or None and the reasons why it is withheld."""

    value: float | None
    withheld: tuple[str, ...] = ()


class Averages(NamedTuple):
    """The means of the six categories, both languages; and EN, ZH and All, each the mean of six category means."""

    categories: Mapping[str, Average]
    overall: Mapping[str, Average]


def mean_of(parts: Collection[Average]) -> Average:
    """The plain mean; withheld, for all their reasons, while parts are."""
    reasons = tuple(dict.fromkeys(chain.from_iterable(part.withheld for part in parts)))
    values = [part.value for part in parts if part.value is not None]
    if reasons or not values:
        return Average(None, reasons or ("no task belongs to it",))
    return Average(fsum(values) / len(values))


def category_means(suite: Suite, cells: Mapping[str, Average], languages: Collection[Language]) -> dict[str, Average]:
    """Average the suite's tasks in these languages by category.

    Args:
        suite: Whose tasks must be there.
        cells: For each of its tasks the unrounded score, or why there is none that can be averaged.
        languages: Which tasks count.
    """
    tasks = [TASKS[name] for name in suite.tasks if TASKS[name].language in languages]
    return {
        category: mean_of([cells[task.name] for task in tasks if task.category == category]) for category in CATEGORIES
    }


def averages_of(suite: Suite, cells: Mapping[str, Average]) -> Averages:
    """Form every average of a suite; the code tasks count in both languages."""
    categories = category_means(suite, cells, ("en", "zh", "code"))
    english = category_means(suite, cells, ("en", "code"))
    chinese = category_means(suite, cells, ("zh", "code"))
    parts = {"EN": english, "ZH": chinese, "All": categories}
    return Averages(categories, {name: mean_of(means.values()) for name, means in parts.items()})


def flat_averages(suite: Suite, cells: Mapping[str, Average]) -> dict[str, Average]:
    """The flat means that circulate: over the 16 English and code tasks, and over all 21; none for LongBench-E."""
    if suite.has_buckets:
        return {}
    english = [cells[name] for name in suite.tasks if TASKS[name].language != "zh"]
    return {"flat-16": mean_of(english), "flat-21": mean_of([cells[name] for name in suite.tasks])}
