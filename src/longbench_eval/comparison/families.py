"""Which tests are corrected together, and how large a difference they could have found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from longbench_eval.comparison.records import Effect, Item
from longbench_eval.stats import detectable, holm


def correct(items: Sequence[Item], headline: str, tail: float) -> list[Item]:
    """Correct p-values within families: items of one kind, of all runs; the headline is one by itself.

    Power is that of a family's hardest test, the one whose p-value is held against 2 * tail / tests.
    """
    families: dict[str, list[Item]] = {}
    for item in items:
        families.setdefault("headline" if item.name == headline else item.kind, []).append(item)
    corrected = {item.name: item for family in families.values() for item in _family(family, tail)}
    return [corrected[item.name] for item in items]


def _family(items: Sequence[Item], tail: float) -> list[Item]:
    ps = [effect.p for item in items for effect in item.effects]
    adjusted, tests = iter(holm(ps)), len(ps)
    return [
        replace(item, effects=tuple(_corrected(effect, next(adjusted), tail / tests) for effect in item.effects))
        for item in items
    ]


def _corrected(effect: Effect, p_adjusted: float, tail: float) -> Effect:
    error = effect.interval.standard_error
    return replace(effect, p_adjusted=p_adjusted, detectable=detectable(error, tail) if error else None)
