"""A sweep on the terminal: a table of scores against M, and a bar for each run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from longbench_eval.runs.sweeping import Sweep, SweepPoint

_BAR_WIDTH = 40
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def print_sweep(sweep: Sweep, console: Console) -> None:
    """Print for each way to cut a table and a bar chart, then what a reader must know, and where the runs lie."""
    for way, points in groupby(sweep.points, key=lambda point: point.cut.truncate):
        some = list(points)
        console.print(_table(way, some))
        console.print()
        console.print(_chart(sweep, some, console))
        console.print()
    for line in _notes(sweep):
        console.print(Text(line, style="yellow"))
    for point in sweep.points:
        console.print(Text(f"{point.result.directory}  {point.summary.signature}", style="dim"), soft_wrap=True)


def _table(way: str, points: list[SweepPoint]) -> Table:
    """One column an M, one line a score."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(f"cut {way}, M =", overflow="fold")
    scores = [{record["name"]: record["score"] for record in point.records()} for point in points]
    for point in points:
        table.add_column(_m(point), justify="right", overflow="fold")
    for name in dict.fromkeys(name for known in scores for name in known):
        table.add_row(name, *(f"{known[name]:.2f}" if name in known else "-" for known in scores))
    return table


def _m(point: SweepPoint) -> str:
    asked, kept = point.cut.max_input_tokens, point.kept_tokens
    return str(asked) if kept == asked else f"{asked}\n(kept {kept})"


def _chart(sweep: Sweep, points: list[SweepPoint], console: Console) -> Table:
    """The headline score of each run as a bar; the longest is the best score of the sweep."""
    values = {id(point): _headline(sweep, point) for point in sweep.points}
    top = max(values.values(), default=0.0) or 1.0
    chart = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), pad_edge=False)
    chart.add_column("M", justify="right")
    chart.add_column(sweep.headline, justify="right")
    chart.add_column("")
    for point in points:
        value = values[id(point)]
        chart.add_row(str(point.kept_tokens), f"{value:.2f}", bar(value / top, console))
    return chart


def _headline(sweep: Sweep, point: SweepPoint) -> float:
    return next((record["score"] for record in point.records() if record["name"] == sweep.headline), 0.0)


def bar(share: float, console: Console) -> str:
    """A bar of that share of the full width, in eighths of a character where the terminal has them."""
    try:
        _EIGHTHS.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return "#" * round(share * _BAR_WIDTH)
    whole, eighths = divmod(round(share * _BAR_WIDTH * 8), 8)
    return (_EIGHTHS[-1] * whole + _EIGHTHS[eighths]).rstrip()


def _notes(sweep: Sweep) -> Iterator[str]:
    """Warnings, each once; those of single runs stand with these."""
    found = dict.fromkeys(warning for point in sweep.points for warning in point.summary.warnings)
    yield from (f"warning: {warning}" for warning in found)
    if sweep.failed:
        yield f"warning: {sweep.failed} rows have no answer; the same command asks them again"
