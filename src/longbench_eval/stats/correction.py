"""Correction of p-values for how many there are."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values so that the chance of any false alarm among them is kept (Holm 1979).

    It needs no assumption on how the tests depend on each other, and is never weaker than Bonferroni's correction.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, floor = [1.0] * len(p_values), 0.0
    for rank, position in enumerate(order):
        floor = max(floor, min(1.0, (len(p_values) - rank) * p_values[position]))
        adjusted[position] = floor
    return adjusted
