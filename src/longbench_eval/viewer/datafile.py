"""One file of rows as an index: where each row begins, its question, and what it is found by."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO

from longbench_eval.dataset.rows import Place, Row, parse_row
from longbench_eval.errors import DataError
from longbench_eval.predictions import Prediction
from longbench_eval.tasks import TASKS, Suite
from longbench_eval.viewer.lines import digest_key, id_key

QUESTION_CHARACTERS = 2000
"""How much of a row's input is kept in memory, for tables and search."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file of rows as an index.

    Attributes:
        where: What it is called in messages.
        sha256: Of the file with LF line ends.
        offsets: Where each row of the suite begins, in bytes.
        lines: Its line number, from 1.
        questions: The beginning of its input.
        by_id: Row numbers by the key of their id.
        by_digest: Row numbers by the key of their answers and length.
    """

    where: str
    sha256: str
    offsets: Sequence[int]
    lines: Sequence[int]
    questions: Sequence[str]
    by_id: Mapping[int, int]
    by_digest: Mapping[int, int]

    def find(self, row: Prediction, digest: int) -> int:
        """The number of the row that a prediction answers: by its id, else by answers and length.

        Raises:
            DataError: There is no such row.
        """
        found = self.by_id.get(id_key(row.id)) if row.id else None
        if found is None:
            found = self.by_digest.get(digest)
        if found is None:
            raise DataError(f"{self.where} has no row that this prediction answers: the run was made from other data.")
        return found


def index_data(suite: Suite, task: str, stream: IO[bytes], where: str) -> DataFile:
    """Go through a file once; rows that are not the suite's are left out.

    Raises:
        DataError: A line is no row of this task.
    """
    digest, offset, starts, numbers, rows = hashlib.sha256(), 0, array("Q"), array("Q"), list[Row]()
    for number, raw in enumerate(stream, 1):
        digest.update(raw[:-2] + b"\n" if raw.endswith(b"\r\n") else raw)
        if not raw.isspace():
            starts.append(offset)
            numbers.append(number)
            rows.append(_without_context(parse_row(raw, task, Place(where, number))))
        offset += len(raw)
    chosen = _of_suite(suite, task, len(rows))
    keep, seen = [rows[i].example for i in chosen], Counter[int]()
    return DataFile(
        where,
        digest.hexdigest(),
        offsets=array("Q", (starts[i] for i in chosen)),
        lines=array("Q", (numbers[i] for i in chosen)),
        questions=[example.input for example in keep],
        by_id={id_key(example.id): place for place, example in enumerate(keep)},
        by_digest={digest_key(example.answers, example.length, seen): place for place, example in enumerate(keep)},
    )


def _without_context(row: Row) -> Row:
    return replace(row, example=replace(row.example, context="", input=row.example.input[:QUESTION_CHARACTERS]))


def _of_suite(suite: Suite, task: str, n: int) -> Sequence[int]:
    """Which rows of a file are the suite's: MiniLongBench takes some of LongBench's."""
    whole = suite.row_numbers is None or n != TASKS[task].rows
    return range(n) if whole or suite.row_numbers is None else suite.row_numbers[task]
