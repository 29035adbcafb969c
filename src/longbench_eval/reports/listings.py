"""The task table and the suites, for the terminal, the docs and programs: all from `longbench_eval.tasks`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from longbench_eval.tasks import SUITE_NAMES, TASKS, Task, get_suite

_HEADS = ("task", "category", "lang", "metric", "new", "chat", "first", "rows", "in -E")
_SUITE_HEADS = ("suite", "tasks", "rows", "about")
_NUMBERS = {"new", "rows", "tasks", "in -E"}


def _cells(task: Task) -> Sequence[str]:
    flags = ["yes" if flag else "" for flag in (task.chat, task.first_line)]
    even = "/".join(map(str, task.bucket_rows)) if task.bucket_rows else ""
    asked = [task.name, task.category, task.language, task.metric, str(task.max_new_tokens), *flags]
    return [*asked, str(task.rows), even]


def tasks_table() -> Table:
    """The 21 tasks, in 80 columns."""
    return _table(_HEADS, [_cells(task) for task in TASKS.values()])


def tasks_markdown() -> str:
    """The same as a Markdown table."""
    return _markdown(_HEADS, [_cells(task) for task in TASKS.values()])


def tasks_json() -> list[dict[str, Any]]:
    """The same as records."""
    return [asdict(task) for task in TASKS.values()]


def _suite_rows() -> list[Sequence[str]]:
    suites = [get_suite(name) for name in SUITE_NAMES]
    return [[s.name, str(len(s.tasks)), str(sum(s.counts.values())), s.about] for s in suites]


def suites_table() -> Table:
    """The suites."""
    return _table(_SUITE_HEADS, _suite_rows())


def suites_markdown() -> str:
    """The same as a Markdown table."""
    return _markdown(_SUITE_HEADS, _suite_rows())


def suites_json() -> list[dict[str, Any]]:
    """The suites as records."""
    suites = [get_suite(name) for name in SUITE_NAMES]
    return [{"name": s.name, "about": s.about, "tasks": list(s.tasks), "rows": dict(s.counts)} for s in suites]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    for head in heads:
        # Names are never shortened: people copy them.
        table.add_column(head, justify="right" if head in _NUMBERS else "left", no_wrap=head == heads[0])
    for row in rows:
        table.add_row(*row)
    return table


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---:" if head in _NUMBERS else "---" for head in heads]
    return "".join(f"| {' | '.join(line)} |\n" for line in (heads, rule, *rows))
