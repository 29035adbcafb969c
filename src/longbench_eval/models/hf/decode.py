"""Greedy decoding of one batch, by transformers' own `generate`."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any, NamedTuple

from longbench_eval.models.hf.batches import Rule
from longbench_eval.models.hf.quiet import quiet

if TYPE_CHECKING:
    import torch

Rows = Sequence[Sequence[int]]


class Decoded(NamedTuple):
    """New tokens of every row, the one that ended it included, and the cache as it was left."""

    tokens: list[list[int]]
    cache: Any


class Decoder:
    """Calls a model's `generate` such that nothing in its checkpoint decides how it decodes.

    Args:
        model: A causal language model of transformers.
        ends: Ids that end an answer.
        newline_id: The id that ends samsum's answers.
    """

    def __init__(self, model: Any, ends: Sequence[int], newline_id: int | None) -> None:
        from transformers import GenerationConfig
        from transformers.generation import GenerationMixin

        self.ends, self._newline, self._model = tuple(ends), newline_id, model
        # `generate` fills fields that are not given from here: penalties, temperatures and length limits of the
        # checkpoint must not reach it.
        model.generation_config = GenerationConfig()
        known = signature(GenerationMixin.prepare_inputs_for_generation).parameters
        self._cache_word = "cache" if "cache" in known else "past_key_values"

    @property
    def device(self) -> torch.device:
        """Where inputs go."""
        device: torch.device = self._model.device
        return device

    def stops(self, rule: Rule) -> tuple[int, ...]:
        """All ids that end an answer under a rule."""
        newline = () if self._newline is None or not rule.stop_at_newline else (self._newline,)
        return (*self.ends, *newline)

    def decode(self, rows: Rows, rule: Rule, cache: Any = None, shared: int = 0) -> Decoded:
        """Answer rows, whose first `shared` ids are the same; `cache`, if given, holds ids from the beginning on."""
        import torch

        ids, mask = self._pad(rows, shared)
        more = {} if cache is None else {self._cache_word: cache}
        with quiet(), torch.inference_mode():
            answer = self._model.generate(ids, attention_mask=mask, generation_config=self._greedy(rule), **more)
        new = answer.sequences[:, ids.shape[1] :].tolist()
        stops = frozenset(self.stops(rule))
        left = getattr(answer, self._cache_word, None)
        return Decoded([_until_stop(tokens, stops) for tokens in new], left)

    def prefill(self, ids: Sequence[int], cache: Any = None) -> Any:
        """The cache of exactly these ids."""
        return self.decode([ids], Rule(1, 0, False), cache).cache

    def _greedy(self, rule: Rule) -> Any:
        from transformers import GenerationConfig

        stops = list(self.stops(rule))
        return GenerationConfig(
            do_sample=False,
            num_beams=1,
            num_return_sequences=1,
            repetition_penalty=1.0,
            no_repeat_ngram_size=0,
            max_new_tokens=rule.max_new_tokens,
            min_new_tokens=rule.min_new_tokens or None,
            eos_token_id=stops or None,
            pad_token_id=stops[0] if stops else 0,
            use_cache=True,
            return_dict_in_generate=True,
        )

    def _pad(self, rows: Rows, shared: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Fill rows up to one length, between the shared ids and the rest; `generate` counts positions by the mask."""
        import torch

        longest = max(map(len, rows))
        pad = self.ends[0] if self.ends else 0
        gaps = [longest - len(row) for row in rows]
        ids = [[*row[:shared], *[pad] * gap, *row[shared:]] for row, gap in zip(rows, gaps, strict=True)]
        mask = [[1] * shared + [0] * gap + [1] * (longest - shared - gap) for gap in gaps]
        return torch.tensor(ids, device=self.device), torch.tensor(mask, device=self.device)


def _until_stop(tokens: list[int], stops: frozenset[int]) -> list[int]:
    """Tokens up to the first that ends the answer; behind it a batch has only padding."""
    at = next((at for at, token in enumerate(tokens) if token in stops), None)
    return tokens if at is None else tokens[: at + 1]
