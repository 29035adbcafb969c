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
_TRIAL_LINES = 20


class Page(NamedTuple):
    """A prompt of some length with a word at its very beginning that nobody could guess."""

    text: str
    word: str


def make_page(tokens: int, tokenizer: Tokenizer) -> Page:
    """A prompt of about so many tokens, like none before it, so that no cache has it."""
    a_line = len(tokenizer.encode(_lines(_TRIAL_LINES))) / _TRIAL_LINES
    word = secrets.token_hex(3)
    question = "\nWhich word is the code word in the first line? Answer with that word only."
    return Page(f"The code word is {word}.\n{_lines(max(1, int(tokens / a_line) - 3))}{question}", word)


def _lines(count: int) -> str:
    return "".join(_LINE.format(number) for number in range(1, count + 1))
