"""Which rules reproduce one task's score, in which order, and what is said of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from longbench_eval.scoring.explain.chance import CHANCE_LIMIT, SAID_FROM, expected_by_chance, is_zero
from longbench_eval.scoring.explain.evidence import Evidence
from longbench_eval.scoring.explain.explanation import Explained
from longbench_eval.scoring.explain.rules import RULES, Candidate, Rule
from longbench_eval.scoring.explain.written import WHOLE, Numbers, distance

_SHOWN = 3


class Tried(NamedTuple):
    """A rule on one task.

    Attributes:
        rule: The rule.
        candidates: All it gives.
        fitting: Those that are the published score, the simple ones first.
        chance: How many are expected to fit by chance.
    """

    rule: Rule
    candidates: Sequence[Candidate]
    fitting: Sequence[Candidate]
    chance: float

    @property
    def is_likely(self) -> bool:
        """Whether a fit explains the score."""
        return self.chance < CHANCE_LIMIT


class Judged(NamedTuple):
    """What explains a score, and the unrounded score by that rule."""

    explained: Explained
    numbers: Numbers | None


def judge(key: str, task: Evidence) -> Judged:
    """Try every rule on a task; the simplest that fits explains it, unless chance would do as well."""
    tried = [_try(rule, task) for rule in RULES]
    fitting = sorted((one for one in tried if one.fitting), key=_complexity)
    likely, possible = [f for f in fitting if f.is_likely], [f for f in fitting if not f.is_likely]
    if not fitting:
        return Judged(Explained(key, task.committed, False, None, _unexplained(task, tried)), None)
    by, *also = [*likely, *possible]
    explained = Explained(
        key,
        task.committed,
        reproduced=bool(likely),
        by=by.rule.slug,
        detail=_detail(by, task),
        also=tuple(one.rule.slug for one in also if one.is_likely),
        possible=tuple(one.rule.slug for one in also if not one.is_likely),
    )
    return Judged(explained, by.fitting[0].numbers if likely else None)


def _try(rule: Rule, task: Evidence) -> Tried:
    candidates = list(rule.candidates(task))
    fitting = sorted((one for one in candidates if task.fits(one.numbers)), key=lambda one: one.combined)
    chance = expected_by_chance(rule, candidates, task)
    return Tried(rule, candidates, fitting, chance)


def _complexity(tried: Tried) -> bool:
    """A rule combined with another edit similarity is less simple than any that is not."""
    return tried.fitting[0].combined


def _detail(tried: Tried, task: Evidence) -> str:
    same = [one for one in tried.fitting if one.combined == tried.fitting[0].combined]
    words = " or ".join(one.detail for one in same[:_SHOWN])
    more = f" or {len(same) - _SHOWN} more such" if len(same) > _SHOWN else ""
    return "; ".join(filter(None, (f"{words}{more}", _doubt(tried, task))))


def _doubt(tried: Tried, task: Evidence) -> str:
    if not tried.is_likely and is_zero(task):
        return "only possible: a 0.0 fits much"
    if not tried.is_likely:
        return f"only possible: {tried.chance:.1f} such fits are expected by chance"
    if is_zero(task):
        zeros = all(value == 0 for value in task.values["official"])
        return "every row scores 0, which fits much" if zeros else "a 0.0 fits much: whatever fails gives it"
    if tried.chance >= SAID_FROM and tried.rule is not RULES[0]:
        return f"{tried.chance:.2f} such fits are expected by chance"
    return ""


def _unexplained(task: Evidence, tried: Sequence[Tried]) -> str:
    if pieces := _piecewise(task, tried):
        return f"no one rule reproduces it: {pieces}"
    # A rule that comes near to any number is near to this one too, which says nothing.
    near = [
        (distance(task.committed, c.numbers), one.rule.slug, c)
        for one in tried
        if one.is_likely
        for c in one.candidates
    ]
    least = min(near, key=lambda found: found[0], default=None)
    if least is None or math.isinf(least[0]):
        return "nothing reproduces it: no rule gives numbers for all of it"
    off, slug, candidate = least
    return f"nothing reproduces it; nearest is {slug} with {_shown(task, candidate.numbers)}, off by {off:.2g}"


def _piecewise(task: Evidence, tried: Sequence[Tried]) -> str:
    """Which rule each bucket needs, where each has one that is not searched."""
    if WHOLE in task.committed:
        return ""
    needed: dict[str, list[str]] = {}
    for cell, published in task.committed.items():
        fitting = (
            one.rule.slug
            for one in tried
            if not one.rule.searched
            and any(published.fits(candidate.numbers.get(cell)) for candidate in one.candidates)
        )
        rule = next(fitting, None)
        if rule is None:
            return ""
        needed.setdefault(rule, []).append(cell)
    return "; ".join(f"{' and '.join(cells)} by {rule}" for rule, cells in needed.items())


def _shown(task: Evidence, numbers: Numbers) -> str:
    shown = [
        "NaN" if (number := numbers.get(cell)) is None else f"{number:.{max(min(published.decimals, 6), 2)}f}"
        for cell, published in task.committed.items()
    ]
    return " / ".join(shown)
