"""Edit similarity of the first line of code, rounded to a whole percent.

Source: code_sim_score of metrics.py in THUDM/LongBench at 2e00731, which takes `fuzz.ratio` of fuzzywuzzy 0.18.0. That
package compares with difflib unless python-Levenshtein happens to be installed; the official requirements do not
install it. Published numbers exist of both kinds and differ by about two points, so both have a name here.
"""

from __future__ import annotations

from difflib import SequenceMatcher

from longbench_eval.metrics.metric import Classes

_MARKS_OF_PROSE = ("`", "#", "//")


def code_sim(prediction: str, answer: str, classes: Classes = None) -> float:
    """Return difflib's similarity of the predicted line and `answer`, in whole hundredths of [0, 1]."""
    line = code_line(prediction)
    # Not only a short cut: in lines of 200 characters and more difflib ignores frequent characters (`autojunk`), and
    # then even a line and itself may differ. fuzzywuzzy settles equality first.
    if line == answer:
        return 1.0
    return _whole_percent(SequenceMatcher(None, line, answer).ratio())


def code_sim_levenshtein(prediction: str, answer: str, classes: Classes = None) -> float:
    """Return the Indel similarity of the predicted line and `answer`, in whole hundredths of [0, 1].

    Indel similarity is 1 - d / (sum of the lengths), d the least number of insertions and deletions; it is what
    python-Levenshtein calls `ratio`, of which fuzzywuzzy makes this score when that package is installed.
    """
    from rapidfuzz.distance import Indel  # here, so that importing the metrics stays cheap

    return _whole_percent(Indel.normalized_similarity(code_line(prediction), answer))


def code_line(prediction: str) -> str:
    """Return the first line without a backtick, `#` or `//`, that is neither fence nor comment; else the empty string.

    The line is not stripped. Newlines before the first line do not count as empty lines; those after it do.
    """
    for line in prediction.lstrip("\n").split("\n"):
        if not any(mark in line for mark in _MARKS_OF_PROSE):
            return line
    return ""


def _whole_percent(ratio: float) -> float:
    return round(100 * ratio) / 100
