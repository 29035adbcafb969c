"""JSON that every browser reads: no NaN, no lone surrogate unescaped; and long texts in pieces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

from starlette.responses import Response

PIECE = 20_000
"""Characters of a text that are sent at once."""


class Json(Response):
    """An answer of the API."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Encode it; texts stay UTF-8 where they can be."""
        clean = finite(content)
        try:
            return _dumps(clean, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            return _dumps(clean, ensure_ascii=True).encode("ascii")


def _dumps(content: Any, *, ensure_ascii: bool) -> str:
    return json.dumps(content, ensure_ascii=ensure_ascii, allow_nan=False, separators=(",", ":"))


def finite(value: Any) -> Any:
    """The same with NaN and infinities as their names: files of other tools may hold them anywhere."""
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value


def clip(text: str, most: int = PIECE) -> dict[str, Any]:
    """The beginning of a text, and how many characters it has."""
    return {"text": text[:most], "total": len(text)}


def small(value: Any, most: int = PIECE) -> Any:
    """A value of any shape as it is, or the beginning of its JSON where that is long."""
    text = json.dumps(finite(value), ensure_ascii=False)
    return value if len(text) <= most else clip(text, most)
