"""Every average of a suite as a weighted sum of its tasks' scores, or of their scores by length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, cast

from longbench_eval.scoring.averages import Average, averages_of, flat_averages
from longbench_eval.tasks import BUCKETS, Suite

Kind = Literal["category", "average", "flat"]


class Cell(NamedTuple):
    """A task's score, whole or of one bucket."""

    task: str
    bucket: str | None = None


class Weighted(NamedTuple):
    """One average; `weights` is empty where it is withheld."""

    name: str
    kind: Kind
    weights: Mapping[Cell, float]
    withheld: tuple[str, ...] = ()


def weighted_averages(suite: Suite, gap: Callable[[Cell], str]) -> list[Weighted]:
    """Every average of a suite; those of LongBench-E are by length, and so are its categories.

    Averages are linear in their parts, so that a part's weight is the average of a suite where it alone is 1: the
    rules stand in `averages.py` and nowhere else.

    Args:
        suite: Which tasks there must be.
        gap: Why a cell cannot be part of an average; empty when it can.
    """
    return [one for bucket in (BUCKETS if suite.has_buckets else (None,)) for one in _of_bucket(suite, bucket, gap)]


def _of_bucket(suite: Suite, bucket: str | None, gap: Callable[[Cell], str]) -> list[Weighted]:
    cells = [Cell(task, bucket) for task in suite.tasks]
    gaps = {cell: why for cell in cells if (why := gap(cell))}
    zero = {cell.task: Average(None, (gaps[cell],)) if cell in gaps else Average(0.0) for cell in cells}
    weights: dict[str, dict[Cell, float]] = {}
    for cell in cells:
        if cell not in gaps:
            for one in _named(suite, {**zero, cell.task: Average(1.0)}, bucket):
                if one.part.value:
                    weights.setdefault(one.name, {})[cell] = one.part.value
    return [
        Weighted(one.name, one.kind, weights.get(one.name, {}), one.part.withheld)
        for one in _named(suite, zero, bucket)
    ]


class _Named(NamedTuple):
    name: str
    kind: Kind
    part: Average


def _named(suite: Suite, cells: Mapping[str, Average], bucket: str | None) -> list[_Named]:
    categories, overall = averages_of(suite, cells)
    if bucket is not None:
        by_length = [_Named(f"{name} {bucket}", "category", part) for name, part in categories.items()]
        return [*by_length, _Named(bucket, "average", overall["All"])]
    flat = flat_averages(suite, cells)
    parts = {"category": categories, "average": overall, "flat": flat}
    return [_Named(name, cast("Kind", kind), part) for kind, named in parts.items() for name, part in named.items()]
