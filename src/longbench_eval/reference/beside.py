"""A run beside published rows: by task and average, and in what the set-ups differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, NamedTuple

from longbench_eval.errors import UsageError
from longbench_eval.reference.published import Published, by_bucket, published, sources
from longbench_eval.scoring.averages import two_decimals
from longbench_eval.scoring.summary import Summary
from longbench_eval.tasks import BUCKETS

NEAREST = 3
# What the published runs are taken to have, as far as they say; the rest of a signature changes nothing they print.
_OFFICIAL = {
    "prompts": ("official",),
    "chat": ("official",),
    "data": ("official", "answers-agree"),
    "profile": ("official",),
    "edit": ("difflib",),
}
_ONLY_IN_OURS = ("limit", "shard", "system", "thinking", "tokens", "context")


class Cell(NamedTuple):
    """A score of the run and the published one; None where there is none."""

    name: str
    run: float | None
    published: float | None

    @property
    def difference(self) -> float | None:
        """By how many points the run is above the published score."""
        return None if self.run is None or self.published is None else self.run - self.published


@dataclass(frozen=True, slots=True)
class Row:
    """The run beside one published model.

    Attributes:
        model: Its name.
        source: A key of `sources()`.
        cells: By task, by average where it is printed; of LongBench-E for each bucket (`qasper 0-4k`).
        distance: The mean absolute difference over the tasks that both have; None without any.
        note: What a reader must know of the published row.
    """

    model: str
    source: str
    cells: tuple[Cell, ...]
    distance: float | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """A run beside published rows, the nearest first.

    Attributes:
        suite: The run's.
        signature: The run's.
        rows: One for each published model.
        differences: In what the run's set-up is not the official one, as its signature says.
    """

    suite: str
    signature: str
    rows: tuple[Row, ...]
    differences: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """For programs; scores on the 0 to 100 scale."""
        rows = [
            {
                "model": row.model,
                "source": row.source,
                "scores": {cell.name: _shape(cell) for cell in row.cells},
                "distance": two_decimals(row.distance),
                "note": row.note or None,
            }
            for row in self.rows
        ]
        used = {row.source: asdict(sources()[row.source]) for row in self.rows}
        head = {"suite": self.suite, "signature": self.signature, "differences": list(self.differences)}
        return {**head, "rows": rows, "sources": used}


def _shape(cell: Cell) -> dict[str, float | None]:
    return {"run": cell.run, "published": cell.published, "difference": two_decimals(cell.difference)}


def set_beside(summary: Summary, model: str | None = None) -> Beside:
    """Set a run beside the published rows of its suite.

    Args:
        summary: Of LongBench or LongBench-E.
        model: Only beside models whose names hold this.

    Raises:
        UsageError: Nothing is published of the suite, or of such a model.
    """
    if summary.suite.name not in ("longbench", "longbench-e"):
        raise UsageError(
            f"No scores are published of the suite {summary.suite.name!r}; of longbench and longbench-e are."
        )
    made = _rows_e(summary, model) if summary.suite.has_buckets else _rows(summary, model)
    rows = sorted(made, key=lambda row: (row.distance is None, row.distance))
    return Beside(summary.suite.name, str(summary.signature), tuple(rows), tuple(differences(summary)))


def _rows(summary: Summary, model: str | None) -> Iterator[Row]:
    averages = {name: two_decimals(part.value) for name, part in summary.named_averages.items()}
    for row in published(model):
        tasks = [
            Cell(name, task.score if (task := summary.tasks.get(name)) else None, row.scores.get(name))
            for name in summary.suite.tasks
        ]
        formed = [Cell(name, value, _average(row, name)) for name, value in averages.items()]
        yield Row(row.model, row.source, (*tasks, *formed), _distance(tasks), row.note)


def _average(row: Published, name: str) -> float | None:
    """The printed average; else the one that its tasks give, which no rounding of averages has touched."""
    printed = (row.printed or {}).get(name)
    return two_decimals(row.averages.get(name)) if printed is None else printed


def _rows_e(summary: Summary, model: str | None) -> Iterator[Row]:
    averages = summary.bucket_averages or {}
    for name, rows in by_bucket(model).items():
        tasks = [
            Cell(f"{task} {bucket}", _bucket_score(summary, task, bucket), rows[bucket].scores.get(task))
            for task in summary.suite.tasks
            for bucket in BUCKETS
        ]
        formed = [
            Cell(f"average {bucket}", two_decimals(averages[bucket].value), (rows[bucket].printed or {}).get("average"))
            for bucket in BUCKETS
        ]
        yield Row(name, rows[BUCKETS[0]].source, (*tasks, *formed), _distance(tasks))


def _bucket_score(summary: Summary, task: str, bucket: str) -> float | None:
    scores: Mapping[str, float | None] = (summary.tasks[task].bucket_scores if task in summary.tasks else None) or {}
    return scores.get(bucket)


def _distance(cells: Sequence[Cell]) -> float | None:
    known = [abs(cell.difference) for cell in cells if cell.difference is not None]
    return fmean(known) if known else None


def differences(summary: Summary) -> Iterator[str]:
    """Say where a run's signature parts from the official set-up, or is silent."""
    choices = summary.signature.choices
    for name, official in _OFFICIAL.items():
        if name not in choices:
            yield f"{name}: not on record"
        elif choices[name] not in official:
            yield f"{name}: {choices[name]}, official is {official[0]}"
    cut = choices.get("trunc")
    if cut is None:
        yield "trunc: not on record; M goes by the window, 3500 for 4k up to 31500 for 32k"
    elif not cut.startswith("middle@") or cut.removeprefix("middle@") not in ("3500", "7500", "15500", "31500"):
        yield f"trunc: {cut}, official is the middle, at 3500, 7500, 15500 or 31500 tokens by the window"
    yield from (f"{name}: {choices[name]}, official has none" for name in _ONLY_IN_OURS if name in choices)
