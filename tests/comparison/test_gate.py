"""Worse, not worse, or cannot tell."""

from pathlib import Path

import pytest

from longbench_eval.comparison import Comparison, Effect, Item, Side, judge
from longbench_eval.errors import UsageError
from longbench_eval.signature import Signature
from longbench_eval.stats import Interval, Resampling
from longbench_eval.tasks import get_suite


def comparison(*intervals, p=0.01, differing=1):
    effects = tuple(Effect((a + b) / 2, Interval(a, b, 1), p, 0.5, differing, 1, differing, None) for a, b in intervals)
    score = Interval(0, 1, 1)
    item = Item("All", "average", 9, 9, (50.0,) * (len(effects) + 1), (score,) * (len(effects) + 1), effects)
    gone = Item("ZH", "average", 0, 0, withheld=("vcsum is missing",))
    sides = tuple(Side(x, f"run {x}", Path(x), "s") for x in "ABC"[: len(effects) + 1])
    suite = get_suite("longbench")
    return Comparison(Signature("longbench", {}), suite, "official", Resampling(), sides, (item, gone), "All", ())


@pytest.mark.parametrize(
    ("interval", "points", "outcome", "why"),
    [
        ((-5, -2), 1, "worse", "all of it below -1"),
        ((-5, -1), 1, "cannot tell", "up to -1 is allowed"),
        ((-5, 3), 1, "cannot tell", "may be either"),
        ((-1, 3), 1, "not worse", "all of it from -1 up"),
        ((-0.5, 0.5), 1, "not worse", "a small difference is allowed"),
        ((-0.5, -0.1), 0, "worse", "without tolerance any evidence counts"),
        ((-0.5, 0.5), 0, "cannot tell", "no tolerance: the interval is too wide"),
    ],
)
def test_outcomes(interval, points, outcome, why):
    (verdict,) = judge(comparison(interval), points)
    assert (verdict.outcome, verdict.on, verdict.run) == (outcome, "All", "run B"), why


def test_worse_needs_a_difference_that_the_test_sees():
    assert judge(comparison((-5, -2), p=0.125), 1)[0].outcome == "cannot tell"
    assert judge(comparison((-5, -2), p=0.05), 1)[0].outcome == "worse"


def test_identical_answers_are_not_worse_whatever_their_interval():
    assert judge(comparison((-2, 2), p=1.0, differing=0), 0)[0].outcome == "not worse"


def test_every_run_is_judged():
    assert [v.outcome for v in judge(comparison((-5, -2), (1, 2)), 1)] == ["worse", "not worse"]


@pytest.mark.parametrize(
    ("points", "on", "message"),
    [
        (-1, None, "--fail-if-worse is -1"),
        (float("nan"), None, "--fail-if-worse is nan"),
        (1, "ZH", "'ZH' is not formed: vcsum is missing"),
        (1, "alll", "Did you mean 'All'"),
    ],
)
def test_what_cannot_be_judged(points, on, message):
    with pytest.raises(UsageError, match=message):
        judge(comparison((0, 1)), points, on)
