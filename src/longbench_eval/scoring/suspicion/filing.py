"""Suspicion about which rows a file holds, told from its census."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from longbench_eval.predictions import Prediction
from longbench_eval.scoring.census import Census
from longbench_eval.scoring.suspicion.kinds import Kind
from longbench_eval.scoring.suspicion.moves import moved
from longbench_eval.tasks import Suite


@dataclass(frozen=True, slots=True)
class File:
    """The predictions of one task, and which of the suite's rows they answer."""

    suite: Suite
    rows: Sequence[Prediction]
    census: Census


@dataclass(frozen=True, slots=True)
class RowDetector:
    """A kind of disorder; one row is an alarm.

    Attributes:
        kind: What is wrong.
        find: The positions, from 0, of the rows that show it.
        in_data: Whether these are positions in the data file instead of the predictions.
    """

    kind: Kind
    find: Callable[[File], Sequence[int]]
    in_data: bool = False


def missing(file: File) -> Sequence[int]:
    """Rows of the data that nobody answered; where rows cannot be told, as if the last ones were missing."""
    return file.census.missing or range(file.census.distinct_n, file.census.expected_n)


def doubled(file: File) -> Sequence[int]:
    """Predictions for a row that came before."""
    return file.census.doubled


def foreign(file: File) -> Sequence[int]:
    """Predictions whose answers and length are not those of any row of the task."""
    if file.census.found or not file.census.published:
        return file.census.foreign
    return [position for position, row in enumerate(file.rows) if row.length is not None]


def out_of_order(file: File) -> Sequence[int]:
    """The fewest predictions without which the file has the order of the data."""
    left_out = {*file.census.doubled, *file.census.foreign}
    places = [position for position in range(len(file.rows)) if position not in left_out]
    return [places[index] for index in moved(file.census.found)]


ROW_DETECTORS: tuple[RowDetector, ...] = (
    RowDetector(
        Kind(
            "rows-missing",
            "rows are missing",
            "the run is not finished, a worker died, or rows that were too long were dropped",
            "finish the run before scoring it",
        ),
        missing,
        in_data=True,
    ),
    RowDetector(
        Kind(
            "rows-doubled",
            "predictions answer a row that came before, and count again",
            "a second run was appended to the file of the first, or two workers took the same rows",
            "keep one prediction for each row",
        ),
        doubled,
    ),
    RowDetector(
        Kind(
            "rows-foreign",
            "predictions have answers or a length that no row of this task has",
            "the file is another task's or suite's, or the data are not LongBench's",
            "check the data with `longbench-eval data verify`",
        ),
        foreign,
    ),
    RowDetector(
        Kind(
            "rows-moved",
            "predictions are not in the order of the data",
            "rows were shuffled, sorted or answered by several workers, or come from another copy of the data",
            "nothing for the score; before comparing runs line by line, bring them into one order",
            "notice",
        ),
        out_of_order,
    ),
)
