"""Names of models, as servers list them."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches


def nearest(name: str, names: Sequence[str]) -> str | None:
    """The name that was most likely meant: case, organization and version are the usual slips."""
    low = {other.lower(): other for other in names}
    inside = [other for small, other in low.items() if name.lower() in small or small in name.lower()]
    near = inside[:1] or [low[match] for match in get_close_matches(name.lower(), low, n=1, cutoff=0.4)]
    return near[0] if near else (names[0] if len(names) == 1 else None)


def some(names: Sequence[str]) -> str:
    """The first ten names, and how many more there are."""
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return ", ".join(map(repr, names[:10])) + more
