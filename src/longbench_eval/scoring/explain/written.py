"""Numbers as they stand in a file: with the precision that they are written at."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import NamedTuple

_FLOAT_NOISE = 1e-9  # sums in another order; far below any printed digit
_MOST_DECIMALS = 17  # a float has no more
WHOLE = ""
"""The cell of a score that is one number; LongBench-E's cells are its buckets."""


class Written(NamedTuple):
    """A number and how many decimals it is written with; NaN for a number that is none."""

    value: float
    decimals: int

    @property
    def unit(self) -> float:
        """The distance between two numbers written like this."""
        return float(10**-self.decimals)

    @property
    def is_nan(self) -> bool:
        """Whether it is no number, as the mean of an empty bucket is."""
        return math.isnan(self.value)

    def fits(self, number: float | None) -> bool:
        """Whether `number`, rounded to these decimals, is this; None, the mean of nothing, is NaN."""
        if number is None or self.is_nan:
            return number is None and self.is_nan
        return abs(number - self.value) <= self.unit / 2 + _FLOAT_NOISE

    def __str__(self) -> str:
        return "NaN" if self.is_nan else f"{self.value:.{min(self.decimals, 6)}f}"


Committed = Mapping[str, Written]
"""A published score: one number in the cell `WHOLE`, or one for each bucket."""
Numbers = Mapping[str, float | None]
"""What a rule gives for the same cells, unrounded; None where there are no rows."""


def written(literal: str) -> Written:
    """Read a number as JSON spells it, bare NaN and Infinity included.

    Raises:
        ValueError: It is no number.
    """
    value = float(literal)
    if not math.isfinite(value):
        return Written(math.nan, 0)
    decimals = max(-int(Decimal(literal).as_tuple().exponent), 0)
    return Written(value, min(decimals, _MOST_DECIMALS))


def with_lost_zeros(scores: Iterable[Committed]) -> list[Committed]:
    """Write every number with as many decimals as most are written with: Python prints 24.50 as 24.5."""
    found = list(scores)
    counts = Counter(number.decimals for score in found for number in score.values() if not number.is_nan)
    usual = max(counts, key=lambda decimals: (counts[decimals], decimals), default=0)
    return [
        {cell: number._replace(decimals=max(number.decimals, usual)) for cell, number in score.items()}
        for score in found
    ]


def fits(committed: Committed, numbers: Numbers) -> bool:
    """Whether every number of a score is the rule's, at the precision that it is written at."""
    return all(number.fits(numbers.get(cell)) for cell, number in committed.items())


def distance(committed: Committed, numbers: Numbers) -> float:
    """The largest difference of a cell; infinite where one side has no number."""
    pairs = [(number, numbers.get(cell)) for cell, number in committed.items() if not number.fits(numbers.get(cell))]
    return max((math.inf if n is None or w.is_nan else abs(n - w.value) for w, n in pairs), default=0.0)
