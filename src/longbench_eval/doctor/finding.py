"""What a check found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from longbench_eval.errors import LongBenchError

Level = Literal["ok", "notice", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    Attributes:
        check: What was looked at, in a word or two.
        level: `problem`: scores would be wrong, or there would be none. `notice`: good to know, or not to be told.
        message: What was found.
        remedy: What mends it; every problem has one.
    """

    check: str
    level: Level
    message: str
    remedy: str = ""

    def to_json(self) -> dict[str, Any]:
        """As it is."""
        return asdict(self)


def ok(check: str, message: str) -> Finding:
    """All is well."""
    return Finding(check, "ok", message)


def notice(check: str, message: str, remedy: str = "") -> Finding:
    """Something to know before the run."""
    return Finding(check, "notice", message, remedy)


def problem(check: str, message: str, remedy: str) -> Finding:
    """Something to mend before the run."""
    return Finding(check, "problem", message, remedy)


def problem_of(check: str, error: LongBenchError) -> Finding:
    """An error of this package, whose last sentence is the remedy."""
    message, dot, remedy = str(error).rstrip().rpartition(". ")
    return problem(check, f"{message}." if dot else str(error), remedy)
