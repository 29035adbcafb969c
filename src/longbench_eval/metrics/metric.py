"""What a metric is: one prediction against one reference answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

Classes: TypeAlias = Sequence[str] | None
"""The label set of a row; only classification looks at it."""


class Metric(Protocol):
    """A pure function from one prediction and one reference answer to a score in [0, 1].

    All metrics share this signature, so that a scorer never asks which one it holds.
    """

    def __call__(self, prediction: str, answer: str, classes: Classes = None) -> float:
        """Score `prediction` against `answer`, 0.0 worst and 1.0 best."""
        ...
