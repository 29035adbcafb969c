"""A comparison as tables: for the terminal within 80 columns, and to paste."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text as RichText

from longbench_eval.comparison.records import Comparison, Effect, Item, Verdict
from longbench_eval.errors import unknown_name
from longbench_eval.reports.grid import Grid, Text, to_csv, to_latex, to_markdown

FORMATS = ("terminal", "markdown", "latex", "csv", "json")

_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
_BOARD_RUNS = 5  # beside the first and the task's name, in 80 columns
_CSV_RUN = ("name", "kind", "n", "clusters", "run", "score", "score_low", "score_high")
_CSV_EFFECT = ("difference", "low", "high", "p", "p_adjusted", "wins", "ties", "losses", "detectable")


def check_format(name: str) -> None:
    """Refuse a format that there is not.

    Raises:
        UsageError: With the nearest one.
    """
    if name not in FORMATS:
        raise unknown_name("format", name, FORMATS)


def stars(p: float) -> str:
    """Marks of significance: * below .05, ** below .01, *** below .001."""
    return next((marks for limit, marks in _STARS if p < limit), "")


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Print the table, what a reader must know, and the signatures."""
    if len(comparison.sides) > 2:
        for start in range(1, len(comparison.sides), _BOARD_RUNS):
            shown = [0, *range(start, min(start + _BOARD_RUNS, len(comparison.sides)))]
            _print_grid(_board(comparison, [comparison.sides[run].letter for run in shown], shown), console)
            console.print()
    for other in range(1, len(comparison.sides)):
        letters = [comparison.sides[0].letter, comparison.sides[other].letter]
        _print_grid(_versus(comparison, other, letters), console)
        console.print()
    for line in caption(comparison):
        console.print(RichText(line))
    for name, signature in _signatures(comparison):
        console.print(RichText(f"{name}: {signature}", style="dim"), soft_wrap=True)


def _print_grid(grid: Grid, console: Console) -> None:
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    for number, head in enumerate(grid.heads):
        table.add_column(head, justify="right" if number else "left", overflow="fold")
    for number, section in enumerate(grid.sections):
        if number:
            table.add_row()
        for row in section:
            table.add_row(*(RichText(cell.text + cell.marks, style=_style(cell)) for cell in row))
    console.print(table)


def _style(cell: Text) -> str:
    return " ".join(filter(None, ("bold" if cell.bold else "", cell.style)))


def paste(comparison: Comparison, form: str) -> str:
    """The comparison as `markdown`, `latex` or `csv`; names of runs stand in the heads."""
    if form == "csv":
        return to_csv((*_CSV_RUN, *_CSV_EFFECT), list(_csv_rows(comparison)))
    names = [side.name for side in comparison.sides]
    grid = _versus(comparison, 1, names) if len(names) == 2 else _board(comparison, names, range(len(names)))
    return to_markdown(grid) if form == "markdown" else to_latex(grid)


def _versus(comparison: Comparison, other: int, names: Sequence[str]) -> Grid:
    """One run against the first: scores, difference, interval, p, rows won and lost."""
    first, second = names
    apart = f"{second}-{first}" if len(first) == len(second) == 1 else "difference"
    level = f"{comparison.resampling.level:.0%} interval"
    heads = ("", first, second, apart, level, "p", "win/tie/loss")
    return _grid(comparison, heads, lambda item: _versus_row(item, other))


def _versus_row(item: Item, other: int) -> list[Text]:
    effect, marks = item.effects[other - 1], stars(item.effects[other - 1].p_adjusted)
    scores = [item.scores[0], item.scores[other]]
    style = ("green" if effect.difference > 0 else "red") if marks else ""
    return [
        Text(item.name),
        *_scores(scores, ["", ""]),
        Text(f"{effect.difference:+.2f}", marks=marks, style=style),
        Text(f"[{effect.interval.low:+.2f},{effect.interval.high:+.2f}]"),
        Text(_p(effect.p_adjusted)),
        Text(f"{effect.wins}/{effect.ties}/{effect.losses}"),
    ]


def _board(comparison: Comparison, names: Sequence[str], runs: Sequence[int]) -> Grid:
    """Runs side by side, marked where they differ from the first; the best of all of them is bold."""
    return _grid(comparison, ("", "n", *names), lambda item: _board_row(item, runs))


