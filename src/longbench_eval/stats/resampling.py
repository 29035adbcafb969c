"""How often, from which seed, and at which level: the settings of every interval and test."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np


@dataclass(frozen=True, slots=True)
class Resampling:
    """Settings that make resampling repeatable.

    Attributes:
        seed: From 0.
        resamples: How many; 1 / (resamples + 1) is the smallest p-value that chance draws can give.
        level: The share of intervals that are to hold the true value, in (0, 1).
    """

    seed: int = 0
    resamples: int = 10_000
    level: float = 0.95

    def stream(self, name: str) -> np.random.Generator:
        """Random numbers of one purpose, so that what a task gets does not depend on which other tasks there are."""
        return np.random.Generator(np.random.PCG64([self.seed, crc32(name.encode("utf-8"))]))

    @property
    def tail(self) -> float:
        """The share of either tail."""
        return (1 - self.level) / 2

    def __str__(self) -> str:
        """As the signature says it, e.g. `10000@seed0`."""
        return f"{self.resamples}@seed{self.seed}"
