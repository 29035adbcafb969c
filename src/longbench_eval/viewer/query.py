"""Which rows are asked for, and what a row of the answer is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from longbench_eval.viewer.finding import Found
from longbench_eval.viewer.shelf import TaskFile

Sort = Literal["line", "score", "other", "difference", "length", "tokens", "marks"]


@dataclass(frozen=True, slots=True)
class Query:
    """Which rows, in which order.

    Attributes:
        task: A task's name; empty for all of the run.
        other: The run to compare with; None for none.
        sort: By what.
        down: Whether the largest comes first.
        text: What the prediction, an answer, the question or the id must hold, in any case.
        mark: The mark that rows must have.
        score: The tenth that scores must lie in, from 0 to 9.
    """

    task: str = ""
    other: Found | None = None
    sort: Sort = "line"
    down: bool = False
    text: str = ""
    mark: str = ""
    score: int | None = None


class Line(NamedTuple):
    """One row of the table; numbers that are not known are None."""

    file: TaskFile
    position: int
    score: float
    marks: int
    other: float | None
    other_position: int | None

    @property
    def difference(self) -> float | None:
        """What the other run scores more."""
        return None if self.other is None else self.other - self.score
