"""Memory: how many rows fit at once, and what to do when they did not."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

MOST_ROWS = 32
# The rest is for activations, and for the second copy that a growing cache needs for a moment.
SHARE_FOR_CACHES = 0.4
_WORDS = ("out of memory", "can't allocate memory", "not enough memory", "failed to allocate")


def rows_that_fit(free_bytes: int, bytes_per_token: int | None, tokens: int) -> int:
    """A power of two of rows, 32 at most, whose caches take two fifths of the free memory; 8 when sizes are unknown."""
    if bytes_per_token is None:
        return 8
    fit = int(free_bytes * SHARE_FOR_CACHES) // max(1, bytes_per_token * tokens)
    return int(min(MOST_ROWS, 1 << max(0, fit.bit_length() - 1)))


def free_bytes(device: torch.device) -> int | None:
    """Free memory of a CUDA device; None where nobody tells."""
    import torch

    if device.type != "cuda":
        return None
    free: int = torch.cuda.mem_get_info(device)[0]
    return free


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory ran out: torch's own type, or what processors and drivers say."""
    import torch

    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    return isinstance(error, RuntimeError) and any(word in str(error).lower() for word in _WORDS)


def give_back(device: torch.device) -> None:
    """Return what is unused to the device. To be called when no traceback holds tensors any more."""
    import torch

    gc.collect()
    if device.type == "cuda":
        torch.cuda.empty_cache()
    elif device.type == "mps":
        torch.mps.empty_cache()
