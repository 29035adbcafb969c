"""Several runs side by side, as a page shows them."""

from __future__ import annotations

from typing import Any

from longbench_eval.comparison import Comparison
from longbench_eval.comparison.records import Effect, Item
from longbench_eval.reports.comparison import caption, stars


def versus(found: Comparison) -> dict[str, Any]:
    """Scores of all runs, differences from the first, and what must be known to read them."""
    return {
        "sides": [{"letter": side.letter, "name": side.name, "signature": side.signature} for side in found.sides],
        "rows": [_row(item, item.name == found.headline) for item in found.shown],
        "caption": caption(found),
        "signature": str(found.signature),
        "level": f"{found.resampling.level:.0%}",
    }


def _row(item: Item, main: bool) -> dict[str, Any]:
    printed = [f"{score:.2f}" for score in item.scores]
    best = max(printed, key=float)
    return {
        "name": item.name,
        "kind": item.kind,
        "main": main,
        "n": item.n,
        "scores": [{"text": text, "best": text == best and len(set(printed)) > 1} for text in printed],
        "effects": [_effect(effect) for effect in item.effects],
    }


def _effect(effect: Effect) -> dict[str, Any]:
    marks = stars(effect.p_adjusted)
    return {
        "text": f"{effect.difference:+.2f}".replace("-", "−"),
        "marks": marks,
        "interval": f"{effect.interval.low:+.1f} to {effect.interval.high:+.1f}".replace("-", "−"),
        "rows": f"{effect.wins} / {effect.ties} / {effect.losses}",
        "side": ("up" if effect.difference > 0 else "down") if marks else "",
    }
