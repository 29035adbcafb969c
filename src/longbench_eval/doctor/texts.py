"""The questions, and prompts of any length."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from longbench_eval.prompts.tokenizer import Tokenizer

# A short answer ends long before its cap, if the model knows how to end.
SHORT = "What is the capital of France? Answer with one word."
SHORT_CAP = 64
# Many words would do at every step: whoever samples writes something else the second time.
STORY = "Write a short story about a lighthouse."
STORY_CAP = 48

# Numbers of one width: every line has as many tokens.
_LINE = "Entry {:05}: the harbour master wrote down the tide, the wind, and the ships that came in.\n"
_QUESTION = "Which word is the code word in the first line? Answer with that word only."
_TRIAL_LINES = 20


class Page(NamedTuple):
    """A prompt of some length with a word at its very beginning that nobody could guess."""

    text: str
    word: str


def make_page(tokens: int, tokenizer: Tokenizer) -> Page:
    """A prompt of so many tokens or somewhat fewer, like none before it, so that no cache has it."""
    word = secrets.token_hex(3)
    around = len(tokenizer.encode(_page(word, 0)))
    a_line = (len(tokenizer.encode(_page(word, _TRIAL_LINES))) - around) / _TRIAL_LINES
    return Page(_page(word, max(1, int((tokens - around) / a_line))), word)


def _page(word: str, lines: int) -> str:
    entries = "".join(_LINE.format(number) for number in range(1, lines + 1))
    return f"The code word is {word}.\n{entries}\n{_QUESTION}"
