"""From paired rows to differences, intervals, tests and power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from longbench_eval.comparison.records import Effect, Item, ItemKind
from longbench_eval.scoring.weights import Cell
from longbench_eval.stats import (
    Array,
    Clusters,
    Flips,
    Interval,
    Method,
    Resampling,
    Stratum,
    draw_flips,
    draw_means,
    flip_test,
    interval_of,
    make_clusters,
)

_MANY_RUNS = 5
_EQUAL = 1e-12  # scores of one answer may differ in the last bit between versions of numpy


def sign_draws(resampling: Resampling, runs: int) -> int:
    """How often signs are drawn: more for many runs, whose many tests need smaller p-values to pass correction."""
    return resampling.resamples * min(runs - 1, _MANY_RUNS)


class Rows(NamedTuple):
    """The paired rows of a cell: values of shape (runs, rows), in [0, 1], and what each row belongs to."""

    values: Array
    clusters: Sequence[str]


class Sum(NamedTuple):
    """What an item is: cells and their weights."""

    name: str
    kind: ItemKind
    weights: Mapping[Cell, float]
    withheld: tuple[str, ...] = ()


class _Contrast(NamedTuple):
    """One run against the first in one cell, on the scale of rows."""

    clusters: Clusters
    draws: Array
    flips: Array
    signs: Array


class Workbench:
    """Resamples every cell once, and puts tasks and averages together from that."""

    def __init__(self, cells: Mapping[Cell, Rows], resampling: Resampling) -> None:
        self._resampling = resampling
        self._rows = cells
        runs = len(next(iter(cells.values())).values)
        self._others = range(1, runs)
        self._scores = {cell: [self._score(cell, run) for run in range(runs)] for cell in cells}
        self._contrasts = {cell: [self._contrast(cell, run) for run in self._others] for cell in cells}

    def items(self, sums: Sequence[Sum]) -> list[Item]:
        """Compare every item; p-values are not yet corrected."""
        return [self._item(one) for one in sums]

    def _score(self, cell: Cell, run: int) -> Stratum:
        rows = self._rows[cell]
        clusters = make_clusters(rows.values[run], rows.clusters)
        stream = self._resampling.stream(f"score {cell.task} {cell.bucket or ''}")
        return Stratum(1.0, clusters, draw_means(clusters, stream, self._resampling.resamples))

    def _contrast(self, cell: Cell, run: int) -> _Contrast:
        rows, resampling = self._rows[cell], self._resampling
        differences = rows.values[run] - rows.values[0]
        differences[np.abs(differences) <= _EQUAL] = 0.0
        clusters = make_clusters(differences, rows.clusters)
        name = f"{cell.task} {cell.bucket or ''}"
        return _Contrast(
            clusters,
            draw_means(clusters, resampling.stream(f"difference {name}"), resampling.resamples),
            draw_flips(_shares(clusters), resampling.stream(f"signs {name}"), sign_draws(resampling, len(rows.values))),
            np.sign(differences),
        )

    def _item(self, one: Sum) -> Item:
        cells = list(one.weights)
        if not cells:
            return Item(one.name, one.kind, 0, 0, withheld=one.withheld)
        parts = [self._scores[cell] for cell in cells]
        runs = range(len(self._others) + 1)
        weighted = [[_weigh(one, cell, part[run]) for cell, part in zip(cells, parts, strict=True)] for run in runs]
        return Item(
            name=one.name,
            kind=one.kind,
            n=sum(len(self._rows[cell].clusters) for cell in cells),
            clusters=sum(part[0].clusters.count for part in parts),
            scores=tuple(100 * _value(strata) for strata in weighted),
            intervals=tuple(self._interval(strata, "bca", 0.0) for strata in weighted),
            effects=tuple(self._effect(one, cells, run - 1) for run in self._others),
        )

    def _interval(self, strata: Sequence[Stratum], method: Method, least: float) -> Interval:
        return interval_of(strata, self._resampling.tail, method, (least, 1.0)).scaled(100)

    def _effect(self, one: Sum, cells: Sequence[Cell], other: int) -> Effect:
        found = [self._contrasts[cell][other] for cell in cells]
        weights = [one.weights[cell] for cell in cells]
        strata = [Stratum(w, part.clusters, part.draws) for w, part in zip(weights, found, strict=True)]
        p = flip_test([Flips(w, _shares(part.clusters), part.flips) for w, part in zip(weights, found, strict=True)])
        signs = np.concatenate([part.signs for part in found])
        wins, ties, losses = (int(np.count_nonzero(signs == sign)) for sign in (1, 0, -1))
        interval = self._interval(strata, "percentile", -1.0)
        return Effect(100 * _value(strata), interval, p, p, wins, ties, losses, detectable=None)


def _shares(clusters: Clusters) -> Array:
    """What each cluster that differs adds to the mean difference."""
    shares: Array = clusters.sums[clusters.sums != 0] / clusters.sizes.sum()
    return shares


def _weigh(one: Sum, cell: Cell, stratum: Stratum) -> Stratum:
    return stratum._replace(weight=one.weights[cell])


def _value(strata: Sequence[Stratum]) -> float:
    return float(sum(part.weight * part.clusters.mean for part in strata))
