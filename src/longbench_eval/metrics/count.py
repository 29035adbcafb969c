"""How many of the numbers in a prediction are the right one.

Source: count_score of metrics.py in THUDM/LongBench at 2e00731.
"""

from __future__ import annotations

import re

from longbench_eval.metrics.metric import Classes

_NUMBERS = re.compile(r"\d+")


def count(prediction: str, answer: str, classes: Classes = None) -> float:
    """Return the share of the numbers in `prediction` that equal `answer`, in [0, 1]."""
    return number_share(prediction, answer)


def number_share(prediction: str, number: str) -> float:
    """Return the share of the digit runs in `prediction` that are spelt as `number`; 0.0 if there is none.

    Spellings are compared, not values: `07` is not `7`, and `3.5` is two numbers.
    """
    numbers = numbers_in(prediction)
    return numbers.count(number) / len(numbers) if numbers else 0.0


def numbers_in(text: str) -> list[str]:
    """Find the digit runs of `text`, in order."""
    return _NUMBERS.findall(text)
