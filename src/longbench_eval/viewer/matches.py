"""Where in a prediction and in an answer the words are that a score rests on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from longbench_eval.metrics.evidence import (
    CommonSubsequences,
    ComparedLine,
    Evidence,
    NamedClasses,
    Numbers,
    SharedWords,
)
from longbench_eval.metrics.segment import cut
from longbench_eval.metrics.text import chinese_words, english_words

MARKED_CHARACTERS = 20_000
"""How far into a text marks are made: as much of it as is sent at once."""
_LONGEST_LINE = 5000  # difflib is quadratic

Kind = Literal["", "hit", "miss", "out"]


class Span(NamedTuple):
    """Characters `start` to `end`: `hit` counts for the score, `miss` against it, `out` is not looked at."""

    start: int
    end: int
    kind: Kind


_WORD = re.compile(r"\S+")
_ROUGE_WORD = re.compile(r"[^\s.]+")
_NUMBER = re.compile(r"\d+")


def mark_prediction(metric: str, prediction: str, extracted: str, answer: str, evidence: Evidence) -> list[list[str]]:
    """A prediction as pieces `[text, kind]`, in order; the part that was not compared is `out`.

    Args:
        metric: The task's metric.
        prediction: The whole of it; pieces end after `MARKED_CHARACTERS`.
        extracted: The part of it that was compared.
        answer: The reference answer that gave the score.
        evidence: What the score rests on.
    """
    part = evidence.line if isinstance(evidence, ComparedLine) else extracted
    start = max(prediction.find(part), 0)
    inside = [Span(start + a, start + b, kind) for a, b, kind in _spans(metric, part, evidence, (part, answer))]
    return pieces(prediction, inside, start, start + len(part))


def mark_answer(metric: str, answer: str, evidence: Evidence) -> list[list[str]]:
    """The reference answer that gave the score as pieces `[text, kind]`."""
    line = evidence.line if isinstance(evidence, ComparedLine) else ""
    spans = [span for span in _spans(metric, answer, evidence, (answer, line)) if span.kind == "hit"]
    return pieces(answer, spans, 0, len(answer))


def pieces(text: str, spans: Iterable[Span], start: int, end: int) -> list[list[str]]:
    """Cut a text at its spans; what lies before `start` and after `end` is `out`. The text's beginning only."""
    text = text[:MARKED_CHARACTERS]
    found: list[list[str]] = []
    at = 0
    for span in (Span(0, start, "out"), *spans, Span(end, len(text), "out")):
        for a, b, kind in ((at, span.start, ""), (max(at, span.start), span.end, span.kind)):
            if text[a:b]:
                found.append([text[a:b], kind])
        at = max(at, span.end)
    return found


def _spans(metric: str, text: str, evidence: Evidence, pair: tuple[str, str]) -> list[Span]:
    text = text[:MARKED_CHARACTERS]
    match evidence:
        case SharedWords():
            chinese = metric.endswith("_zh")
            words = _chinese(text) if chinese else _WORD.finditer(text)
            return list(_shared(map(_place, words), chinese_words if chinese else english_words, evidence.words))
        case CommonSubsequences():
            words = _chinese(text) if metric.endswith("_zh") else [(0, text)]
            return list(_on_path(words, set(evidence.words)))
        case Numbers():
            return [Span(*m.span(), "hit" if m[0] == evidence.sought else "miss") for m in _NUMBER.finditer(text)]
        case NamedClasses():
            return _classes(text, evidence)
        case ComparedLine():
            return _blocks(*pair)


def _place(word: re.Match[str] | tuple[int, str]) -> tuple[int, str]:
    return word if isinstance(word, tuple) else (word.start(), word[0])


def _chinese(text: str) -> list[tuple[int, str]]:
    """The segmenter's words and where they begin; joined they are the text."""
    words, at = [], 0
    for word in cut(text):
        words.append((at, word))
        at += len(word)
    return words


def _shared(
    words: Iterable[tuple[int, str]], normalize: Callable[[str], list[str]], shared: Mapping[str, int]
) -> Iterator[Span]:
    """Each shared word as often as it counts."""
    left = Counter(shared)
    for start, word in words:
        for normal in normalize(word):
            if left[normal] > 0:
                left[normal] -= 1
                yield Span(start, start + len(word), "hit")
                break


def _on_path(words: Iterable[tuple[int, str]], common: Collection[str]) -> Iterator[Span]:
    for start, text in words:
        for word in _ROUGE_WORD.finditer(text):
            if word[0] in common:
                yield Span(start + word.start(), start + word.end(), "hit")


def _classes(text: str, evidence: NamedClasses) -> list[Span]:
    """The classes that count; of two that overlap the right one, else the longer."""
    order = sorted(evidence.kept, key=lambda name: (name != evidence.sought, -len(name)))
    spans: list[Span] = []
    for name in filter(None, order):
        kind: Kind = "hit" if name == evidence.sought else "miss"
        for found in re.finditer(re.escape(name), text):
            if all(found.end() <= span.start or span.end <= found.start() for span in spans):
                spans.append(Span(*found.span(), kind))
    return sorted(spans)


def _blocks(one: str, other: str) -> list[Span]:
    if max(len(one), len(other)) > _LONGEST_LINE:
        return []
    blocks = SequenceMatcher(None, one, other).get_matching_blocks()
    return [Span(block.a, block.a + block.size, "hit") for block in blocks if block.size]
