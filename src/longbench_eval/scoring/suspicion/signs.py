"""What a single answer can show. Each function is one sign, and says only whether it is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from longbench_eval.thinking import BEGINS, ENDS

REPLACEMENT = "\ufffd"


class Answer(NamedTuple):
    """One answer as the signs see it.

    `capped` is whether the record says that the cap on new tokens ended it; `prompt` is empty where it is not known;
    `unfinished` is whether the record has nothing but a thought that came to no end.
    """

    text: str
    capped: bool = False
    prompt: str = ""
    unfinished: bool = False


def _found(pattern: re.Pattern[str], hints: tuple[str, ...], text: str) -> bool:
    """Whether a pattern is in a text; without one of the hints, which every match holds, it is not even searched."""
    for hint in hints:
        if hint in text:
            return pattern.search(text) is not None
    return False


def thinks_without_end(answer: Answer) -> bool:
    """Whether the answer is nothing but the beginning of a thought."""
    return answer.unfinished or (BEGINS.match(answer.text) is not None and not holds_thinking(answer))


def holds_thinking(answer: Answer) -> bool:
    """Whether a finished thought is in the answer. Some prompts open it, so that only its end is in the text."""
    return _found(ENDS, ("think", "THINK"), answer.text)


def is_empty(answer: Answer) -> bool:
    """Whether there is nothing but white space, and no thought that would explain it."""
    return (not answer.text or answer.text.isspace()) and not answer.unfinished


def is_capped(answer: Answer) -> bool:
    """Whether the cap on new tokens ended the answer."""
    return answer.capped


LOOP_COPIES = 5
LOOP_CHARACTERS = 15
_TAIL_CHARACTERS = 5000  # an answer of 512 tokens has 3,500 at most; the bound keeps long texts linear
_PROBE_CHARACTERS = 12


def loops(answer: Answer) -> bool:
    """Whether the answer ends with one phrase at least five times in a row, or in white space, 15 characters or more.

    The last copy may be cut anywhere. `"2000000"` is no loop, and white space alone is an empty answer.
    """
    text = answer.text[-_TAIL_CHARACTERS:].rstrip(REPLACEMENT)
    words = text.rstrip()
    if len(text) - len(words) >= LOOP_CHARACTERS:
        return words != ""
    return len(words) >= LOOP_CHARACTERS and any(_repeats(words, period) for period in _periods(words))


def _periods(text: str) -> Iterator[int]:
    """The lengths that a repeated phrase can have, ascending: how far back the text's last characters stand before."""
    probe = text[-_PROBE_CHARACTERS:]
    at_end = len(text) - len(probe)
    first = max(0, at_end - len(text) // LOOP_COPIES)
    found = text.rfind(probe, first, len(text) - 1)
    while found >= 0:
        yield at_end - found
        found = text.rfind(probe, first, found + len(probe) - 1)


def _repeats(text: str, period: int) -> bool:
    copies = max(LOOP_COPIES, -(-LOOP_CHARACTERS // period))
    return text.endswith(text[-period:] * copies)


# Tokens that structure a chat. <s> is also a tag of HTML, <eos> a word of papers on language models: they count only
# where a decoder would leave them.
_MARKERS = re.compile(
    r"<[|｜][^\s|｜<>][^|｜<>\n]{0,40}[|｜]>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>"
    r"|\A\s*<(?:s|bos)>|<(?:/s|eos)>\s*\Z"
)
# The same with its special tokens dropped ("Paris.assistant\n\n"), or written out by a model that was trained so.
_ROLES = re.compile(
    r"(?:\A|\n[ \t]*\n)[ \t]*(?:###[ \t]*)?(?:Assistant|ASSISTANT|User|USER|Human)[:：]"
    r"|(?:\A|[.!?。！？\n])(?:assistant|user|model)\n"
)
_ROLE_NAMES = ("Assistant", "ASSISTANT", "User", "USER", "Human", "assistant\n", "user\n", "model\n")


def holds_chat_marker(answer: Answer) -> bool:
    """Whether a special token of a chat template is in the text."""
    return _found(_MARKERS, ("<", "INST]"), answer.text)


def plays_another_turn(answer: Answer) -> bool:
    """Whether the answer goes on as a conversation: a role's name stands where a turn would begin."""
    return _found(_ROLES, _ROLE_NAMES, answer.text)


_LABELS = ("Question", "Query", "Answer", "问题", "回答")
_LABEL = rf"[ \t]*(?:{'|'.join(_LABELS)})[ \t]*[:：]"
_LATER_LABEL = re.compile(r"\S\s*\n" + _LABEL)
_FIRST_LABEL = re.compile(r"\s*(?:" + _LABEL + r"|Passage \d+:)")
ECHO_CHARACTERS = 60


def runs_on(answer: Answer) -> bool:
    """Whether the prompt's format goes on after the answer: a later line opens as its question or answer does."""
    return _found(_LATER_LABEL, _LABELS, answer.text)


def repeats_instruction(answer: Answer) -> bool:
    """Whether the first 60 characters of the prompt are in the answer: they are instruction, or the first example."""
    start = answer.prompt.lstrip()[:ECHO_CHARACTERS]
    return len(start) == ECHO_CHARACTERS and start in answer.text


def echoes_prompt(answer: Answer) -> bool:
    """Whether the answer repeats the prompt's beginning or end, or itself begins with a label that the prompt has."""
    end = answer.prompt.rstrip()[-ECHO_CHARACTERS:]
    if len(end) == ECHO_CHARACTERS and end in answer.text:
        return True
    return repeats_instruction(answer) or _FIRST_LABEL.match(answer.text) is not None


def has_broken_characters(answer: Answer) -> bool:
    """Whether U+FFFD is inside the text. At its end it is a character that the cap cut in two."""
    return REPLACEMENT in answer.text and REPLACEMENT in answer.text.rstrip(REPLACEMENT)
