"""Asking without documents: what the model knows by heart.

The prompt is derived from the task's own template by rule, because the paper does not print its own:

1. The text before `{context}` is an introduction. It is kept only where what follows gives no instruction, or where it
   holds the question. The label in front of the context goes (`Article:`).
2. Phrases that only say where to look are cut out of their sentences: `based on the above text`.
3. Sentences that still speak of the documents go, and so do those that say what to do if the documents lack something.

Where nothing sensible is left, the template is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from longbench_eval.compress.change import Changed, ContextChange
from longbench_eval.compress.kept import measure
from longbench_eval.compress.pointing import (
    capitalized,
    cut_phrases,
    is_condition_on_documents,
    is_instruction,
    mentions_documents,
)
from longbench_eval.errors import UsageError
from longbench_eval.records import Example
from longbench_eval.tasks import get_task

_CONTEXT, _INPUT = "{context}", "{input}"
_LABEL = re.compile(r"[^\n.!?。！？；{}]*[:：]\s*$")
_SENTENCES = re.compile(r".+?(?:[.!?](?=\s|$)[ \t]*|[。！？；，]|$)")
_NOW = re.compile(r"^\s*(?:now,?\s+|现在，?)", re.IGNORECASE)


class NoContext(ContextChange):
    """Every row is asked without its documents."""

    name = "none"
    about = "rows are asked without their documents, by prompts derived from the templates: no LongBench scores"

    def identity(self) -> Mapping[str, Any]:
        """Nothing can be chosen."""
        return {"kind": "none"}

    def template(self, task: str, text: str) -> str:
        """The task's template without its documents."""
        if get_task(task).category == "synthetic":
            raise UsageError(f"--no-context: {task} asks about its documents themselves; leave it out of --tasks.")
        try:
            return without_context(text)
        except UsageError as error:
            raise UsageError(f"--no-context: the template of {task} {error} Leave the task out of --tasks.") from None

    def apply(self, example: Example) -> Changed:
        """Drop the context."""
        record = {"kind": "none", **measure(example, "")}
        return Changed(replace(example, context=""), record)


class _Pruned(NamedTuple):
    """A part of a template without what points to the documents, and whether an instruction was lost with it."""

    text: str
    lost_instruction: bool


def without_context(template: str) -> str:
    """Derive the prompt that asks the same without documents.

    Args:
        template: With the fields `{context}`, once, and `{input}`.

    Raises:
        UsageError: Nothing sensible can be derived; the message goes on after the template's name.
    """
    head, found, tail = template.partition(_CONTEXT)
    if not found or _CONTEXT in tail:
        raise UsageError(f"has {_CONTEXT} {'twice or more' if found else 'nowhere'}; expected it once.")
    if _INPUT not in template:
        raise UsageError(f"has no {_INPUT}: without its context it asks nothing.")
    before, after = _prune(_LABEL.sub("", head)), _prune(tail)
    alone = _INPUT in after.text and any(map(is_instruction, _sentences(after.text)))
    text = after.text if alone else before.text + after.text
    lost = after.lost_instruction or (before.lost_instruction and not alone)
    if lost and not any(map(is_instruction, _sentences(text))):
        raise UsageError("gives no instruction that would make sense without the context.")
    return _tidy(text)


def _prune(part: str) -> _Pruned:
    lines, lost = [], False
    for line in part.splitlines(keepends=True):
        kept = []
        for sentence in _sentences(line):
            short = "" if is_condition_on_documents(sentence) else cut_phrases(sentence)
            if short and not mentions_documents(short):
                kept.append(short)
            elif _INPUT in sentence:
                raise UsageError(f"speaks of the context in one sentence with {_INPUT}: {sentence.strip()!r}.")
            else:
                lost = lost or is_instruction(sentence)
        end = line[len(line.rstrip("\r\n")) :]
        lines.append(_ended("".join(kept)) + end if kept or not line.strip() else "")
    return _Pruned("".join(lines), lost)


def _sentences(text: str) -> Iterator[str]:
    """Sentences with what stands behind them; a Chinese one is taken apart at its commas."""
    for line in text.splitlines():
        yield from _SENTENCES.findall(line)


def _ended(line: str) -> str:
    """A comma is no end: what came behind it is gone."""
    return f"{line[:-1]}。" if line.endswith("，") else line


def _tidy(text: str) -> str:
    text = re.sub(r"\n{3,}", "\n\n", text.lstrip())
    return capitalized(_NOW.sub("", text)) if _NOW.match(text) else text
