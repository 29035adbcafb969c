"""The keys and values of the last prompt, kept for the next one over the same context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from longbench_eval.models.hf.batches import common_prefix, worth_sharing

CacheKind = Literal["full", "window", "other"]


def kind_of(cache: Any) -> CacheKind:
    """What may be done with a model's cache.

    `full`: it can be cut back to any prefix. `window`: it forgets (sliding attention), so it cannot, but rows may be
    padded. `other`: states of another sort (recurrent, or the model's own class), about which nothing is assumed.
    """
    from transformers import cache_utils

    layers = getattr(cache, "layers", None)
    if type(cache) is not cache_utils.DynamicCache or not layers:
        return "other"
    kinds = {type(layer) for layer in layers}
    if kinds == {cache_utils.DynamicLayer}:
        return "full"
    attention = {cache_utils.DynamicLayer, cache_utils.DynamicSlidingWindowLayer}
    return "window" if kinds <= attention else "other"


class Taken(NamedTuple):
    """A cache that holds the first `tokens` of what is asked next; None and 0 when there is none."""

    cache: Any
    tokens: int


class PrefixCache:
    """Holds one row's cache. What is taken is gone; the caller gives back what the answer left."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self._ids: Sequence[int] = ()
        self._cache: Any = None

    @property
    def empty(self) -> bool:
        """Whether it holds nothing."""
        return self._cache is None

    def take(self, ids: Sequence[int]) -> Taken:
        """The cache cut back to what `ids` share with it; whatever is not worth that is freed."""
        cache, held = self._cache, self._ids
        self.drop()
        shared = common_prefix(held, ids)
        if cache is None or not worth_sharing(shared, len(ids)):
            return Taken(None, 0)
        # A negative number of tokens to remove means the same in all versions.
        if len(held) > shared:
            cache.crop(shared - len(held))
        return Taken(cache, shared)

    def keep(self, ids: Sequence[int], cache: Any) -> None:
        """Keep the cache of one row; `ids` are all that it has seen, of which the last may not be in it yet."""
        if self.on and cache is not None:
            self._ids, self._cache = tuple(ids[: cache.get_seq_length()]), cache

    def drop(self) -> None:
        """Free what is held."""
        self._ids, self._cache = (), None
