"""Scores as they were published: figures and where they stand, nothing else of their sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from json import loads
from typing import Any

from longbench_eval.errors import unknown_name
from longbench_eval.scoring.averages import Average, averages_of, flat_averages, mean_of
from longbench_eval.tasks import BUCKETS, TASKS, get_suite

TABLES: Mapping[str, str] = {
    "longbench": "the main table, and other models scored on the same tasks",
    "longbench-e": "the paper's scores by length",
    "retrieval": "the paper's 8 QA tasks on retrieved chunks (E: ada-002, C: Contriever, B: BM25; words x chunks)",
    "summarization": "the paper's 4 summarization tasks on summaries of parts",
    "no-context": "the paper's 8 QA tasks asked without documents",
}


@dataclass(frozen=True, slots=True)
class Source:
    """Where scores were published.

    Attributes:
        where: Paper or repository, and the place in it.
        set_up: What is known of how they were made.
        edit: The edit similarity of the code tasks, where it is known: `difflib` or `levenshtein`.
    """

    where: str
    set_up: str
    edit: str | None


@dataclass(frozen=True, slots=True)
class Published:
    """One published row.

    Attributes:
        table: A name in `TABLES`.
        model: As it is named there; what is in brackets is ours, to tell rows apart.
        source: A key of `sources()`.
        scores: By task, as printed, on the 0 to 100 scale.
        setting: The length bucket, or how the documents were changed; empty for the main table.
        printed: The averages printed beside them: `EN`, `ZH`, `All`, `flat`, or `average`.
        note: What a reader must know.
    """

    table: str
    model: str
    source: str
    scores: Mapping[str, float]
    setting: str = ""
    printed: Mapping[str, float] | None = None
    note: str = ""

    @property
    def averages(self) -> dict[str, float | None]:
        """The averages formed from the printed scores; None where tasks are missing.

        `flat` is the mean of the tasks that there are. LongBench-E has one average, of the six categories.
        """
        suite = get_suite("longbench-e" if self.table == "longbench-e" else "longbench")
        missing = {task: Average(None, (f"{task} is missing",)) for task in TASKS}
        cells = missing | {task: Average(score) for task, score in self.scores.items()}
        flat = mean_of([Average(score) for score in self.scores.values()])
        overall = averages_of(suite, cells).overall
        if suite.has_buckets:
            return {"average": overall["All"].value}
        if self.table != "longbench":
            return {"average": flat.value}
        parts = {**overall, **flat_averages(suite, cells), "flat": flat}
        return {name: part.value for name, part in parts.items()}

    def to_json(self) -> dict[str, Any]:
        """The row for programs; `averages` are those formed from the printed scores, to two decimals."""
        formed = {name: None if value is None else round(value, 2) for name, value in self.averages.items()}
        return {
            "table": self.table,
            "model": self.model,
            "setting": self.setting or None,
            "source": self.source,
            "scores": dict(self.scores),
            "printed": dict(self.printed or {}),
            "averages": formed,
            "note": self.note or None,
        }


def published(model: str | None = None, table: str = "longbench") -> tuple[Published, ...]:
    """The rows of a table.

    Args:
        model: Only those of the models whose names hold this, in any case.
        table: A name in `TABLES`.

    Raises:
        UsageError: There is no such table, or no such model in it; the nearest name is offered.
    """
    if table not in TABLES:
        raise unknown_name("table", table, TABLES, "longbench-eval reference --help")
    rows = tuple(row for row in _rows() if row.table == table)
    if model is None:
        return rows
    exact = tuple(row for row in rows if row.model.lower() == model.lower())
    found = exact or tuple(row for row in rows if model.lower() in row.model.lower())
    if not found:
        raise unknown_name(
            "published model", model, dict.fromkeys(row.model for row in rows), "longbench-eval reference"
        )
    return found


def by_bucket(model: str | None = None) -> dict[str, dict[str, Published]]:
    """The rows of LongBench-E, by model and bucket."""
    rows: dict[str, dict[str, Published]] = {}
    for row in published(model, "longbench-e"):
        rows.setdefault(row.model, dict.fromkeys(BUCKETS, row))[row.setting] = row
    return rows


@cache
def sources() -> Mapping[str, Source]:
    """Where the rows were published, by key."""
    return {key: Source(**one) for key, one in _stored()["sources"].items()}


@cache
def _rows() -> tuple[Published, ...]:
    return tuple(Published(**row) for row in _stored()["rows"])


@cache
def _stored() -> Any:
    return loads((files("longbench_eval") / "reference" / "published.json").read_text("utf-8"))
