"""Searching in texts that are not kept: files are read again, row by row, for a bounded time."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from longbench_eval.errors import LongBenchError
from longbench_eval.predictions import Prediction
from longbench_eval.viewer.query import Line
from longbench_eval.viewer.shelf import Shelf, TaskFile

SEARCH_SECONDS = 5.0  # then what was found so far is shown, and said to be not all


def search(shelf: Shelf, lines: list[Line], text: str) -> tuple[list[Line], bool]:
    """Keep the rows that hold a text, in any case, and tell whether there was time to look at all of them."""
    if not text:
        return lines, True
    needle, until, found = text.casefold(), monotonic() + SEARCH_SECONDS, list[Line]()
    for line in lines:
        if monotonic() > until:
            return found, False
        row = line.file.lines.read(line.position)
        if any(needle in part.casefold() for part in _texts(shelf, line, row)):
            found.append(line)
    return found, True


def _texts(shelf: Shelf, line: Line, row: Prediction) -> Iterator[str]:
    yield row.pred
    yield from row.answers
    yield row.id or ""
    yield question_of(shelf, line.file, line.position, row) or ""


def question_of(shelf: Shelf, file: TaskFile, position: int, row: Prediction) -> str | None:
    """The beginning of a row's question; None where the data are not at hand."""
    try:
        index = shelf.contexts.file(file.suite, file.task)
        return index.questions[index.find(row, file.lines.digests[position])]
    except LongBenchError:
        return None
