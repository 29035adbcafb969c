"""Which rows share a context, where predictions do not say: told from the data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from longbench_eval.dataset import load_rows, open_source
from longbench_eval.dataset.official import row_digest
from longbench_eval.predictions import Prediction
from longbench_eval.records import Example
from longbench_eval.tasks import Suite


class Contexts(NamedTuple):
    """Hashes of one task's contexts, by the row's id, and by its digest in the order of the data."""

    by_id: Mapping[str, str]
    by_digest: Mapping[str, list[str]]

    def of(self, row: Prediction, occurrence: int) -> str | None:
        """The hash of a row's context; the `occurrence`-th (from 0) of rows with one digest."""
        if row.id is not None and row.id in self.by_id:
            return self.by_id[row.id]
        found = self.by_digest.get(row_digest(row.answers, row.length), [])
        return found[min(occurrence, len(found) - 1)] if found else None


NO_CONTEXTS = Contexts({}, {})


def load_contexts(suite: Suite, tasks: list[str], data: Path) -> dict[str, Contexts]:
    """Read the rows of those tasks that the data have; rows need no proof to tell which share a context.

    Raises:
        DataError: The data are missing or broken.
    """
    there = open_source(data).stems
    some = [task for task in tasks if task + suite.file_suffix in there]
    return {task: _of_rows(rows.examples) for task, rows in load_rows(suite, some, data, allow_unofficial=True).items()}


def _of_rows(examples: Iterable[Example]) -> Contexts:
    by_id: dict[str, str] = {}
    by_digest: dict[str, list[str]] = {}
    for example in examples:
        digest = hashlib.sha256(example.context.encode("utf-8", "surrogatepass")).hexdigest()
        by_id[example.id] = digest
        by_digest.setdefault(row_digest(example.answers, example.length), []).append(digest)
    return Contexts(by_id, by_digest)
