"""Edit similarity of the first line of code, rounded to a whole percent.

Source: code_sim_score of metrics.py in THUDM/LongBench at 2e00731, which takes `fuzz.ratio` of fuzzywuzzy 0.18.0. That
package compares with difflib unless python-Levenshtein happens to be installed; the official requirements do not
install it. Published numbers exist of both kinds and differ by about two points, so both have a name here.
"""

from __future__ import annotations

from difflib import SequenceMatcher

from longbench_eval.metrics.metric import Classes

_AUTOJUNK = 200  # characters of the second text from which difflib ignores the frequent ones


def code_sim(prediction: str, answer: str, classes: Classes = None) -> float:
    """Return difflib's similarity of the predicted line and `answer`, in whole hundredths of [0, 1]."""
    return whole_percent(difflib_ratio(code_line(prediction), answer))


def code_sim_levenshtein(prediction: str, answer: str, classes: Classes = None) -> float:
    """Return the Indel similarity of the predicted line and `answer`, in whole hundredths of [0, 1].

    Indel similarity is 1 - d / (sum of the lengths), d the least number of insertions and deletions; it is what
    python-Levenshtein calls `ratio`, of which fuzzywuzzy makes this score when that package is installed.
    """
    return whole_percent(indel_ratio(code_line(prediction), answer))


def code_line(prediction: str) -> str:
    """Return the first line without a backtick, `#` or `//`, that is neither fence nor comment; else the empty string.

    The line is not stripped. Newlines before the first line do not count as empty lines; those after it do.
    """
    for line in prediction.lstrip("\n").split("\n"):
        if "`" not in line and "#" not in line and "//" not in line:
            return line
    return ""


def whole_percent(ratio: float) -> float:
    """Round a ratio to hundredths, as `fuzz.ratio` does to whole percents: halves go to the even one."""
    return round(100 * ratio) / 100


def indel_ratio(one: str, other: str) -> float:
    """Return the Indel similarity of two lines, in [0, 1]."""
    from rapidfuzz.distance import Indel  # here, so that importing the metrics stays cheap

    return Indel.normalized_similarity(one, other)


def difflib_ratio(one: str, other: str) -> float:
    """Return difflib's similarity of two lines, in [0, 1]: a third of the time of `SequenceMatcher(...).ratio()`."""
    # Not only a short cut: where difflib ignores frequent characters even a line and itself may differ. fuzzywuzzy
    # settles equality first.
    if one == other:
        return 1.0
    if len(other) >= _AUTOJUNK:
        return SequenceMatcher(None, one, other).ratio()
    return 2.0 * _matching(one, other) / (len(one) + len(other))


def _matching(one: str, other: str) -> int:
    """Add up the lengths of difflib's matching blocks: the longest one, and those on its left and on its right.

    Of equally long blocks difflib takes the first of `one`, and there the first of `other`. A window goes over `one`:
    where its text is in `other` it grows, elsewhere it moves on, so at the end it is as long as the longest block.
    """
    if not one or not other:
        return 0
    start = first = 0
    for end in range(1, len(one) + 1):
        if one[start:end] in other:
            first = start
        else:
            start += 1
    size = len(one) - start
    place = other.find(one[first : first + size])
    left, right = (one[:first], other[:place]), (one[first + size :], other[place + size :])
    return _matching(*left) + size + _matching(*right) if size else 0
