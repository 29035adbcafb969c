"""A causal language model of transformers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import Any

from longbench_eval.errors import ModelError
from longbench_eval.models.base import ModelOptions, NewlineStop, PrefixReuse, Serving
from longbench_eval.models.hf.answers import broken
from longbench_eval.models.hf.decode import Decoder
from longbench_eval.models.hf.ends import end_ids
from longbench_eval.models.hf.facts import (
    cache_bytes_per_token,
    length_dependent,
    position_limit,
    text_config,
    window_of,
)
from longbench_eval.models.hf.loading import load
from longbench_eval.models.hf.memory import free_bytes, give_back, rows_that_fit
from longbench_eval.models.hf.prefix import CacheKind, kind_of
from longbench_eval.models.hf.runner import Runner
from longbench_eval.models.hf.source import find_source
from longbench_eval.prompts.budget import default_budget
from longbench_eval.prompts.tokenizer import HFTokenizer
from longbench_eval.records import Completion, Request
from longbench_eval.thinking import template_thinks

# Room for a chat template beside prompt and answer, where memory is estimated.
WRAP_ROOM_TOKENS = 256


class HFModel:
    """A model by a local folder, a GGUF file, or its name on the Hub.

    Args:
        name: Any of these.
        options: What the run needs, and how the model is loaded.

    Raises:
        UsageError: A package or a device is missing, or code of the checkpoint is not trusted.
        ModelError: There is no such model, it cannot be loaded, or it cannot answer.
    """

    newline_stop: NewlineStop = "token"

    def __init__(self, name: str, options: ModelOptions) -> None:
        source = find_source(name, options.transformers)
        loaded = load(source, options.transformers)
        self.name, self._model, self._checkpoint = source.name, loaded.model, loaded.checkpoint
        self.tokenizer = HFTokenizer(loaded.tokenizer, options.chat)
        config = loaded.model.config
        self.window = self.capacity = window_of(config)
        ends = end_ids(loaded.tokenizer, loaded.model.generation_config)
        self._decoder = Decoder(loaded.model, ends, self.tokenizer.newline_id)
        cache = self._try_out()
        reuse, why = _may_reuse(cache, config)
        self.prefix_reuse: PrefixReuse = "on" if reuse and not options.deterministic else "off"
        several = cache != "other" and not length_dependent(config) and not options.deterministic
        size = self._rows_at_once(options) if several else 1
        self._batch = "one" if size == 1 else "several"
        thinks = template_thinks(self.tokenizer.template)
        self.serving = Serving(thinks=thinks, notes=(*loaded.notes, *_told(options, reuse, why, several)))
        limit = position_limit(config)
        self._runner = Runner(self._decoder, self.tokenizer, size, self.prefix_reuse == "on", limit)

    def _try_out(self) -> CacheKind:
        """Generate one token: a model that cannot answer is found out at once, and so is what cache it keeps.

        Raises:
            ModelError: It cannot.
        """
        ids = self.tokenizer.encode("a") or [0]
        try:
            return kind_of(self._decoder.prefill(ids))
        except Exception as error:  # the model's own code
            raise ModelError(
                f"{self.name} is loaded but cannot answer: {broken(error).message} "
                "Another --attn (eager works everywhere), --dtype or --device may help."
            ) from None

    def _rows_at_once(self, options: ModelOptions) -> int:
        """As asked for; else what the memory of a GPU holds, and elsewhere one, where more is not faster."""
        if options.transformers.batch_size is not None:
            return options.transformers.batch_size
        free = free_bytes(self._decoder.device)
        if free is None:
            return 1
        budget = options.max_input_tokens or default_budget(self.window or 8192)
        thoughts = options.chat.thinking.budget(template_thinks(self.tokenizer.template), self.window)
        tokens = budget + options.max_new_tokens + thoughts + WRAP_ROOM_TOKENS
        return rows_that_fit(free, cache_bytes_per_token(self._model.config, self._model.dtype.itemsize), tokens)

    def identity(self) -> Mapping[str, Any]:
        """The checkpoint, and what of the computation decides a close choice between two tokens.

        How many rows make a batch is no part of it, since memory may change that underway; whether there is more
        than one is: padded rows are computed by other kernels, in another order of additions.
        """
        return {
            "kind": "hf",
            **self._checkpoint,
            "dtype": str(self._model.dtype).removeprefix("torch."),
            "device": self._decoder.device.type,
            "attention": getattr(text_config(self._model.config), "_attn_implementation", None),
            "batch": self._batch,
            "ends": list(self._decoder.ends),
        }

    def versions(self) -> Mapping[str, str]:
        """The libraries that compute."""
        return {name: version(name) for name in ("torch", "transformers", "tokenizers")}

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answer; with several rows at once, some requests are taken ahead and sorted by length."""
        return self._runner.run(requests)

    def close(self) -> None:
        """Free the weights, and the memory of their device."""
        if "_model" not in vars(self):
            return
        device = self._decoder.device
        del self._runner, self._decoder, self._model
        give_back(device)


def _told(options: ModelOptions, reuse: bool, why: str, several: bool) -> Iterator[str]:
    """What a user may have expected otherwise."""
    if options.deterministic:
        return
    if not reuse:
        yield why
    if not several and (options.transformers.batch_size or 1) > 1:
        yield "rows are answered one by one: padding would change this model's answers"


def _may_reuse(cache: CacheKind, config: Any) -> tuple[bool, str]:
    """Whether a prefix's cache may serve another prompt, and what is said when not."""
    if length_dependent(config):
        return False, "no context is reused: this model's position encoding depends on the length of the whole prompt"
    return cache == "full", "no context is reused: this model's cache cannot be cut back (it slides or is recurrent)"


def open_hf(name: str, options: ModelOptions) -> HFModel:
    """Open a model of transformers by folder, GGUF file, alias of an embedded model, or Hub name."""
    return HFModel(name, options)
