"""How often intervals hold the true value, on made populations that look like LongBench's row scores.

    python benchmarks/coverage.py [SAMPLES]

prints, for each population and number of rows, the share of 95% intervals that hold the true mean, and in brackets the
shares that lie above and below it (2.5 each is ideal).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from longbench_eval.stats import Array, Interval, Method, Stratum, draw_means, interval_of, make_clusters

RESAMPLES = 2_000
TAIL = 0.025

Draw = Callable[[np.random.Generator, int], Array]


def f1(stream: np.random.Generator, n: int) -> Array:
    """Question answering: four in ten rows 0, one in six 1, the others between."""
    u = stream.random(n)
    return np.where(u < 0.4, 0.0, np.where(u < 0.55, 1.0, stream.beta(1.2, 2, n)))


def rouge(stream: np.random.Generator, n: int) -> Array:
    """Summaries: a narrow hump."""
    return stream.beta(8, 22, n)


def accuracy(share: float) -> Draw:
    """Right or wrong."""
    return lambda stream, n: (stream.random(n) < share).astype(np.float64)


def difference(stream: np.random.Generator, n: int) -> Array:
    """Two runs on question answering: most rows equal."""
    u = stream.random(n)
    return np.where(u < 0.6, 0.0, np.where(u < 0.75, -stream.random(n), np.where(u < 0.95, stream.random(n), 1.0)))


def rare_difference(stream: np.random.Generator, n: int) -> Array:
    """Two runs on accuracy: 7 rows in 100 differ."""
    u = stream.random(n)
    return np.where(u < 0.93, 0.0, np.where(u < 0.95, 1.0, -1.0))


class Case(NamedTuple):
    """A population, how many rows are drawn of it, and the least value."""

    name: str
    draw: Draw
    n: int
    least: float = 0.0


CASES = (
    Case("F1", f1, 200),
    Case("F1", f1, 150),
    Case("F1", f1, 500),
    Case("F1, a bucket", f1, 24),
    Case("F1, a bucket", f1, 13),
    Case("F1, a trial", f1, 5),
    Case("ROUGE", rouge, 200),
    Case("ROUGE, a bucket", rouge, 13),
    Case("accuracy 0.01", accuracy(0.01), 200),
    Case("accuracy 0.03", accuracy(0.03), 200),
    Case("accuracy 0.1", accuracy(0.1), 200),
    Case("accuracy 0.5", accuracy(0.5), 200),
    Case("accuracy 0.97", accuracy(0.97), 200),
    Case("accuracy 0.5, a bucket", accuracy(0.5), 13),
    Case("difference of F1", difference, 200, -1.0),
    Case("difference of accuracy", rare_difference, 200, -1.0),
)


class Coverage(NamedTuple):
    """Shares of intervals that hold the true value, lie above it, and lie below it."""

    holds: float
    above: float
    below: float

    def __str__(self) -> str:
        return f"{100 * self.holds:.1f} ({100 * self.above:.1f}/{100 * self.below:.1f})"


def coverage(intervals: list[Interval], truth: float) -> Coverage:
    """Count intervals against the truth."""
    above = sum(one.low > truth for one in intervals) / len(intervals)
    below = sum(one.high < truth for one in intervals) / len(intervals)
    return Coverage(1 - above - below, above, below)


def stratum(values: Array, stream: np.random.Generator, keys: Array | None = None, weight: float = 1.0) -> Stratum:
    """One sample, resampled."""
    clusters = make_clusters(values, None if keys is None else keys.tolist())
    return Stratum(weight, clusters, draw_means(clusters, stream, RESAMPLES))


def simulate(case: Case, samples: int, seed: int = 0) -> dict[Method, Coverage]:
    """Coverage of both methods for one case."""
    stream = np.random.default_rng(seed)
    truth = float(case.draw(np.random.default_rng(1), 4_000_000).mean())
    drawn = [[stratum(case.draw(stream, case.n), stream)] for _ in range(samples)]
    return _both(drawn, truth, case.least)


def simulate_clusters(samples: int, *, together: bool, seed: int = 0) -> dict[Method, Coverage]:
    """200 rows of 142 contexts, as in multifieldqa_zh; a context moves its rows."""
    stream, drawn = np.random.default_rng(seed), []
    keys = np.concatenate([np.arange(142), np.arange(58)])
    for _ in range(samples):
        shares = stream.beta(0.8, 0.8, 142)[keys]
        drawn.append([stratum((stream.random(200) < shares).astype(np.float64), stream, keys if together else None)])
    return _both(drawn, 0.5, 0.0)


def simulate_average(samples: int, seed: int = 0) -> dict[Method, Coverage]:
    """A mean of six categories with three tasks each."""
    stream = np.random.default_rng(seed)
    draws = [f1, f1, f1, f1, rouge, f1, rouge, rouge, rouge, accuracy(0.7), f1, rouge]
    draws += [accuracy(0.4), accuracy(0.03), accuracy(0.97), accuracy(0.95), f1, f1]
    truth = float(np.mean([draw(np.random.default_rng(1), 4_000_000).mean() for draw in draws]))
    drawn = [[stratum(draw(stream, 200), stream, weight=1 / len(draws)) for draw in draws] for _ in range(samples)]
    return _both(drawn, truth, 0.0)


def _both(drawn: list[list[Stratum]], truth: float, least: float) -> dict[Method, Coverage]:
    methods: tuple[Method, ...] = ("bca", "percentile")
    return {m: coverage([interval_of(strata, TAIL, m, (least, 1.0)) for strata in drawn], truth) for m in methods}


def main() -> None:
    """Print all cases as a Markdown table."""
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    print("| population | rows | BCa | percentile |\n|---|---:|---:|---:|")
    for case in CASES:
        found = simulate(case, samples)
        print(f"| {case.name} | {case.n} | {found['bca']} | {found['percentile']} |", flush=True)
    few = samples // 4
    for name, found in (
        ("200 rows of 142 contexts, kept together", simulate_clusters(samples, together=True)),
        ("the same, taken as independent", simulate_clusters(samples, together=False)),
        ("an average of 18 tasks", simulate_average(few)),
    ):
        print(f"| {name} | | {found['bca']} | {found['percentile']} |", flush=True)


if __name__ == "__main__":
    main()
