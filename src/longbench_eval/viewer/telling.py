"""What a score rests on, in words."""

from __future__ import annotations

from typing import Any

from longbench_eval.metrics.evidence import (
    CommonSubsequences,
    ComparedLine,
    Evidence,
    NamedClasses,
    Numbers,
    SharedWords,
)


def tell(evidence: Evidence) -> str:
    """What a score rests on, in a sentence."""
    match evidence:
        case SharedWords(words, predicted, referenced):
            shared = sum(words.values())
            return f"{_n(shared, 'word')} shared{_of(predicted, referenced)}{_pr(shared, predicted, referenced)}"
        case CommonSubsequences(raised=True):
            return "the reference implementation cannot score this text (it is empty or too long), which counts 0"
        case CommonSubsequences(words, predicted, referenced):
            n = len(words)
            return (
                f"{_n(n, 'distinct word')} in common order{_of(predicted, referenced)}{_pr(n, predicted, referenced)}"
            )
        case Numbers(found, sought):
            right = found.count(sought)
            if not found:
                return f"there is no number in the prediction; {sought} is sought"
            return f"{right} of {_n(len(found), 'number')} in the prediction {'is' if right == 1 else 'are'} {sought}"
        case NamedClasses(_, kept, sought):
            if sought not in kept:
                return f"{sought!r} is not named; {_n(len(kept), 'other class', 'other classes')} named"
            return f"the right class is named, and {_n(len(kept) - 1, 'other')}"
        case ComparedLine(_, ratio):
            return f"one line is compared: {ratio:.1%} alike, rounded to whole percents"


def _of(predicted: int, referenced: int) -> str:
    return f", of {predicted} predicted and {referenced} in the answer"


def _pr(shared: int, predicted: int, referenced: int) -> str:
    if not shared:
        return ""
    return f": precision {shared / predicted:.0%}, recall {shared / referenced:.0%}"


def _n(n: int, one: str, more: str = "") -> str:
    return f"{n or 'no'} {one if n == 1 else more or one + 's'}"


def facts_of(evidence: Evidence, most: int = 200) -> dict[str, Any]:
    """The words, numbers or classes behind a score, the first of them where there are many."""
    match evidence:
        case SharedWords(words=words):
            return {"words": list(words.items())[:most]}
        case CommonSubsequences(words=path):
            return {"words": [(word, 1) for word in path[:most]]}
        case Numbers(found, sought):
            return {"found": list(found[:most]), "sought": sought}
        case NamedClasses(found, kept, sought):
            return {"found": list(found[:most]), "kept": list(kept[:most]), "sought": sought}
        case ComparedLine():
            return {}
