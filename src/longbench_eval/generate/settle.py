"""From what a thinking model put out to its answer: the thought off, and the task's own rules applied to the rest."""

from __future__ import annotations

from dataclasses import replace

from longbench_eval.prompts.tokenizer import Tokenizer
from longbench_eval.records import Completion, Prompt
from longbench_eval.tasks import LONGBENCH, Suite
from longbench_eval.thinking import opens_thought, split_thinking


def settle(
    task: str,
    prompt: Prompt,
    cap: int,
    completion: Completion,
    tokenizer: Tokenizer | None,
    suite: Suite = LONGBENCH,
) -> Completion:
    """Take the thought off an answer, and keep it beside it; an answer without one stays as it is.

    The model generated freely, for the thought and the answer together: the cap and samsum's newline rule hold for
    what follows the thought.

    Args:
        task: Whose answer it is.
        prompt: What was asked; it may end within a thought.
        cap: The most tokens an answer to the task may have.
        completion: What the model put out.
        tokenizer: The model's; without one an answer that is too long cannot be told.
        suite: Whose task it is.
    """
    thought, text = completion.thinking, completion.text
    if thought is None:
        thought, text = split_thinking(text, opened=opens_thought(prompt.text))
    if thought is None or completion.error:
        return completion
    settled = _capped(replace(completion, text=text, thinking=thought), cap, tokenizer)
    return _first_line(settled) if suite.task(task).newline_stop else settled


def _capped(completion: Completion, cap: int, tokenizer: Tokenizer | None) -> Completion:
    if tokenizer is None or len(completion.text) <= cap:  # no token is shorter than a character
        return completion
    ids = tokenizer.encode(completion.text)
    ids = ids[1:] if ids[:1] == [tokenizer.bos_id] else ids
    if len(ids) <= cap:
        return completion
    return replace(completion, text=tokenizer.decode(ids[:cap]), finish_reason="length")


def _first_line(completion: Completion) -> Completion:
    """The text to its first newline, which stays in it, as the token that ends such an answer does."""
    line, newline, _ = completion.text.partition("\n")
    return replace(completion, text=line + newline, finish_reason="newline") if newline else completion
