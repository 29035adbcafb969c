"""Which paragraph the prediction points at.

Source: retrieval_score and retrieval_zh_score of metrics.py in THUDM/LongBench at 2e00731.
"""

from __future__ import annotations

import re

from longbench_eval.metrics.count import number_share
from longbench_eval.metrics.metric import Classes

_PARAGRAPH = re.compile(r"Paragraph (\d+)")
_PARAGRAPH_ZH = re.compile(r"段落(\d+)")


def retrieval(prediction: str, answer: str, classes: Classes = None) -> float:
    """Return the share of the numbers in `prediction` that equal the N of the answer's `Paragraph N`, in [0, 1].

    Raises:
        ValueError: `answer` names no paragraph.
    """
    return number_share(prediction, paragraph_number(answer))


def retrieval_zh(prediction: str, answer: str, classes: Classes = None) -> float:
    """Return the share of the numbers in `prediction` that equal the N of the answer's `段落N`, in [0, 1].

    Raises:
        ValueError: `answer` names no paragraph.
    """
    return number_share(prediction, paragraph_number_zh(answer))


def paragraph_number(answer: str) -> str:
    """Return the N of the first `Paragraph N`; ValueError if there is none."""
    return _number(_PARAGRAPH, answer)


def paragraph_number_zh(answer: str) -> str:
    """Return the N of the first `段落N`; ValueError if there is none."""
    return _number(_PARAGRAPH_ZH, answer)


def _number(pattern: re.Pattern[str], answer: str) -> str:
    match = pattern.search(answer)
    if match is None:
        raise ValueError(f"The reference answer {answer!r} names no paragraph; expected text like {pattern.pattern!r}.")
    return match[1]
