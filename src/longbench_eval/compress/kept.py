"""What is left of a context, in words, and whether an answer can still be read in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from longbench_eval.compress.split import count_words
from longbench_eval.records import Example


def measure(example: Example, context: str) -> Mapping[str, Any]:
    """The part of a row's record that all changes have: words and answer strings, before and after."""
    return {
        "words_before": _words(example.context),
        "words_after": count_words(context),
        "answer_in_context": holds_answer(example.answers, example.context),
        "answer_kept": holds_answer(example.answers, context),
    }


# Rows that share a context follow one another.
_words = lru_cache(2)(count_words)


def holds_answer(answers: Sequence[str], text: str) -> bool:
    """Whether one of the answers stands in the text as a string, whatever its case and white space."""
    plain = _plain(text)
    return any(answer in plain for answer in map(_plain, answers) if answer)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
