"""From a source to a loaded model and its tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext, redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from longbench_eval.errors import LongBenchError, ModelError, UsageError
from longbench_eval.models.gguf import read_gguf
from longbench_eval.models.hf.options import TransformersOptions
from longbench_eval.models.hf.placement import choose_device, choose_dtype, placing
from longbench_eval.models.hf.quiet import need, quiet
from longbench_eval.models.hf.source import Fingerprint, Source


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model in memory.

    Attributes:
        model: A causal language model of transformers, in evaluation mode.
        tokenizer: Its tokenizer, of transformers.
        checkpoint: What identifies its files.
        notes: What a reader of the scores must know.
    """

    model: Any
    tokenizer: Any
    checkpoint: Mapping[str, str | None]
    notes: tuple[str, ...]


def load(source: Source, options: TransformersOptions) -> Loaded:
    """Load tokenizer and weights, quietly.

    Raises:
        UsageError: A package is missing, a device is not there, or the checkpoint's code is not trusted.
        ModelError: It cannot be loaded.
    """
    need("torch", "transformers", *(("gguf", "accelerate") if source.gguf else ()))
    device = choose_device(options.device)
    with closing(Fingerprint(source)) as fingerprint, _quiet(source), _explained(source):
        from transformers import AutoConfig, AutoTokenizer

        config = AutoConfig.from_pretrained(source.where, **source.arguments())
        tokenizer = AutoTokenizer.from_pretrained(source.where, **source.arguments())
        # transformers would warn of every prompt that is longer than this; prompts are measured here.
        tokenizer.model_max_length = int(1e30)
        model, missing = _weights(source, options, device, config)
        notes = (*_split_as_the_file_says(source, tokenizer), *_missing(missing))
        return Loaded(model, tokenizer, fingerprint.identity(getattr(model.config, "_commit_hash", None)), notes)


@contextmanager
def _quiet(source: Source) -> Iterator[None]:
    """Unpacking a GGUF file draws a progress bar that no setting of transformers turns off."""
    with quiet(), redirect_stderr(StringIO()) if source.gguf else nullcontext():
        yield


def _weights(source: Source, options: TransformersOptions, device: Any, config: Any) -> tuple[Any, list[str]]:
    import torch
    from transformers import AutoModelForCausalLM

    # The weights of a GGUF file are unpacked to float32, which holds all its types exactly.
    own = torch.float32 if source.gguf else getattr(config, "dtype", None) or getattr(config, "torch_dtype", None)
    model, info = AutoModelForCausalLM.from_pretrained(
        source.where,
        dtype=choose_dtype(options.dtype, own, device),
        output_loading_info=True,
        **placing(options, device),
        **({} if options.attention is None else {"attn_implementation": options.attention}),
        **source.arguments(),
    )
    placed = model if getattr(model, "hf_device_map", None) else model.to(device)
    return placed.eval(), sorted(info.get("missing_keys", ()))


def _missing(names: list[str]) -> Iterator[str]:
    if names:
        yield f"{len(names)} weights are not in the checkpoint and are random, among them {names[0]}"


def _split_as_the_file_says(source: Source, tokenizer: Any) -> Iterator[str]:
    """Make good what transformers does not read in a GGUF file: how text is split before it becomes tokens."""
    if source.gguf is None:
        return
    rule = read_gguf(Path(source.where) / source.gguf).metadata.get("tokenizer.ggml.pre")
    mend = SPLITTINGS.get(str(rule))
    if mend is not None:
        tokenizer.backend_tokenizer.pre_tokenizer = mend()
    elif rule not in (None, "default", "gpt-2", *_splittings_of_transformers()):
        yield f"transformers may split text otherwise than the GGUF file asks for (tokenizer.ggml.pre is {rule!r})"


def _single_digits() -> Any:
    """SmolLM's rule: every digit alone, else GPT-2's."""
    from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence

    return Sequence([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)])


SPLITTINGS: Mapping[str, Callable[[], Any]] = {"smollm": _single_digits}


def _splittings_of_transformers() -> tuple[str, ...]:
    try:
        from transformers.integrations.gguf.gguf_tokenizer_mapping import GGUF_PRE_TOKENIZER_SPLITS
    except ImportError:
        return ()
    return tuple(GGUF_PRE_TOKENIZER_SPLITS)


@contextmanager
def _explained(source: Source) -> Iterator[None]:
    """Turn whatever loading raises into one message."""
    try:
        yield
    except LongBenchError:
        raise
    except Exception as error:  # configurations, weights and code of others: anything can be wrong with them
        text = " ".join(str(error).split())
        if not source.trust and "trust_remote_code" in text:
            raise UsageError(
                f"{source.where!r} brings Python code of its own, which is not run unasked. Read it, and add "
                "--trust-remote-code if you trust it."
            ) from None
        if isinstance(error, ImportError):
            raise UsageError(f"{source.where!r} needs a package that is not here: {text[:300]}") from None
        raise ModelError(f"{source.gguf or source.where!r} cannot be loaded: {text[:300]}") from None
