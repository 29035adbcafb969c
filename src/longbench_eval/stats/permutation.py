"""The paired permutation test: under the null hypothesis the sign of a cluster's difference is a coin toss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from longbench_eval.stats.clusters import Array

_CHUNK_BITS = 1 << 19


class Flips(NamedTuple):
    """One stratum of the test.

    Attributes:
        weight: Its weight in the statistic.
        shares: What each cluster that differs adds to the stratum's mean difference; the others flip nothing.
        draws: The stratum's mean difference under random signs, of shape (resamples,).
    """

    weight: float
    shares: Array
    draws: Array


def draw_flips(shares: Array, stream: np.random.Generator, resamples: int) -> Array:
    """The sum of the shares with random signs, in each resample; shape (resamples,)."""
    sums = np.zeros(resamples)
    bytes_a_row = -(-len(shares) // 8)
    step = max(1, _CHUNK_BITS // max(8 * bytes_a_row, 1))
    for start in range(0, resamples, step) if len(shares) else ():
        some = min(step, resamples - start)
        raw = np.frombuffer(stream.bytes(some * bytes_a_row), dtype=np.uint8).reshape(some, bytes_a_row)
        minus = np.unpackbits(raw, axis=1, count=len(shares))
        sums[start : start + some] = shares.sum() - 2 * (minus @ shares)
    return sums


def flip_test(strata: Sequence[Flips]) -> float:
    """The two-sided p-value of a weighted sum of mean differences.

    Exact where the signs of all clusters that differ have no more combinations than there are resamples; else
    (b + 1) / (m + 1) of m random ones, which is never 0 (Phipson and Smyth 2010).
    """
    shares = np.concatenate([part.weight * part.shares for part in strata])
    if not len(shares):
        return 1.0
    draws = sum((part.weight * part.draws for part in strata), start=np.zeros(1))
    exact = 2 ** len(shares) <= len(draws)
    sums = _all_flips(shares) if exact else draws
    observed = abs(float(shares.sum()))
    # Sums that are equal but for rounding are ties.
    as_far = int(np.count_nonzero(np.abs(sums) >= observed - 1e-9 * max(observed, float(np.abs(shares).max()))))
    return as_far / len(sums) if exact else (as_far + 1) / (len(sums) + 1)


def _all_flips(shares: Array) -> Array:
    sums = np.zeros(1)
    for share in shares:
        sums = np.concatenate([sums - share, sums + share])
    return sums
