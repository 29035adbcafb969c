"""Reading out of a refusal how long a prompt may be. There is no standard: each server has its own sentence."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

_STATUSES = (400, 413, 422)
# Sentences of vLLM, SGLang, OpenAI, llama.cpp, TGI.
_IS_OVERLONG = re.compile(
    r"context.{0,3}(length|size|window)|maximum model length|longer than the model|max_new_tokens` must be <="
    r"|exceed_context_size|too many tokens|prompt is too long|max_total_tokens",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:maximum|available|model's) (?:context|model)[ _](?:length|size|window)(?: of| is|:)? \(?(\d+)"
    r"|max_new_tokens` must be <= (\d+)|(\d+) maximum",
    re.IGNORECASE,
)
_PROMPT = re.compile(
    r"(\d+) (?:tokens )?(?:in|from) (?:your|the) (?:prompt|messages|input)|(\d+) input tokens|(\d+) `inputs` tokens"
    r"|input \((\d+) tokens\)|request \((\d+) tokens\)|prompt \(length (\d+)\)"
    r"|(?:resulted in|contains|too long:) (\d+) (?:input )?tokens",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"requested (?:a total of )?(\d+) tokens", re.IGNORECASE)


class Overlong(NamedTuple):
    """What a server said of a prompt that was too long for it, in its own tokens; None where it did not say."""

    limit: int | None
    prompt: int | None

    def budget(self, counted: int, max_new_tokens: int, spare: int) -> int | None:
        """The tokens, in our count, to which the prompt must be cut; None when it cannot be told.

        Args:
            counted: The refused prompt in our count, which may be an estimate.
            max_new_tokens: The answer's cap, which needs room beside it.
            spare: Room to leave for what decoding and encoding again may add.
        """
        if self.limit is None:
            return None
        prompt, room = self.prompt or counted, self.limit - max_new_tokens - spare
        # By ratio, because an estimate is wrong by a factor; by difference where the two agree roughly, because then
        # our count is the server's but for a chat template, which adds a constant.
        by_ratio, by_difference = counted * room // prompt, counted - (prompt - room)
        allowed = by_difference if by_ratio // 2 <= by_difference <= by_ratio else by_ratio
        return allowed if 2 <= allowed < counted else None


def read_overlong(status: int, message: str, body: Any, max_new_tokens: int) -> Overlong | None:
    """Tell whether a refusal is for length, and what it says of it; None for any other refusal."""
    error = body.get("error", body) if isinstance(body, dict) else {}
    error = error if isinstance(error, dict) else {}
    code = f"{error.get('code')} {error.get('type')}"
    if status not in _STATUSES or not _IS_OVERLONG.search(f"{message} {code}"):
        return None
    limit = _int(error.get("n_ctx")) or _first(_LIMIT, message)
    prompt = _int(error.get("n_prompt_tokens")) or _first(_PROMPT, message)
    total = _first(_TOTAL, message)
    if prompt is None and total is not None and total > max_new_tokens:
        prompt = total - max_new_tokens
    return Overlong(limit, prompt)


def _first(pattern: re.Pattern[str], text: str) -> int | None:
    match = pattern.search(text)
    return int(next(group for group in match.groups() if group)) if match else None


def _int(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None
