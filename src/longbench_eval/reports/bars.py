"""Scores with their intervals, and a small bar of both, within 80 columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from longbench_eval.scoring.summary import Summary, TaskSummary
from longbench_eval.scoring.weights import Cell
from longbench_eval.stats import Interval
from longbench_eval.tasks import BUCKETS

if TYPE_CHECKING:
    from longbench_eval.scoring.intervals import Uncertainty

_COUNTS = ("failed", "truncated", "empty", "capped")
_BAR_WIDTH = 20


def bar(low: float, high: float, *, width: int = _BAR_WIDTH, ascii_only: bool = False) -> str:
    """A bar from 0 to 100: full up to the interval's lower end, lighter within the interval.

    Args:
        low: The interval's lower end, in points.
        high: Its upper end.
        width: In characters.
        ascii_only: For terminals that have no block characters.
    """
    full, light, none = "#-." if ascii_only else "█░·"
    solid = min(round(low / 100 * width), width)
    # The interval is always to be seen.
    ends = min(max(round(high / 100 * width), solid + 1), width)
    return (full * solid + light * (ends - solid)).ljust(width, none)


def tasks_with_intervals(summary: Summary, known: Uncertainty, console: Console) -> Table:
    """One line a task: score, interval and bar; for LongBench-E scores by length with half their intervals' widths."""
    counts = [name for name in _COUNTS if any(getattr(task.counts, name) for task in summary.tasks.values())]
    by_length = summary.bucket_averages
    heads = list(BUCKETS) if by_length else ["score", _head(known), ""]
    table = _table("task", "n", *heads, *counts)
    for task in summary.tasks.values():
        whole = known.cells.get(Cell(task.task))
        cells = _buckets(task, known, console) if by_length else _scored(task.score, whole, console)
        table.add_row(task.task, _n(task), *cells, *(str(getattr(task.counts, name) or "") for name in counts))
    if by_length:
        averages = [_plus_minus(part.value, known.averages.get(name), console) for name, part in by_length.items()]
        table.add_row("average", "", *averages, style="bold")
    return table


def averages_with_intervals(summary: Summary, known: Uncertainty, console: Console) -> Table:
    """One line an average."""
    table = _table("average", "score", _head(known), "")
    for name, part in summary.all_averages.items():
        table.add_row(name, *_scored(part.value, known.averages.get(name), console))
    return table


def _head(known: Uncertainty) -> str:
    return f"{known.resampling.level:.0%} interval"


def _scored(score: float | None, interval: Interval | None, console: Console) -> list[str]:
    if score is None or interval is None:
        return ["-" if score is None else f"{score:.2f}", "", ""]
    drawn = bar(interval.low, interval.high, ascii_only=not _has_blocks(console))
    return [f"{score:.2f}", f"[{interval.low:.2f}, {interval.high:.2f}]", drawn]


def _has_blocks(console: Console) -> bool:
    try:
        "█░·".encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _buckets(task: TaskSummary, known: Uncertainty, console: Console) -> list[str]:
    scores: Mapping[str, float | None] = task.bucket_scores or {}
    return [_plus_minus(score, known.cells.get(Cell(task.task, bucket)), console) for bucket, score in scores.items()]


def _plus_minus(score: float | None, interval: Interval | None, console: Console) -> str:
    if score is None or interval is None:
        return "-" if score is None else f"{score:.2f}"
    sign = "±" if _has_blocks(console) else "+-"
    return f"{score:.2f}{sign}{(interval.high - interval.low) / 2:.2f}"


def _n(task: TaskSummary) -> str:
    return str(task.n) if task.n == task.expected_n else f"{task.n}/{task.expected_n}"


def _table(name: str, *others: str) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(name, overflow="fold")
    for other in others:
        # A bar is cut where there is no room for it, numbers never.
        table.add_column(other, justify="right", overflow="crop" if not other else "fold", no_wrap=not other)
    return table
