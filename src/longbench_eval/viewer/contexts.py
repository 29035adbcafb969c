"""Rows of the benchmark, read one at a time: contexts are long, so only where each line begins is kept."""

from __future__ import annotations

import hashlib
import threading
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import IO

from longbench_eval.dataset.rows import Place, Row, parse_row
from longbench_eval.dataset.sources import Source, open_data
from longbench_eval.dataset.templates import load_templates
from longbench_eval.errors import DataError
from longbench_eval.predictions import Prediction
from longbench_eval.records import Example
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


class Contexts:
    """The rows and templates behind runs of any suite.

    Args:
        data: A folder or zip; None for what `data pull` fetched. The demo suite brings its own.
        templates: The template file, if it lies elsewhere.
    """

    def __init__(self, data: Path | None = None, templates: Path | None = None) -> None:
        self._data, self._templates = data, templates
        self._files: dict[str, DataFile] = {}
        self._source: Source | None = None
        self._texts: dict[str, str] = {}
        self._lock = threading.RLock()

    def file(self, suite: Suite, task: str) -> DataFile:
        """The index of a task's rows, made on first use.

        Raises:
            DataError: The file is missing or broken; the message names the command that fetches it.
        """
        key = f"{suite.name}/{task}"
        with self._lock:
            if key not in self._files:
                with self._open(suite, task) as (stream, where):
                    self._files[key] = _index(suite, task, stream, where)
            return self._files[key]

    def example(self, suite: Suite, task: str, number: int) -> Example:
        """One row, context and all.

        Raises:
            DataError: It cannot be read.
        """
        index = self.file(suite, task)
        with self._open(suite, task) as (stream, where):
            _go_to(stream, index.offsets[number])
            return parse_row(stream.readline(), task, Place(where, index.lines[number])).example

    def template(self, suite: Suite, task: str) -> str:
        """A task's template, whether or not it is the official one.

        Raises:
            DataError: There is none.
        """
        with self._lock:
            key = f"{suite.is_longbench}/{task}"
            if key not in self._texts:
                data = self._data if suite.is_longbench else None
                path = self._templates if suite.is_longbench else None
                self._texts[key] = load_templates(suite, (task,), data, path, allow_unofficial=True).texts[task]
            return self._texts[key]

    @contextmanager
    def _open(self, suite: Suite, task: str) -> Iterator[tuple[IO[bytes], str]]:
        name = suite.file_name(task)
        if not suite.is_longbench:
            with (files("longbench_eval") / "dataset" / "demo" / name).open("rb") as stream:
                yield stream, f"demo/{name}"
            return
        if self._source is None:
            self._source = open_data(self._data)
        stem = task + suite.file_suffix
        found = self._source.open(stem)
        if found is None:
            raise DataError(
                f"{self._source.path} lacks {name}: fetch it with `longbench-eval data pull`, and leave out --data."
            )
        with found as stream:
            yield stream, self._source.where(stem)


def _index(suite: Suite, task: str, stream: IO[bytes], where: str) -> DataFile:
    """Go through a file once; rows that are not the suite's are left out."""
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


def _go_to(stream: IO[bytes], offset: int) -> None:
    """Move to a byte; a member of a zip is read up to there."""
    if stream.seekable():
        stream.seek(offset)
        return
    while offset > 0 and (passed := stream.read(min(offset, 1 << 20))):
        offset -= len(passed)
