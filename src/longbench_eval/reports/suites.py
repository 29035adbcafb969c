"""Tables that only one suite has: LongBench-E's curve over lengths, and what MiniLongBench's rows tell of all rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.table import Table

from longbench_eval.reports.columns import columns, number, percent
from longbench_eval.scoring.curve import FIRST, LAST, Points, curve_of
from longbench_eval.scoring.estimate import Part, estimate
from longbench_eval.scoring.summary import Summary


def suite_tables(summary: Summary) -> Iterator[Table]:
    """The tables of the summary's suite."""
    if summary.suite.has_buckets:
        yield curve_table(summary)
    if summary.suite.name == "minilongbench":
        yield from estimate_tables(summary)


def curve_table(summary: Summary) -> Table:
    """First bucket against last: of every task and category, and of the average."""
    curve = curve_of(summary)
    # A category of a run that lacks tasks says nothing.
    shown = {name: points for name, points in curve.categories.items() if any(points.values.values())}
    rows = [_curve_row(name, points) for name, points in (*curve.tasks.items(), *shown.items())]
    return columns(
        ("from short to long", FIRST, LAST, "drop", "drop in %"), rows, [_curve_row("average", curve.average)]
    )


def _curve_row(name: str, points: Points) -> list[str]:
    ends = (points.values[FIRST], points.values[LAST], points.points)
    return [name, *map(number, ends), percent(points.percent)]


def estimate_tables(summary: Summary) -> Iterator[Table]:
    """MiniLongBench's own averages, and the scores of all 4,750 rows as estimated."""
    made = estimate(summary)
    if any(part.value is not None for part in made.averages.values()):
        yield columns(("MiniLongBench", "score"), [(name, number(part.value)) for name, part in made.averages.items()])
    parts: Mapping[str, Part] = {**made.tasks, **made.categories, **made.overall}
    if any(parts.values()):
        rows = [_estimate_row(name, one) for name, one in parts.items() if one is not None]
        yield columns(("LongBench, estimated", "score", "95% interval"), rows)


def _estimate_row(name: str, one: Part) -> list[str]:
    return [name, "-", ""] if one is None else [name, number(one.score), f"{one.low:.1f} to {one.high:.1f}"]
