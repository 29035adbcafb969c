"""Which rows of a file stand in another place than in the data."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence


def moved(numbers: Sequence[int]) -> list[int]:
    """The fewest positions without which different numbers ascend, in O(n log n)."""
    ends: list[int] = []  # ends[k]: position of the smallest number that a chain of k + 1 ascending ones can end in
    before: list[int] = []  # each position's predecessor in its longest chain; -1 at a chain's beginning
    for position, number in enumerate(numbers):
        length = bisect(ends, number, key=numbers.__getitem__)
        before.append(ends[length - 1] if length else -1)
        ends[length : length + 1] = [position]
    kept, position = set(), ends[-1] if ends else -1
    while position >= 0:
        kept.add(position)
        position = before[position]
    return [position for position in range(len(numbers)) if position not in kept]
