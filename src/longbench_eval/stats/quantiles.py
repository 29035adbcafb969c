"""Quantiles of the normal and of Student's distribution."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

NORMAL = NormalDist()


def t_quantile(share: float, degrees: float) -> float:
    """Student's quantile by Cornish and Fisher's expansion: within 1% from 2 degrees of freedom on.

    Source: Abramowitz and Stegun, 26.7.5.
    """
    z = NORMAL.inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / degrees**power for power, term in enumerate(terms, 1))


def expanded_tail(tail: float, degrees: float) -> float:
    """The tail to read from resamples of few units, whose spread is too small, so that `tail` is kept.

    Source: Hesterberg, What Teachers Should Know About the Bootstrap (2015), section 4.3.
    """
    # With two units it is so small that no resample lies beyond; it must stay a share.
    return max(NORMAL.cdf(-sqrt((degrees + 1) / degrees) * t_quantile(1 - tail, degrees)), 1e-12)
