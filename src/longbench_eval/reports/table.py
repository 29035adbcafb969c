"""Scores as a table on the terminal, within 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.console import Console
from rich.table import Table
from rich.text import Text

from longbench_eval.reports.suites import suite_tables
from longbench_eval.scoring.cuts import headline
from longbench_eval.scoring.summary import Summary, TaskSummary
from longbench_eval.tasks import BUCKETS

_COUNTS = ("failed", "truncated", "empty", "capped")
_UNFINISHED = "unfinished"  # for models that think
_SHOWN_REASONS = 5


def print_summary(summary: Summary, console: Console) -> None:
    """Print tasks, averages, what is withheld and why, warnings and the signature."""
    console.print(_tasks_table(summary, console))
    if any(part.value is not None for part in summary.all_averages.values()) and not summary.bucket_averages:
        console.print()
        console.print(_averages_table(summary, console))
    for extra in suite_tables(summary):
        console.print()
        console.print(extra)
    if reasons := _reasons(summary):
        console.print(Text(f"averages withheld (-): {reasons}"))
    if cuts := headline(summary):
        console.print(Text(cuts))
    for line in (*_warning_lines(summary), *_suspicion_lines(summary)):
        console.print(Text(line, style="yellow"))
    console.print(Text(str(summary.signature), style="dim"), soft_wrap=True)


def _tasks_table(summary: Summary, console: Console) -> Table:
    """One line a task; for LongBench-E a last line has the averages by length."""
    if summary.uncertainty:
        from longbench_eval.reports.bars import tasks_with_intervals  # here: it brings numpy

        return tasks_with_intervals(summary, summary.uncertainty, console)
    by_length = summary.bucket_averages
    counts = (*_COUNTS, _UNFINISHED) if any(task.counts.unfinished for task in summary.tasks.values()) else _COUNTS
    table = _table("task", "n", *(BUCKETS if by_length else ["score"]), *counts)
    for task in summary.tasks.values():
        table.add_row(task.task, _n(task), *_scores(task), *(_count(getattr(task.counts, c)) for c in counts))
    if by_length:
        table.add_row("average", "", *(_number(part.value) for part in by_length.values()), style="bold")
    return table


def _averages_table(summary: Summary, console: Console) -> Table:
    if summary.uncertainty:
        from longbench_eval.reports.bars import averages_with_intervals

        return averages_with_intervals(summary, summary.uncertainty, console)
    table = _table("average", "score")
    for name, part in summary.all_averages.items():
        table.add_row(name, _number(part.value))
    return table


def _table(name: str, *numbers: str) -> Table:
    # Ten columns of LongBench-E fit with single spaces. On a narrower terminal cells are folded, never cut.
    gap = 1 if len(numbers) > len(_COUNTS) + 2 else 2
    table = Table(box=None, header_style="bold", padding=(0, gap, 0, 0), pad_edge=False)
    table.add_column(name, overflow="fold")
    for number in numbers:
        table.add_column(number, justify="right", overflow="fold")
    return table


def _n(task: TaskSummary) -> str:
    return str(task.n) if task.n == task.expected_n else f"{task.n}/{task.expected_n}"


def _scores(task: TaskSummary) -> list[str]:
    buckets = task.bucket_scores
    return [_number(value) for value in ([task.score] if buckets is None else buckets.values())]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _count(count: int) -> str:
    return str(count) if count else ""


def _reasons(summary: Summary) -> str:
    """Why averages are withheld; whatever keeps a category from its mean keeps All from its too."""
    parts = summary.bucket_averages or summary.averages
    reasons = list(dict.fromkeys(chain.from_iterable(part.withheld for part in parts.values())))
    more = len(reasons) - _SHOWN_REASONS
    return "; ".join(reasons[:_SHOWN_REASONS]) + (f"; and {more} more" if more > 0 else "")


def _warning_lines(summary: Summary) -> Iterator[str]:
    yield from (f"warning: {warning}" for warning in summary.warnings)
    for task in summary.tasks.values():
        yield from (f"warning: {task.task}: {warning}" for warning in task.warnings)


def _suspicion_lines(summary: Summary) -> Iterator[str]:
    """One line a kind, with the tasks that show it."""
    for group in summary.suspicions_by_kind:
        first = group[0][1]
        where = ", ".join(f"{task} {found.count}/{found.n} ({found.where})" for task, found in group)
        yield f"{first.severity}: {where} {first.sight}: {first.cause}; {first.remedy}"


def print_profiles(summaries: Sequence[Summary], console: Console) -> None:
    """Print the scores of several profiles side by side, over the same predictions."""
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("task", overflow="fold")
    for summary in summaries:
        table.add_column(summary.profile.replace("official-", "official-\n"), justify="right")
    for row in _profile_rows(summaries):
        table.add_row(*row)
    console.print(table)
    for summary in summaries:
        console.print(Text(str(summary.signature), style="dim"), soft_wrap=True)


def _profile_rows(summaries: Sequence[Summary]) -> Iterator[list[str]]:
    for task in summaries[0].tasks:
        for bucket in summaries[0].tasks[task].bucket_scores or [None]:
            scored = [summary.tasks[task] for summary in summaries]
            values = [one.score if bucket is None else (one.bucket_scores or {})[bucket] for one in scored]
            yield [task if bucket is None else f"{task} {bucket}", *map(_number, values)]
    for name in summaries[0].named_averages:
        yield [name, *(_number(summary.named_averages[name].value) for summary in summaries)]
