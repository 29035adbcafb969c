"""An explanation on the terminal, within 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from longbench_eval.scoring.explain.explanation import Explained, Explanation


def print_explanation(explanation: Explanation, console: Console) -> None:
    """Print a line a task, the averages, what was passed over, and how many scores are reproduced."""
    console.print(_table("task", explanation.tasks))
    if explanation.averages:
        console.print()
        console.print(_table("average", explanation.averages))
    for line in _notes(explanation):
        console.print(Text(line, style="yellow"))
    console.print(Text(explanation.headline, style="bold"))


def _table(name: str, lines: Mapping[str, Explained]) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(name, overflow="fold")
    table.add_column("committed", justify="right", overflow="fold")
    table.add_column("by", overflow="fold", max_width=20)
    table.add_column("detail", overflow="fold", ratio=1)
    for key, line in lines.items():
        table.add_row(key, _committed(line), _by(line), _detail(line))
    return table


def _committed(line: Explained) -> str:
    return "\n".join(map(str, line.committed.values()))


def _by(line: Explained) -> str:
    if line.by is None:
        return "-"
    return line.by if line.reproduced else f"{line.by}?"


def _detail(line: Explained) -> str:
    also = f"; also fits: {', '.join(line.also)}" if line.also else ""
    return f"{line.detail}{also}"


def _notes(explanation: Explanation) -> Iterator[str]:
    yield from (f"warning: {warning}" for warning in explanation.warnings)
    if explanation.unpublished:
        yield f"predictions without a published score: {', '.join(explanation.unpublished)}"
    if explanation.ignored:
        yield f"ignored in {explanation.result}: {', '.join(map(repr, explanation.ignored))}"
