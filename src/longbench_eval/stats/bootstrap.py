"""Bootstrap intervals of means and of weighted sums of means."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Literal, NamedTuple

import numpy as np

from longbench_eval.stats.clusters import Array, Clusters
from longbench_eval.stats.quantiles import NORMAL, expanded_tail, t_quantile

Method = Literal["bca", "percentile"]

_FEW_DEGREES = 7
_CHUNK_DRAWS = 100_000  # so that drawn rows stay in the processor's cache


class Stratum(NamedTuple):
    """One independent part of an estimate: its weight, its rows, and what its mean became in each resample."""

    weight: float
    clusters: Clusters
    draws: Array


class Interval(NamedTuple):
    """An interval and the standard error, on the scale of the values; the error is None where it cannot be told."""

    low: float
    high: float
    standard_error: float | None

    def scaled(self, factor: float) -> Interval:
        """The same on another scale."""
        error = self.standard_error
        return Interval(self.low * factor, self.high * factor, None if error is None else error * factor)


def draw_means(clusters: Clusters, stream: np.random.Generator, resamples: int) -> Array:
    """The mean over rows in each resample of whole clusters, drawn with replacement; shape (resamples,)."""
    count = clusters.count
    means = np.empty(resamples)
    even = bool(np.all(clusters.sizes == clusters.sizes[0]))
    step = max(1, _CHUNK_DRAWS // count)
    for start in range(0, resamples, step):
        some = min(step, resamples - start)
        drawn = stream.integers(0, count, (some, count), dtype=np.uint16 if count < 1 << 16 else np.uint32)
        sums = np.take(clusters.sums, drawn).sum(axis=1)
        sizes = clusters.sizes[0] * count if even else np.take(clusters.sizes, drawn).sum(axis=1)
        means[start : start + some] = sums / sizes
    return means


def interval_of(strata: Sequence[Stratum], tail: float, method: Method, span: tuple[float, float]) -> Interval:
    """The interval of a weighted sum of means.

    `bca` (Efron 1987) corrects for bias and skewness: for scores, which are bounded and often nearly all 0 or 1.
    `percentile` is for differences, which are not skewed. Both are widened for few clusters; fewer than eight have too
    few different resamples, and get Student's interval. docs/statistics.md has the coverage that decided.

    Args:
        strata: Its independent parts, each with at least one cluster.
        tail: The share on either side that is left out.
        method: How the ends are read from the resamples.
        span: The least and the greatest value that a row can have.
    """
    value = sum(part.weight * part.clusters.mean for part in strata)
    variance = sum(part.weight**2 * part.clusters.variance for part in strata)
    if variance == 0:
        return _of_equal_rows(strata, value, tail, span)
    degrees = _degrees(strata, variance)
    if degrees < _FEW_DEGREES:
        away = t_quantile(1 - tail, degrees) * sqrt(variance)
        return Interval(max(value - away, span[0]), min(value + away, max(span[1], value)), sqrt(variance))
    draws = sum((part.weight * part.draws for part in strata), start=np.zeros(1))
    outer = expanded_tail(tail, degrees)
    low, high = _bca_ends(strata, draws, value, outer) if method == "bca" else (outer, 1 - outer)
    ends = np.quantile(draws, [low, high])
    return Interval(float(ends[0]), float(ends[1]), sqrt(variance))


def _degrees(strata: Sequence[Stratum], variance: float) -> float:
    """Degrees of freedom of a sum of variances (Satterthwaite 1946)."""
    parts = ((part.weight**2 * part.clusters.variance, part.clusters.count - 1) for part in strata)
    return variance**2 / sum(own**2 / degrees for own, degrees in parts if degrees)


def _bca_ends(strata: Sequence[Stratum], draws: Array, value: float, tail: float) -> tuple[float, float]:
    """Which quantiles of the resamples to take (Efron 1987, equation 2.3)."""
    below = np.count_nonzero(draws < value - 1e-12) + np.count_nonzero(np.abs(draws - value) <= 1e-12) / 2
    bias = NORMAL.inv_cdf(min(max(float(below), 0.5), len(draws) - 0.5) / len(draws))
    influence = np.concatenate([part.weight * part.clusters.influence for part in strata])
    acceleration = float((influence**3).sum() / (6 * (influence**2).sum() ** 1.5))

    def adjusted(share: float) -> float:
        moved = bias + NORMAL.inv_cdf(share)
        # Beyond the pole the formula would turn back; there is nothing but the end of the draws.
        return NORMAL.cdf(bias + moved / max(1 - acceleration * moved, 1e-3))

    return adjusted(tail), adjusted(1 - tail)


def _of_equal_rows(strata: Sequence[Stratum], value: float, tail: float, span: tuple[float, float]) -> Interval:
    """Rows that are all equal, or a single cluster, show how rare others are, not that there are none.

    With none of n other, their share is below 1 - tail ** (1 / n) (Clopper and Pearson 1934), wherever they lie.
    """
    count = sum(part.clusters.count for part in strata)
    share = 1 - tail ** (1 / count)
    low, high = min(span[0], value), max(span[1], value)
    return Interval(value + share * (low - value), value + share * (high - value), 0.0 if count > 1 else None)
