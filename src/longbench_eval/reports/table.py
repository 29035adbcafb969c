"""Scores as a table on the terminal, within 80 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from longbench_eval.scoring.averages import Average
from longbench_eval.scoring.summary import Summary, TaskSummary
from longbench_eval.tasks import BUCKETS

_COUNTS = ("failed", "truncated", "empty", "capped")


def print_summary(summary: Summary, console: Console) -> None:
    """Print tasks, averages, warnings and the signature."""
    console.print(_tasks_table(summary))
    console.print(_averages_table(summary))
    for reason, names in _withheld(summary).items():
        console.print(Text(f"no {', '.join(names)}: {reason}"))
    for line in _warning_lines(summary):
        console.print(Text(f"warning: {line}", style="yellow"))
    console.print(Text(str(summary.signature), style="dim"), soft_wrap=True)


def _tasks_table(summary: Summary) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("task")
    scores = BUCKETS if summary.suite.has_buckets else ("score",)
    for name in ("n", *scores, *_COUNTS):
        table.add_column(name, justify="right")
    for task in summary.tasks.values():
        table.add_row(task.task, _n(task), *_scores(task), *(_count(getattr(task.counts, c)) for c in _COUNTS))
    return table


def _n(task: TaskSummary) -> str:
    return str(task.n) if task.n == task.expected_n else f"{task.n}/{task.expected_n}"


def _scores(task: TaskSummary) -> Sequence[str]:
    values = [task.value] if task.buckets is None else list(task.buckets.values())
    return [_number(value) for value in values]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _count(count: int) -> str:
    return str(count) if count else ""


def _averages(summary: Summary) -> Mapping[str, Average]:
    if summary.bucket_averages is not None:
        return summary.bucket_averages
    return {**summary.categories, **summary.averages}


def _averages_table(summary: Summary) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("average")
    table.add_column("score", justify="right")
    for name, part in _averages(summary).items():
        table.add_row(name, _number(part.value))
    return table


def _withheld(summary: Summary) -> dict[str, list[str]]:
    """Names of averages by the reason why they are withheld; long reasons are cut."""
    reasons: dict[str, list[str]] = {}
    for name, part in _averages(summary).items():
        if part.value is None:
            gaps = part.withheld.split("; ")
            more = f" and {len(gaps) - 3} more" if len(gaps) > 3 else ""
            reasons.setdefault("; ".join(gaps[:3]) + more, []).append(name)
    return reasons


def _warning_lines(summary: Summary) -> list[str]:
    own = [f"{task.task}: {warning}" for task in summary.tasks.values() for warning in task.warnings]
    return [*summary.warnings, *own]
