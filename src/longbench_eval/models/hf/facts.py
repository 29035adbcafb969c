"""What a configuration says: the window, the cache's size, and whether positions depend on the whole length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Rotary embeddings of these kinds change with the length of the whole input: keys of one prompt are wrong in a longer
# one, and padding to a longer neighbour changes a short row.
LENGTH_DEPENDENT = ("dynamic", "longrope", "su")
# These stretch what max_position_embeddings says.
STRETCHING = ("linear", "dynamic", "yarn")


def text_config(config: Any) -> Any:
    """The part of a configuration that is about text."""
    return config.get_text_config() if hasattr(config, "get_text_config") else config


def window_of(config: Any) -> int | None:
    """Tokens the model was made for; None when its configuration does not say.

    Linear, dynamic and yarn scaling multiply the length before scaling, as serving engines read it. Gemma 3 states
    the stretched length already; its scaling stands apart for each kind of layer and so is not seen here.
    """
    text = text_config(config)
    names = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx", "max_sequence_length")
    window = next((value for name in names if isinstance(value := getattr(text, name, None), int) and value > 0), None)
    rope = _rope(text)
    if window is None or rope.get("rope_type") not in STRETCHING:
        return window
    original = rope.get("original_max_position_embeddings")
    factor = rope.get("factor") or 1.0
    return max(window, int(original * factor)) if original else int(window * factor)


def length_dependent(config: Any) -> bool:
    """Whether a token's key depends on how long the whole input is."""
    return _rope(text_config(config)).get("rope_type") in LENGTH_DEPENDENT


def position_limit(config: Any) -> int | None:
    """Positions beyond which the model raises an error: learned ones have an end, rotary ones do not."""
    text = text_config(config)
    rotary = any(getattr(text, name, None) is not None for name in ("rope_parameters", "rope_scaling", "rope_theta"))
    return None if rotary else window_of(config)


def _rope(text: Any) -> dict[str, Any]:
    """The rotary embedding's parameters, under the names of any version."""
    found = getattr(text, "rope_parameters", None) or getattr(text, "rope_scaling", None)
    rope = dict(found) if isinstance(found, Mapping) else {}
    kind = rope.get("rope_type", rope.get("type"))
    original = getattr(text, "original_max_position_embeddings", None)
    return {"original_max_position_embeddings": original, **rope, "rope_type": kind}


def cache_bytes_per_token(config: Any, bytes_per_value: int) -> int | None:
    """Bytes of keys and values that one token of one row takes; None when the configuration does not say."""
    text = text_config(config)
    layers, heads = getattr(text, "num_hidden_layers", None), getattr(text, "num_attention_heads", None)
    if not isinstance(layers, int) or not isinstance(heads, int) or heads < 1:
        return None
    width = getattr(text, "head_dim", None) or getattr(text, "hidden_size", 0) // heads
    kept = getattr(text, "num_key_value_heads", None) or heads
    return 2 * layers * kept * width * bytes_per_value or None
