"""M: the published values by default, lowered once where they do not fit."""

import pytest

from longbench_eval.errors import UsageError
from longbench_eval.prompts.budget import DRIFT_TOKENS, Budget, default_budget, fit_budget

DEFAULTS = [
    (4096, 3500, "published"),
    (8192, 7500, "published"),
    (16_384, 15_500, "published"),
    (32_768, 31_500, "published"),
    (131_072, 127_500, "the same rule at 128k"),
    (32_000, 30_500, "a window that is no multiple of 1,024"),
    (2048, 1500, "small"),
    (1024, 500, "the smallest for which the rule gives something"),
    (1023, 511, "halved below"),
    (512, 256, "halved below"),
]


@pytest.mark.parametrize(("window", "expected", "why"), DEFAULTS)
def test_default(window, expected, why):
    assert default_budget(window) == expected


FITTING = [
    (7500, None, 30, 512, "nothing is known of the model"),
    (7500, 8192, 30, 512, "the published 8k run"),
    (100, 142, 30, 12, "to the last token"),
]


@pytest.mark.parametrize(("wanted", "capacity", "wrap", "longest", "why"), FITTING)
def test_what_fits_stays(wanted, capacity, wrap, longest, why):
    assert fit_budget(wanted, capacity, wrap, longest) == Budget(wanted)


def test_what_does_not_fit_is_lowered_with_the_reason():
    budget = fit_budget(3500, 4096, 90, 512)
    assert budget.tokens == 4096 - 90 - 512 - DRIFT_TOKENS
    assert budget.lowered_from == 3500
    for number in (4096, 90, 512, budget.tokens, 3500):
        assert str(number) in budget.reason


def test_one_token_too_many_is_too_many():
    assert fit_budget(101, 142, 30, 12).lowered_from == 101


@pytest.mark.parametrize("wanted", [1, 0, -5])
def test_m_below_two_is_refused(wanted):
    with pytest.raises(UsageError, match=f"is {wanted}; it must be at least 2"):
        fit_budget(wanted, None, 0, 64)


@pytest.mark.parametrize("capacity", [0, 400, 512 + 30 + DRIFT_TOKENS + 1])
def test_no_room_at_all(capacity):
    with pytest.raises(UsageError, match=r"No room for a prompt.*larger window"):
        fit_budget(7500, capacity, 30, 512)


def test_the_least_room():
    assert fit_budget(7500, 512 + 30 + DRIFT_TOKENS + 2, 30, 512).tokens == 2
