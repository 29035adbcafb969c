"""From new tokens, or an error, to a completion."""

from __future__ import annotations

from collections.abc import Sequence

from longbench_eval.prompts.tokenizer import Tokenizer
from longbench_eval.records import Completion, Failure, FinishReason, Request


def answered(
    request: Request, tokens: Sequence[int], ends: Sequence[int], tokenizer: Tokenizer, cached: int, latency_s: float
) -> Completion:
    """A row's completion.

    Args:
        request: What was asked.
        tokens: The new tokens, the one that ended the answer included.
        ends: Ids that end an answer, samsum's newline apart.
        tokenizer: The model's.
        cached: Prompt tokens that were not computed for this row.
        latency_s: How long the row's batch took.
    """
    last = tokens[-1] if tokens else None
    reason: FinishReason = "length"
    if last in ends:
        reason = "stop"
    elif request.stop_at_newline and last == tokenizer.newline_id:
        reason = "newline"
    # The end of turn is generated like any token, and counted, but it is no text, special to the tokenizer or not.
    text = tokenizer.decode(tokens[:-1] if reason == "stop" else tokens)
    return Completion(
        request.example_id,
        text,
        reason,
        prompt_tokens=request.prompt.tokens,
        completion_tokens=len(tokens),
        cached_tokens=cached,
        latency_s=latency_s,
    )


def failed(request: Request, failure: Failure, latency_s: float = 0.0) -> Completion:
    """A row that has no answer."""
    return Completion(request.example_id, "", latency_s=latency_s, error=failure)


def no_memory(request: Request) -> Failure:
    """What a row is told that does not fit even alone: it is too long for this memory, others may not be."""
    return Failure(
        "overlong",
        f"out of memory, alone in its batch, with {request.prompt.tokens} prompt tokens and {request.max_new_tokens} "
        "to come; lower --max-input-tokens, or give --dtype bfloat16 or another --device",
    )


def broken(error: BaseException) -> Failure:
    """What a row is told whose computation raised something."""
    return Failure("model", f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")


def too_long(request: Request, limit: int) -> Failure:
    """What a row is told that has more tokens than the model has positions."""
    tokens = (request.prompt.tokens or 0) + request.max_new_tokens
    return Failure("overlong", f"prompt and answer may take {tokens} tokens, and the model has {limit} positions")
