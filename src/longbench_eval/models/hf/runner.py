"""Batches through a decoder: prefixes shared, memory that runs out, rows that fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from time import perf_counter
from typing import Any

from longbench_eval.models.hf.answers import answered, broken, failed, no_memory, too_long
from longbench_eval.models.hf.batches import Batch, plan_batches, windows
from longbench_eval.models.hf.decode import Decoded, Decoder
from longbench_eval.models.hf.memory import give_back, is_out_of_memory
from longbench_eval.models.hf.prefix import PrefixCache
from longbench_eval.prompts.tokenizer import Tokenizer
from longbench_eval.records import Completion, Request


class Runner:
    """Answers requests in batches of at most `size` rows, which halves whenever memory runs out.

    Args:
        decoder: The model.
        tokenizer: The model's.
        size: Rows at once.
        reuse: Whether a prefix shared with other rows is computed once.
        limit: Positions the model has; more would be an error inside it.
    """

    def __init__(self, decoder: Decoder, tokenizer: Tokenizer, size: int, reuse: bool, limit: int | None) -> None:
        self.size = size
        self._decoder, self._tokenizer, self._limit = decoder, tokenizer, limit
        self._prefix = PrefixCache(reuse)

    def run(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Completions, a batch at a time."""
        for window in windows(requests, self.size):
            fitting = []
            for request in window:
                if self._limit is not None and (request.prompt.tokens or 0) + request.max_new_tokens > self._limit:
                    yield failed(request, too_long(request, self._limit))
                else:
                    fitting.append(request)
            for batch in plan_batches(fitting, self.size, self._prefix.on):
                yield from self._answer(batch)

    def _answer(self, batch: Batch) -> Iterator[Completion]:
        """Answer all rows, in smaller parts if need be: one row fails only itself."""
        waiting = [batch]
        while waiting:
            batch = waiting.pop(0)
            if len(batch.requests) > self.size:
                waiting[:0] = batch.parts(self.size)
                continue
            began = perf_counter()
            outcome = self._attempt(batch)
            if isinstance(outcome, list):
                yield from outcome
            elif len(batch.requests) > 1:
                waiting[:0] = batch.parts((len(batch.requests) + 1) // 2)
            else:
                yield self._given_up(batch.requests[0], outcome, perf_counter() - began)

    def _given_up(self, request: Request, error: Exception, latency_s: float) -> Completion:
        why = no_memory(request) if is_out_of_memory(error) else broken(error)
        return failed(request, why, latency_s)

    def _attempt(self, batch: Batch) -> list[Completion] | Exception:
        """Answer a batch, or say what went wrong, with all that the attempt held already freed."""
        held = not self._prefix.empty
        outcome = self._guarded(batch)
        if not isinstance(outcome, Exception):
            return outcome
        self._prefix.drop()
        if not is_out_of_memory(outcome):
            return outcome
        give_back(self._decoder.device)
        if len(batch.requests) > 1:
            self.size = max(1, len(batch.requests) // 2)
        elif held:
            # The last prompt's cache took part of the memory.
            return self._guarded(batch)
        return outcome

    def _guarded(self, batch: Batch) -> list[Completion] | Exception:
        try:
            return self._decode(batch)
        except Exception as error:  # the model's own code, and whatever its device's driver raises
            # The traceback holds every tensor of the attempt.
            return error.with_traceback(None)

    def _decode(self, batch: Batch) -> list[Completion]:
        began = perf_counter()
        decoded, cached = self._over_prefix(batch) if batch.shared else self._plain(batch)
        latency_s = perf_counter() - began
        return [
            answered(request, tokens, self._decoder.ends, self._tokenizer, saved, latency_s)
            for request, tokens, saved in zip(batch.requests, decoded.tokens, cached, strict=True)
        ]

    def _plain(self, batch: Batch) -> tuple[Decoded, list[int]]:
        """Rows that share nothing with each other; one alone may go on from the prompt before it."""
        rows = batch.rows
        if len(rows) > 1:
            self._prefix.drop()
            return self._decoder.decode(rows, batch.rule), [0] * len(rows)
        # The last id must be asked: its answer is what is wanted.
        cache, saved = self._prefix.take(rows[0][:-1])
        decoded = self._decoder.decode(rows, batch.rule, cache)
        self._prefix.keep((*rows[0], *decoded.tokens[0]), decoded.cache)
        return decoded, [saved]

    def _over_prefix(self, batch: Batch) -> tuple[Decoded, list[int]]:
        """Rows over one context: it is computed once, and its cache repeated for all of them."""
        rows, shared = batch.rows, batch.shared
        cache, saved = self._prefix.take(rows[0][:shared])
        if saved < shared:
            cache = self._decoder.prefill(rows[0][:shared], cache)
        decoded = self._decoder.decode(rows, batch.rule, _repeated(cache, len(rows)), shared)
        self._prefix.keep(rows[0][:shared], cache)
        # The first row paid for the context.
        return decoded, [saved, *[shared] * (len(rows) - 1)]


def _repeated(cache: Any, rows: int) -> Any:
    """The same cache for several rows; the one given stays as it is."""
    many = copy(cache)
    many.layers = [copy(layer) for layer in cache.layers]
    many.batch_repeat_interleave(rows)
    return many
