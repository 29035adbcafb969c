"""Rows that depend on each other, as units of resampling."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Clusters:
    """Sums and numbers of rows, in an order that does not depend on that of the rows.

    Attributes:
        sums: The sum of each cluster's values, float64 of shape (clusters,).
        sizes: How many rows each has, float64 of shape (clusters,).
    """

    sums: Array
    sizes: Array

    @property
    def count(self) -> int:
        """Number of clusters."""
        return len(self.sums)

    @cached_property
    def mean(self) -> float:
        """The mean over rows; NaN without rows."""
        return float(self.sums.sum() / self.sizes.sum()) if self.count else float("nan")

    @cached_property
    def influence(self) -> Array:
        """How much each cluster moves the mean (its first derivative); sums to 0."""
        moved = (self.sums - self.mean * self.sizes) / self.sizes.sum()
        # Equal rows leave rounding errors that would look like a spread.
        return np.where(np.abs(moved) * self.sizes.sum() < 1e-12 * self.sizes, 0.0, moved)

    @cached_property
    def variance(self) -> float:
        """The squared standard error of the mean; 0 for a single cluster, whose spread cannot be told."""
        count = self.count
        return float(np.square(self.influence).sum() * count / (count - 1)) if count > 1 else 0.0


def make_clusters(values: Sequence[float] | Array, keys: Sequence[Hashable] | None = None) -> Clusters:
    """Group values by key.

    Args:
        values: One a row.
        keys: One a row; rows of one key belong together. None: every row is a cluster of its own.

    Raises:
        ValueError: There are not as many keys as values.
    """
    rows = np.asarray(values, dtype=np.float64)
    if keys is None:
        return Clusters(np.sort(rows), np.ones(len(rows)))
    numbers: dict[Hashable, int] = {}
    label = np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)
    if len(label) != len(rows):
        raise ValueError(f"{len(rows)} values, {len(label)} keys")
    # Sorted first: the sum of a cluster must not depend on the order of its rows, not even in its last bit.
    order = np.lexsort((rows, label))
    sums = np.asarray(np.bincount(label[order], rows[order], minlength=len(numbers)), dtype=np.float64)
    sizes = np.asarray(np.bincount(label, minlength=len(numbers)), dtype=np.float64)
    by_value = np.lexsort((sizes, sums))
    return Clusters(sums[by_value], sizes[by_value])
