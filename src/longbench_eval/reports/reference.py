"""Published scores on the terminal, within 80 columns, and as Markdown; and a run beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from longbench_eval.reference import Beside, Published, sources
from longbench_eval.reference.beside import NEAREST, Cell, Row
from longbench_eval.reports.columns import columns
from longbench_eval.reports.grid import markdown_text
from longbench_eval.tasks import BUCKETS

Cells = Sequence[str]
_OVERVIEW = ("EN", "ZH", "All", "flat-16", "flat-21", "flat")


def print_published(rows: Sequence[Published], console: Console, *, by_task: bool) -> None:
    """Print rows of one table: the averages of many, every task of a few; and where they were published."""
    for heads, lines in _tables(rows, by_task):
        console.print(columns(heads, lines, gap=1 if len(heads) > 6 else 2))
        console.print()
    for line in _notes(rows):
        console.print(Text(line))


def published_markdown(rows: Sequence[Published], *, by_task: bool) -> str:
    """The same as Markdown."""
    tables = "\n".join(_markdown(heads, lines) for heads, lines in _tables(rows, by_task))
    return tables + "\n" + "".join(f"- {markdown_text(line)}\n" for line in _notes(rows))


def _markdown(heads: Cells, lines: Iterable[Cells]) -> str:
    rule = ["---", *["---:"] * (len(heads) - 1)]
    texts = [[markdown_text(cell) for cell in line] for line in (heads, *lines)]
    return "".join(f"| {' | '.join(line)} |\n" for line in (texts[0], rule, *texts[1:]))


def _tables(rows: Sequence[Published], by_task: bool) -> Iterator[tuple[Cells, list[Cells]]]:
    """Tables of few columns each, so that they fit."""
    if by_task:
        groups: dict[str, list[Published]] = {}
        for row in rows:
            groups.setdefault(row.model, []).append(row)
        yield from (_by_task(model, group) for model, group in groups.items())
    elif rows[0].table == "longbench":
        yield ("model", "tasks", *_OVERVIEW), [_overview(row) for row in rows]
    else:
        yield ("model", "setting", "average"), [(row.model, row.setting, _score(_average(row))) for row in rows]


def _overview(row: Published) -> Cells:
    shown = row.averages | dict(row.printed or {})
    return [row.model, str(len(row.scores)), *(_score(shown.get(name)) for name in _OVERVIEW)]


def _average(row: Published) -> float | None:
    return (row.printed or {}).get("average", row.averages["average"])


def _by_task(model: str, rows: Sequence[Published]) -> tuple[Cells, list[Cells]]:
    tasks = list(dict.fromkeys(task for row in rows for task in row.scores))
    averages = [row.averages | dict(row.printed or {}) for row in rows]
    names = [name for name in averages[0] if any(one.get(name) is not None for one in averages)]
    lines: list[Cells] = [[task, *(_score(row.scores.get(task)) for row in rows)] for task in tasks]
    lines += [[name, *(_score(one.get(name)) for one in averages)] for name in names]
    return (model, *(row.setting or "score" for row in rows)), lines


def _score(value: float | None) -> str:
    """As many decimals as were printed, but at most two."""
    return "-" if value is None else f"{value:.2f}".removesuffix("0")


def _notes(rows: Sequence[Published]) -> Iterator[str]:
    """Sources, each once, and what must be known of single rows."""
    used: dict[str, dict[str, None]] = {}
    for row in rows:
        used.setdefault(row.source, {})[row.model] = None
    for key, models in used.items():
        source = sources()[key]
        edit = f"; edit similarity: {source.edit or 'not said'}" if rows[0].table.startswith("longbench") else ""
        yield f"{', '.join(models)}: {source.where}. {source.set_up[:1].upper()}{source.set_up[1:]}{edit}."
    yield from (f"{row.model}: {row.note}" for row in rows if row.note)


def print_beside(beside: Beside, console: Console, *, most: int = NEAREST) -> None:
    """Print a run beside the published rows that are nearest to it, and how the set-ups differ."""
    rows = beside.rows[:most]
    for table in _beside_e(rows) if beside.suite == "longbench-e" else [_beside(rows)]:
        console.print(table)
        console.print()
    if len(beside.rows) > len(rows):
        nearest = f"the {len(rows)} nearest of {len(beside.rows)} published models"
        console.print(Text(f"{nearest}, by the mean absolute difference over tasks"))
    for line in _set_ups(beside, rows):
        console.print(Text(line))
    console.print(Text(beside.signature, style="dim"), soft_wrap=True)


def _beside(rows: Sequence[Row]) -> Table:
    heads = ("", "run", *(_wrapped(row.model) for row in rows))
    lines = [
        [cells[0].name, _score(cells[0].run), *map(_with_difference, cells)]
        for cells in zip(*(row.cells for row in rows), strict=True)
        if any(cell.run is not None for cell in cells)
    ]
    return columns(heads, [*lines, ["mean difference", "", *(_score(row.distance) for row in rows)]])


def _wrapped(model: str) -> str:
    """A name in lines of 14 characters and less, broken after hyphens."""
    lines = [""]
    for part in model.replace("-", "-\0").replace(" ", "\0").split("\0"):
        gap = "" if not lines[-1] or lines[-1].endswith("-") else " "
        if lines[-1] and len(lines[-1] + gap + part) > 14:
            lines.append(part)
        else:
            lines[-1] += gap + part
    return "\n".join(lines)


def _with_difference(cell: Cell) -> str:
    if cell.difference is None:
        return _score(cell.published)
    return f"{_score(cell.published)} ({cell.difference:+.1f})"


def _beside_e(rows: Sequence[Row]) -> Iterator[Table]:
    """A table a model: by bucket, the published score with the difference of the run to it."""
    for row in rows:
        cells: dict[str, list[str]] = {}
        for cell in row.cells:
            cells.setdefault(cell.name.rpartition(" ")[0], []).extend((_score(cell.run), _with_difference(cell)))
        heads = (f"run, {_wrapped(row.model)}", *(head for bucket in BUCKETS for head in (bucket, "published")))
        yield columns(heads, [[name, *values] for name, values in cells.items()], gap=1)


def _set_ups(beside: Beside, rows: Sequence[Row]) -> Iterator[str]:
    for key, models in _by_source(rows).items():
        source = sources()[key]
        edit = f"; edit similarity: {source.edit or 'not said'}"
        yield f"{', '.join(models)}: {source.where}. {source.set_up[:1].upper()}{source.set_up[1:]}{edit}."
    yield from (f"{row.model}: {row.note}" for row in rows if row.note)
    yield from (f"set-up of this run: {line}" for line in beside.differences)


def _by_source(rows: Sequence[Row]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row.source, []).append(row.model)
    return found
