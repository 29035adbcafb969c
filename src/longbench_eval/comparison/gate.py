"""`--fail-if-worse`: is a run worse than the first, with the evidence to say so?"""

from __future__ import annotations

from math import isfinite

from longbench_eval.comparison.records import Comparison, Effect, Item, Outcome, Verdict
from longbench_eval.errors import UsageError, unknown_name


def judge(comparison: Comparison, points: float, on: str | None = None) -> list[Verdict]:
    """Judge every run but the first.

    `worse` needs the whole interval of the difference below -points, and a difference that the permutation test sees:
    where hardly any row differs, intervals are too sure. `not worse` needs the whole interval from -points up, or that
    no row differs. Else one cannot tell.

    Args:
        comparison: What was found.
        points: How much worse a run may be, on the 0 to 100 scale.
        on: The name of a task, category or average; the comparison's headline by default.

    Raises:
        UsageError: `points` is no such number, or there is nothing of that name.
    """
    check_points(points)
    name = on or comparison.headline
    formed = {item.name: item for item in comparison.items if item.scores}
    if name not in formed:
        withheld = "; ".join(item.withheld[0] for item in comparison.items if item.name == name and item.withheld)
        raise UsageError(f"{name!r} is not formed: {withheld}.") if withheld else unknown_name("item", name, formed)
    item = formed[name]
    return [_verdict(comparison, item, number, points) for number in range(1, len(comparison.sides))]


def check_points(points: float) -> None:
    """Refuse what is no tolerance.

    Raises:
        UsageError: It is negative or no number.
    """
    if not isfinite(points) or points < 0:
        raise UsageError(f"--fail-if-worse is {points}; expected how many points a run may be worse, from 0.")


def _verdict(comparison: Comparison, item: Item, number: int, points: float) -> Verdict:
    effect = item.effects[number - 1]
    (low, high, _), level = effect.interval, comparison.resampling.level
    said = f"difference {effect.difference:+.2f}, {level:.0%} interval [{low:+.2f}, {high:+.2f}], p {effect.p:.4f}"
    outcome = _outcome(effect, points, 1 - level)
    return Verdict(comparison.sides[number].name, item.name, points, outcome, said)


def _outcome(effect: Effect, points: float, alpha: float) -> Outcome:
    if effect.interval.high < -points and effect.p <= alpha:
        return "worse"
    identical = effect.wins == effect.losses == 0
    return "not worse" if effect.interval.low >= -points or identical else "cannot tell"