def _board_row(item: Item, runs: Sequence[int]) -> list[Text]:
    marks = ["", *(stars(effect.p_adjusted) for effect in item.effects)]
    scores = _scores(item.scores, marks)
    return [Text(item.name), Text(str(item.n)), *(scores[run] for run in runs)]


def _scores(scores: Sequence[float], marks: Sequence[str]) -> list[Text]:
    """The best in bold, as it is printed: several where they print the same."""
    printed = [f"{score:.2f}" for score in scores]
    best = max(printed, key=float)
    bold = [text == best and len(set(printed)) > 1 for text in printed]
    return [Text(*cell) for cell in zip(printed, bold, marks, strict=True)]


def _grid(comparison: Comparison, heads: Sequence[str], row: Any) -> Grid:
    sections = [[row(item) for item in group] for _, group in groupby(comparison.shown, lambda item: item.kind)]
    return Grid(heads, sections, caption(comparison), _signatures(comparison))


def _p(p: float) -> str:
    return "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def _signatures(comparison: Comparison) -> list[tuple[str, str]]:
    sides = [(f"{side.letter} = {side.name}", side.signature) for side in comparison.sides]
    return [*sides, ("comparison", str(comparison.signature))]


def caption(comparison: Comparison) -> list[str]:
    """How to read the table, and what a reader must know."""
    headline = comparison.by_name[comparison.headline]
    level = f"{comparison.resampling.level:.0%}"
    seen = [f"{effect.detectable:.2f}" for effect in headline.effects if effect.detectable is not None]
    power = f"a true difference of {' / '.join(seen)} points in {headline.name} is found with 80% power"
    return [
        f"n = {sum(item.n for item in comparison.items if item.kind == 'task')} rows of "
        f"{sum(item.kind == 'task' for item in comparison.items)} tasks that all runs have",
        f"{level} interval: paired bootstrap; p: paired permutation test, two-sided, Holm-corrected "
        f"{_families(comparison)}; * p < .05, ** p < .01, *** p < .001",
        *([power] if seen else []),
        *_not_formed(comparison),
        *comparison.notes,
    ]


def _families(comparison: Comparison) -> str:
    kinds: list[str] = [item.kind for item in comparison.shown if item.name != comparison.headline]
    names = {"task": "tasks", "category": "categories", "average": "averages"}
    counts = {name: kinds.count(kind) * (len(comparison.sides) - 1) for kind, name in names.items()}
    told = ", ".join(f"{name} (of {count})" for name, count in counts.items() if count)
    return f"within {told}; {comparison.headline} is tested apart"


_MOST_REASONS = 5


def _not_formed(comparison: Comparison) -> Iterator[str]:
    """Averages that could not be formed, and why; which reason keeps which back is in the JSON."""
    withheld = [item for item in comparison.items if not item.scores]
    reasons = list(dict.fromkeys(reason for item in withheld for reason in item.withheld))
    if withheld:
        more = f"; and {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
        names = ", ".join(item.name for item in withheld)
        yield f"not formed: {names} ({'; '.join(reasons[:_MOST_REASONS])}{more})"


def _csv_rows(comparison: Comparison) -> Iterator[list[str | int | float | None]]:
    """A row for each run on each item; the first run is compared with nothing."""
    for item in (item for item in comparison.items if item.scores):
        for number, side in enumerate(comparison.sides):
            interval = item.intervals[number]
            score = [round(value, 4) for value in (item.scores[number], interval.low, interval.high)]
            effect = _csv_effect(item.effects[number - 1]) if number else [None] * len(_CSV_EFFECT)
            yield [item.name, item.kind, item.n, item.clusters, side.name, *score, *effect]


def _csv_effect(effect: Effect) -> list[str | int | float | None]:
    points = (effect.difference, effect.interval.low, effect.interval.high)
    chance = [round(effect.p, 6), round(effect.p_adjusted, 6), effect.wins, effect.ties, effect.losses]
    return [*(round(value, 4) for value in points), *chance, effect.detectable and round(effect.detectable, 4)]


def verdict_line(verdict: Verdict) -> str:
    """What the gate says of one run."""
    than = f"by more than {verdict.points:g} points" if verdict.points else "at all"
    words = {
        "worse": f"worse {than}",
        "not worse": f"not worse {than}",
        "cannot tell": f"cannot tell whether it is worse {than}",
    }
    return f"{verdict.run}: {words[verdict.outcome]} on {verdict.on} ({verdict.reason})"
