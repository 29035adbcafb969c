"""How likely a rule fits by chance, and from where on a fit explains nothing.

A published score stands among as many numbers as could be printed near it. The more of them a rule's candidates reach,
the less it says that one is hit: rules with many free choices, such as the number of rows scored, come near to any
number. The estimate is the number of candidates in a window around the score for each number that could be printed
there; for LongBench-E, whose buckets must all fit, the printable triples count.
"""

from __future__ import annotations

from collections.abc import Sequence

from longbench_eval.scoring.explain.evidence import Evidence
from longbench_eval.scoring.explain.rules import Candidate, Rule
from longbench_eval.scoring.explain.written import Numbers, Written

CHANCE_LIMIT = 0.5
"""A fit explains a score while fewer such fits than this are expected by chance; from here on it is only possible."""
SAID_FROM = 0.05
WINDOW = 0.5  # points to either side of the published number
LEAST_NUMBERS = 10  # printable numbers that a window holds at least


def expected_by_chance(rule: Rule, candidates: Sequence[Candidate], task: Evidence) -> float:
    """How many of a rule's candidates are expected to fit a number near the published one that has another cause.

    For a rule that is searched, buckets that the official scorer reproduces are no evidence, because nearly all of its
    candidates share them; nor is 0.0, which anything that fails gives.
    """
    cells = _telling(rule, task)
    numbers = 1.0
    for cell in cells:
        numbers *= 2 * half_window(task.committed[cell]) / task.committed[cell].unit
    near = sum(_is_near(candidate.numbers, cells, task) for candidate in candidates)
    return near / numbers


def half_window(number: Written) -> float:
    """How far around a number the candidates are counted, in points."""
    return max(WINDOW, LEAST_NUMBERS / 2 * number.unit)


def is_zero(task: Evidence) -> bool:
    """Whether all of the published score is 0, which fits much."""
    return all(number.value == 0 for number in task.committed.values() if not number.is_nan)


def _telling(rule: Rule, task: Evidence) -> list[str]:
    cells = [cell for cell, number in task.committed.items() if not number.is_nan]
    if not rule.searched:
        return cells
    officials = [task.numbers(values) for values in task.edits.values()]
    return [
        cell
        for cell in cells
        if not is_zero(task) and not any(task.committed[cell].fits(numbers[cell]) for numbers in officials)
    ]


def _is_near(numbers: Numbers, cells: Sequence[str], task: Evidence) -> bool:
    """Whether a candidate is in the window of every telling cell, and fits every other one."""
    for cell, published in task.committed.items():
        number = numbers.get(cell)
        if cell not in cells:
            if not published.fits(number):
                return False
        elif number is None or abs(number - published.value) > half_window(published):
            return False
    return True
