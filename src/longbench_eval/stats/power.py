"""How large a difference must be to be seen."""

from __future__ import annotations

from longbench_eval.stats.quantiles import NORMAL

POWER = 0.8


def detectable(standard_error: float, tail: float, power: float = POWER) -> float:
    """The smallest true difference that a two-sided test finds with this power, on the scale of the standard error.

    Args:
        standard_error: Of the difference.
        tail: Half of the chance of a false alarm.
        power: The chance to find it.
    """
    return (NORMAL.inv_cdf(1 - tail) + NORMAL.inv_cdf(power)) * standard_error
