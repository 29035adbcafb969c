"""The records of suspicion: what is seen, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["warning", "notice"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of trouble.

    Attributes:
        slug: Its name.
        sight: What the rows do, as it follows "3 of 200 ".
        cause: The likely cause, one clause.
        remedy: What to do, one clause.
        severity: Whether scores are in doubt (`"warning"`) or only their reading (`"notice"`).
    """

    slug: str
    sight: str
    cause: str
    remedy: str
    severity: Severity = "warning"


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One kind of trouble in the predictions of one task; as a string, one line for people.

    Attributes:
        kind: The kind's name.
        count: How many rows show it.
        n: Of how many.
        threshold: The share of the rows from which it is an alarm; 0 where one row is enough.
        example_row: Position, from 0, of the first row that shows it: in the predictions, for missing rows in the data.
        where: The same for people.
        sight: What the rows do.
        cause: The likely cause.
        remedy: What to do.
        severity: `"warning"`, or `"notice"` where the scores are not in doubt.
    """

    kind: str
    count: int
    n: int
    threshold: float
    example_row: int
    where: str
    sight: str
    cause: str
    remedy: str
    severity: Severity

    def __str__(self) -> str:
        limit = f"; threshold {self.threshold:.0%}" if self.threshold else ""
        return f"{self.count} of {self.n} {self.sight} (first: {self.where}{limit}): {self.cause}; {self.remedy}"


def suspicion(kind: Kind, count: int, n: int, threshold: float, example_row: int, where: str) -> Suspicion:
    """What was counted, with what is known of its kind."""
    return Suspicion(
        kind=kind.slug,
        count=count,
        n=n,
        threshold=threshold,
        example_row=example_row,
        where=where,
        sight=kind.sight,
        cause=kind.cause,
        remedy=kind.remedy,
        severity=kind.severity,
    )
