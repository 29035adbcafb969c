"""Cutting a too long prompt, and the record of what was cut.

Source: pred.py of the reference. The rendered prompt is tokenized whole, the halves that stay are decoded apart and
joined, and the result is tokenized again later: it may differ from the budget by a few tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from longbench_eval.prompts.tokenizer import Tokenizer, encode_all
from longbench_eval.records import Truncation


class Kept(NamedTuple):
    """The ids that stay: from the beginning, and from the end."""

    head: Sequence[int]
    tail: Sequence[int]


def middle(ids: Sequence[int], budget_tokens: int) -> Kept:
    """Keep both ends, the reference's way: an odd budget keeps one token less than it allows."""
    half = int(budget_tokens / 2)
    return Kept(ids[:half], ids[-half:])


def left(ids: Sequence[int], budget_tokens: int) -> Kept:
    """Drop the beginning, BOS with it; a tokenizer that adds one does so again when the result is tokenized."""
    return Kept((), ids[-budget_tokens:])


def right(ids: Sequence[int], budget_tokens: int) -> Kept:
    """Drop the end."""
    return Kept(ids[:budget_tokens], ())


TRUNCATIONS: Mapping[str, Callable[[Sequence[int], int], Kept]] = {"middle": middle, "left": left, "right": right}


class Shortened(NamedTuple):
    """The text to send, and what was cut; None when it fitted. `ids` are its tokens, where they are known already."""

    text: str
    cut: Truncation | None = None
    ids: Sequence[int] | None = None


def shorten(text: str, budget_tokens: int, tokenizer: Tokenizer, how: str = "middle") -> Shortened:
    """Cut a rendered prompt to a budget.

    Args:
        text: The rendered prompt, before any chat template.
        budget_tokens: The most tokens it may have, BOS included; at least 2.
        tokenizer: The model's.
        how: A name in `TRUNCATIONS`.
    """
    return shorten_all([text], budget_tokens, tokenizer, how)[0]


def shorten_all(texts: Sequence[str], budget_tokens: int, tokenizer: Tokenizer, how: str) -> list[Shortened]:
    """Cut several prompts, tokenized together; see `shorten`."""
    encoded = encode_all(tokenizer, texts)
    return [_cut(text, ids, budget_tokens, tokenizer, how) for text, ids in zip(texts, encoded, strict=True)]


def _cut(text: str, ids: Sequence[int], budget_tokens: int, tokenizer: Tokenizer, how: str) -> Shortened:
    if len(ids) <= budget_tokens:
        return Shortened(text, ids=ids)
    kept = TRUNCATIONS[how](ids, budget_tokens)
    head, tail = (tokenizer.decode(part) if part else "" for part in kept)
    start = _common_prefix(text, head)
    end = max(start, len(text) - _common_prefix(text[::-1], tail[::-1]))
    after = len(kept.head) + len(kept.tail)
    return Shortened(head + tail, Truncation(len(ids), after, start, end, head_chars=len(head)))


def _common_prefix(text: str, part: str) -> int:
    if text.startswith(part):
        return len(part)
    return next((i for i, (a, b) in enumerate(zip(text, part, strict=False)) if a != b), min(len(text), len(part)))


def chain(first: Truncation | None, second: Truncation) -> Truncation:
    """Tell two cuts of one text, one after the other, as one: what is lost lies between the outer edges."""
    if first is None:
        return second
    gap = first.end - first.start
    start, end = min(first.start, second.start), max(first.end, second.end + gap)
    return Truncation(first.tokens_before, second.tokens_after, start, end, second.head_chars)
