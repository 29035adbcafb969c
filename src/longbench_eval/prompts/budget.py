"""M, the most tokens a rendered prompt may have: one for a whole run."""

from __future__ import annotations

from dataclasses import dataclass

from longbench_eval.errors import UsageError

# Decoding and encoding again can add a few tokens at the cut; a lowered M leaves room for them.
DRIFT_TOKENS = 32


@dataclass(frozen=True, slots=True)
class Budget:
    """The M of a run, in tokens, and the M it would have had (`lowered_from`) if that had fitted."""

    tokens: int
    lowered_from: int | None = None
    reason: str = ""


def default_budget(window_tokens: int) -> int:
    """M as the published runs chose it by hand: 3500, 7500, 15500, 31500 for windows of 4k, 8k, 16k, 32k.

    A window below 1,024 tokens, for which that rule gives nothing, is split in halves.
    """
    return 1000 * (window_tokens // 1024) - 500 if window_tokens >= 1024 else window_tokens // 2


def fit_budget(wanted: int, capacity: int | None, wrap_tokens: int, max_new_tokens: int) -> Budget:
    """Lower M once so that prompt, chat template and the longest answer fit the model.

    Args:
        wanted: M as asked for, or the default.
        capacity: Tokens the loaded model can hold; None when unknown.
        wrap_tokens: What the chat template adds at most.
        max_new_tokens: The longest answer among the run's tasks.

    Raises:
        UsageError: M is below 2, or nothing is left of the window.
    """
    check_budget(wanted)
    if capacity is None or wanted + wrap_tokens + max_new_tokens <= capacity:
        return Budget(wanted)
    room = capacity - wrap_tokens - max_new_tokens - DRIFT_TOKENS
    needs = f"{capacity} tokens hold a chat template of {wrap_tokens} and an answer of {max_new_tokens}"
    if room < 2:
        raise UsageError(f"No room for a prompt: {needs}, and nothing is left. Use a model with a larger window.")
    return Budget(room, wanted, f"{needs}, so prompts are cut to {room} tokens instead of {wanted}")


def check_budget(tokens: int) -> None:
    """Refuse an M with which the reference's rule would cut nothing (`ids[-0:]` is everything)."""
    if tokens < 2:
        raise UsageError(f"--max-input-tokens is {tokens}; it must be at least 2, one token for each half.")
