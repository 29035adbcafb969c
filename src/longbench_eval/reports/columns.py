"""A plain table on the terminal: the first column names, the others are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table


def columns(
    heads: Sequence[str], rows: Iterable[Sequence[str]], bold: Iterable[Sequence[str]] = (), gap: int = 2
) -> Table:
    """Set rows under heads, the bold ones last. On a narrow terminal cells are folded, never cut."""
    table = Table(box=None, header_style="bold", padding=(0, gap, 0, 0), pad_edge=False)
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    for row in bold:
        table.add_row(*row, style="bold")
    return table


def number(value: float | None) -> str:
    """Two decimals; a dash where there is none."""
    return "-" if value is None else f"{value:.2f}"


def percent(value: float | None) -> str:
    """One decimal and the sign."""
    return "-" if value is None else f"{value:.1f}%"


def count(value: int) -> str:
    """A whole number; nothing for 0."""
    return f"{value:,}" if value else ""
