"""What is left of a context, in words, and whether an answer can still be read in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from longbench_eval.compress.split import words_of
from longbench_eval.records import Example


def measure(example: Example, context: str) -> Mapping[str, Any]:
    """The part of a row's record that all changes have: words and answers, before and after."""
    before, after = _words(example.context), words_of(context)
    return {
        "words_before": len(before),
        "words_after": len(after),
        "answer_in_context": _hold_answer(before, example.answers),
        "answer_kept": _hold_answer(after, example.answers),
    }


# Rows that share a context follow one another.
_words = lru_cache(2)(words_of)


def holds_answer(answers: Sequence[str], text: str) -> bool:
    """Whether the words of one of the answers stand in the text one after another.

    Case, white space and punctuation do not matter: Chinese answers end in a full stop that the text need not have.
    """
    return _hold_answer(words_of(text), answers)


def _hold_answer(words: Sequence[str], answers: Sequence[str]) -> bool:
    text = _fenced(words)
    return any(_fenced(found) in text for answer in answers if (found := words_of(answer)))


def _fenced(words: Sequence[str]) -> str:
    """Words with spaces around each, so that none is found within another."""
    return f" {' '.join(words)} "
