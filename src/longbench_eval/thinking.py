"""Thinking before the answer: how many tokens it may have, and how it is told from the answer.

A cap of 32 or 128 new tokens is meant for the answer. A model that thinks first spends it on its thoughts, and what is
scored then is no answer; so thoughts have a budget of their own, and are taken off before anything is extracted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from longbench_eval.errors import UsageError

DEFAULT_BUDGET_TOKENS = 4096
SPELLINGS = "auto, off, or budget N"

# Tags of published reasoning models: most of them, Magistral, Kimi, Seed.
BEGINS = re.compile(r"\s*(?:<think(?:ing)?>|\[THINK\]|◁think▷|<seed:think>)")
ENDS = re.compile(r"</think(?:ing)?>|\[/THINK\]|◁/think▷|</seed:think>")
_OPENED = re.compile(r"(?:<think(?:ing)?>|\[THINK\]|◁think▷|<seed:think>)\s*\Z")
# What the templates of the common families call their switch: Qwen, GLM and others; DeepSeek and Granite.
_SWITCHES = ("enable_thinking", "thinking")
_SWITCH_USED = re.compile(rf"\b(?:{'|'.join(_SWITCHES)})\b(?![>\]])")


@dataclass(frozen=True, slots=True)
class Thinking:
    """What is done about thinking.

    Attributes:
        mode: `auto` leaves it to the chat template whether the model thinks; `off` and `budget` tell the template.
        tokens: What thoughts may have beside the task's cap.
    """

    mode: Literal["auto", "off", "budget"] = "auto"
    tokens: int = DEFAULT_BUDGET_TOKENS

    @property
    def switches(self) -> Mapping[str, bool]:
        """What the chat template is told; one that has no such switch does not look at it."""
        return {} if self.mode == "auto" else dict.fromkeys(_SWITCHES, self.mode == "budget")

    def budget(self, thinks: bool, capacity: int | None = None) -> int:
        """Tokens for the thoughts of a model that is known to think, or not known to.

        Where nobody named a number, they get no more than a quarter of what the model can hold (`capacity`, in tokens).
        """
        if self.mode == "budget":
            return self.tokens
        return min(self.tokens, (capacity or 4 * self.tokens) // 4) if self.mode == "auto" and thinks else 0

    def __str__(self) -> str:
        return f"budget {self.tokens}" if self.mode == "budget" else self.mode


def parse_thinking(text: str) -> Thinking:
    """Read `auto`, `off`, or `budget N` (N tokens, at least 1).

    Raises:
        UsageError: It is none of these.
    """
    words = text.replace("=", " ").split()
    if words in (["auto"], ["off"]):
        return Thinking("off" if words == ["off"] else "auto")
    if len(words) == 2 and words[0] == "budget" and words[1].isdecimal() and int(words[1]) > 0:
        return Thinking("budget", int(words[1]))
    raise UsageError(f"--thinking is {text!r}; expected {SPELLINGS}, such as --thinking budget 4096.")


@dataclass(frozen=True, slots=True)
class Thought:
    """What a model thought before its answer, and whether it came to an end."""

    text: str
    finished: bool


def split_thinking(text: str, *, opened: bool = False) -> tuple[Thought | None, str]:
    """Tell a thought from the answer that follows it.

    Args:
        text: The model's output. Without a mark of thinking it is all answer.
        opened: The prompt ends within a thought, so the output begins in it.

    Returns:
        The thought, None where there is none, and the answer without the line ends before it; an unfinished thought
        leaves no answer.
    """
    begin, end = BEGINS.match(text), ENDS.search(text)
    start = begin.end() if begin else 0
    if end is not None and end.start() >= start:
        return Thought(text[start : end.start()], finished=True), text[end.end() :].lstrip("\n")
    if begin or opened:
        return Thought(text[start:], finished=False), ""
    return None, text


def opens_thought(prompt: str) -> bool:
    """Whether a prompt ends with the mark that begins a thought."""
    return _OPENED.search(prompt) is not None


def template_thinks(template: str) -> bool:
    """Whether a chat template is one of a model that thinks: it has a switch for it, or knows the mark of its end."""
    return ENDS.search(template) is not None or "enable_thinking" in template


def close_thought(prompt: str, template: str) -> str:
    """Turn thinking off in a prompt whose template cannot: with an empty thought that is already over."""
    if opens_thought(prompt):
        return f"{prompt.rstrip()}\n\n</think>\n\n"
    if template_thinks(template) and not _SWITCH_USED.search(template):
        return f"{prompt}<think>\n\n</think>\n\n"
    return prompt
