"""Words that no dictionary has: jieba's hidden Markov model over the characters of a run.

Source: finalseg/__init__.py of jieba 0.42.1, whose tables are read here without jieba itself, which takes a hundred
times as long to import. A character begins (B), continues (M) or ends (E) a word, or is one by itself (S).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

_NEVER = -3.14e100  # log-probability of a character that a state was never seen with


def split_unknown(run: str, mark: str) -> str:
    """Put `mark` after each word of a run of Chinese characters, by the likeliest sequence of states (Viterbi).

    Each state holds its best path's log-probability and the text cut along it. Of equal paths the one through the
    state later in the alphabet is taken, and all terms are summed before they are compared, as jieba does: beside
    `_NEVER` other terms vanish, so for rare characters ties are the rule.
    """
    (start_b, start_m, start_e, start_s), (bm, be, mm, me, eb, es, sb, ss), (begin, middle, end, single) = _tables()
    first = run[0]
    b, cut_b = start_b + begin.get(first, _NEVER), first
    m, cut_m = start_m + middle.get(first, _NEVER), first
    e, cut_e = start_e + end.get(first, _NEVER), first + mark
    s, cut_s = start_s + single.get(first, _NEVER), first + mark
    for char in run[1:]:
        seen = begin.get(char, _NEVER)
        from_e, from_s = e + eb + seen, s + sb + seen
        next_b, next_cut_b = (from_s, cut_s + char) if from_s >= from_e else (from_e, cut_e + char)
        seen = middle.get(char, _NEVER)
        from_b, from_m = b + bm + seen, m + mm + seen
        next_m, next_cut_m = (from_m, cut_m + char) if from_m >= from_b else (from_b, cut_b + char)
        seen = single.get(char, _NEVER)
        from_e, from_s = e + es + seen, s + ss + seen
        s, cut_s = (from_s, cut_s + char + mark) if from_s >= from_e else (from_e, cut_e + char + mark)
        seen = end.get(char, _NEVER)
        from_b, from_m = b + be + seen, m + me + seen
        e, cut_e = (from_m, cut_m + char + mark) if from_m >= from_b else (from_b, cut_b + char + mark)
        b, cut_b, m, cut_m = next_b, next_cut_b, next_m, next_cut_m
    return cut_s if s >= e else cut_e


class _Tables(NamedTuple):
    """Log-probabilities: to start in a state, to step from one to another, and of each character in each state."""

    start: tuple[float, ...]
    step: tuple[float, ...]
    emission: tuple[Mapping[str, float], ...]


@cache
def _tables() -> _Tables:
    start, step, emission = _table("prob_start"), _table("prob_trans"), _table("prob_emit")
    steps = ("BM", "BE", "MM", "ME", "EB", "ES", "SB", "SS")
    return _Tables(
        tuple(start[state] for state in "BMES"),
        tuple(step[states[0]][states[1]] for states in steps),
        tuple(emission[state] for state in "BMES"),
    )


def _table(name: str) -> Any:
    package = find_spec("jieba")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'jieba'", name="jieba")
    module = ModuleType(name)
    SourceFileLoader(name, str(Path(package.submodule_search_locations[0], "finalseg", f"{name}.py"))).exec_module(
        module
    )
    return module.P
