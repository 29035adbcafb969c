"""How every chart looks: colours by what they say, dashes and shapes that tell series apart without colour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from longbench_eval.errors import unknown_name

# Fonts of the widths that the converter reckons with, so that labels fit in every browser.
FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'Noto Sans CJK SC', sans-serif"
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
DASHES = ([1, 0], [6, 3], [2, 2], [9, 3, 2, 3], [4, 1], [1, 3], [12, 4])
_LONGEST_LABEL = 34


@dataclass(frozen=True, slots=True)
class Look:
    """Colours of one scheme; `series` is safe for colour-blind readers (Okabe and Ito's hues, at 3:1 or more)."""

    paper: str
    ink: str
    soft: str
    rule: str
    strong: str
    series: tuple[str, ...]


LOOKS = {
    "light": Look(
        *("#ffffff", "#1d1f21", "#5c6168", "#e3e3dc", "#8d8d86"),
        ("#0072b2", "#d55e00", "#007f5f", "#a9528c", "#4a4d52", "#9a6b00", "#2f8fc4"),
    ),
    "dark": Look(
        *("#1b1e21", "#e7e6e1", "#a3a8ae", "#2d3135", "#7b8188"),
        ("#56b4e9", "#e69f00", "#2fc79a", "#e39cc6", "#c9cbce", "#f0e442", "#8fb7d6"),
    ),
    # Colours of no meaning, which `follow_scheme` turns into the CSS variables of a page.
    "page": Look(
        *("#a10100", "#a10200", "#a10300", "#a10400", "#a10500"),
        ("#a1a100", "#a1a200", "#a1a300", "#a1a400", "#a1a500", "#a1a600", "#a1a700"),
    ),
}
NAMES = ("paper", "ink", "soft", "rule", "strong", *(f"series-{n}" for n in range(1, 8)))


@dataclass(frozen=True, slots=True)
class Frame:
    """How wide a chart is drawn, in pixels, and in which look (a name in `LOOKS`)."""

    width: int = 680
    look: str = "light"

    @property
    def colors(self) -> Look:
        """The look itself.

        Raises:
            UsageError: There is no such look.
        """
        if self.look not in LOOKS:
            raise unknown_name("look", self.look, LOOKS)
        return LOOKS[self.look]

    @property
    def narrow(self) -> bool:
        """Whether it is for a telephone."""
        return self.width < 500


def colors_of(look: Look) -> tuple[str, ...]:
    """All colours, in the order of `NAMES`."""
    return (look.paper, look.ink, look.soft, look.rule, look.strong, *look.series)


def follow_scheme(svg: str) -> str:
    """Put CSS variables (`--c-ink`, `--c-series-1`, ...) in place of the colours of the look `page`."""
    for name, color in zip(NAMES, colors_of(LOOKS["page"]), strict=True):
        svg = svg.replace(color, f"var(--c-{name})")
    return svg


def variables(look: str) -> str:
    """The CSS that gives these variables their values."""
    pairs = zip(NAMES, colors_of(LOOKS[look]), strict=True)
    return " ".join(f"--c-{name}: {color};" for name, color in pairs)


def label(text: str, most: int = _LONGEST_LABEL) -> str:
    """A name as a chart can show it: one line, nothing unseen in it, not too long."""
    clean = re.sub(
        r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+", " ", text
    ).strip()
    return clean if len(clean) <= most else f"{clean[: most - 1]}…"


def series(names: Sequence[str], look: Look) -> dict[str, Any]:
    """Scales that give each series a colour, a dash and a shape of its own."""
    cycle = [n % len(SHAPES) for n in range(len(names))]
    # After seven, dashes move on against colours, so that no two series look the same.
    dashes = [DASHES[(n + n // len(DASHES)) % len(DASHES)] for n in range(len(names))]
    return {
        "color": {"domain": list(names), "range": [look.series[n] for n in cycle]},
        "dash": {"domain": list(names), "range": dashes},
        "shape": {"domain": list(names), "range": [SHAPES[n] for n in cycle]},
    }


def config(look: Look) -> dict[str, Any]:
    """What all charts share."""
    text = {"labelColor": look.soft, "titleColor": look.soft, "labelFontSize": 12, "titleFontSize": 12}
    axis = {**text, "titleFontWeight": "normal", "gridColor": look.rule, "domainColor": look.strong}
    return {
        "background": look.paper,
        "font": FONT,
        "aria": False,
        "view": {"stroke": None},
        "padding": 6,
        "axis": {**axis, "tickColor": look.strong, "ticks": False, "labelPadding": 6, "titlePadding": 10},
        "legend": {
            **text,
            "orient": "top",
            "title": None,
            "symbolSize": 70,
            "labelLimit": 320,
            "columns": 3,
            "columnPadding": 26,
        },
        "header": {"labelColor": look.ink, "labelFontSize": 12, "titleColor": look.soft, "title": None},
        "text": {"color": look.ink, "fontSize": 12},
        "title": {"color": look.ink, "fontSize": 14, "anchor": "start", "fontWeight": 600, "offset": 12},
    }
