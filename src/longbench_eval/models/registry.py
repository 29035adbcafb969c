"""From `KIND:NAME` to a model. Adding a kind is one row here and one file beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from longbench_eval.errors import UsageError, unknown_name
from longbench_eval.models.base import Model, ModelOptions
from longbench_eval.models.fetch import ALIASES

Opener = Callable[[str, ModelOptions], Model]

# Modules are named, not imported: a model's libraries load when it is asked for.
KINDS: Mapping[str, str] = {
    "hf": "longbench_eval.models.hf.model:open_hf",
    "llama.cpp": "longbench_eval.models.llama_cpp:open_llama_cpp",
    "openai": "longbench_eval.models.openai.model:open_openai",
    "replay": "longbench_eval.models.replay:open_replay",
}


def open_model(spec: str, options: ModelOptions) -> Model:
    """Open a model by its name on the command line.

    Args:
        spec: `KIND:NAME`, the path of a GGUF file, or an alias such as `smollm2`.
        options: What the run needs of it.

    Raises:
        UsageError: The kind or alias is unknown.
        ModelError: The model cannot be loaded.
    """
    kind, name = split_spec(spec)
    if kind != "openai" and options.server.base_url is not None:
        raise UsageError(f"--base-url is for openai: models, and the model is {spec!r}. Did you mean openai:NAME?")
    if kind != "hf" and (given := options.transformers.given()):
        raise UsageError(f"{', '.join(given)} is for hf: models, and the model is {spec!r}.")
    module, function = KINDS[kind].split(":")
    opener: Opener = getattr(import_module(module), function)
    return opener(name, options)


def split_spec(spec: str) -> tuple[str, str]:
    """Split a model's name into kind and name, resolving aliases and bare GGUF paths."""
    if spec in ALIASES or (spec.endswith(".gguf") and (":" not in spec or Path(spec).is_file())):
        return "llama.cpp", spec
    kind, colon, name = spec.partition(":")
    if kind not in KINDS:
        known = [*ALIASES, *(f"{kind}:..." for kind in KINDS)]
        raise unknown_name("model", f"{kind}:..." if colon else spec, known, "longbench-eval models ls")
    if not colon or not name:
        raise UsageError(f"The model {spec!r} has a kind but no name; write {kind}:NAME.")
    return kind, name
