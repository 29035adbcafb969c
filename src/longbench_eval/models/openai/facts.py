"""What a server says of itself before the first row is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from longbench_eval.models.openai.wire import ServerKind

_KINDS: Mapping[Any, ServerKind] = {"llamacpp": "llama.cpp", "vllm": "vllm", "sglang": "sglang"}
# vLLM and SGLang; OpenRouter; Groq; LM Studio and Mistral.
_WINDOW_KEYS = ("max_model_len", "context_length", "context_window", "max_context_length")


class Facts(NamedTuple):
    """Read from `/v1/models`, and from llama.cpp's `/props`.

    Attributes:
        kind: Which program it is, as far as it says.
        window: Tokens the model was made for.
        capacity: Tokens one request may have, prompt and answer, as the server was started.
        names: The models it lists.
        chat_template: Its source, where the server shows it.
        slots: How many requests it works at at once, where it says so.
    """

    kind: ServerKind = "unknown"
    window: int | None = None
    capacity: int | None = None
    names: tuple[str, ...] = ()
    chat_template: str = ""
    slots: int | None = None


def read_facts(models: Any, props: Any, name: str) -> Facts:
    """Make sense of the two bodies; either may be None or anything else.

    Args:
        models: Of `/v1/models`.
        props: Of `/props`.
        name: The model that is meant; a server of one model may call it otherwise.
    """
    entries = [entry for entry in _list(_field(models, "data")) if isinstance(entry, dict)]
    entry = next((entry for entry in entries if name in _names(entry)), entries[0] if len(entries) == 1 else {})
    meta = _field(entry, "meta")
    loaded = _int(_field(_field(props, "default_generation_settings"), "n_ctx")) or _int(_field(meta, "n_ctx"))
    said = next((value for key in _WINDOW_KEYS if (value := _int(entry.get(key)))), None)
    names = tuple(str(entry.get("id")) for entry in entries)
    kind = _KINDS.get(entry.get("owned_by"), "unknown")
    window = said or _int(_field(meta, "n_ctx_train")) or loaded
    template = _field(props, "chat_template")
    text = template if isinstance(template, str) else ""
    return Facts(kind, window, loaded or said, names, text, _int(_field(props, "total_slots")))


def _names(entry: Mapping[str, Any]) -> Sequence[Any]:
    return [entry.get("id"), entry.get("root"), *_list(entry.get("aliases"))]


def _field(body: Any, name: str) -> Any:
    return body.get(name) if isinstance(body, dict) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _int(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None
