"""Charts as files: SVG, PNG, PDF and the Vega-Lite spec itself, without a browser and without the network."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from longbench_eval.charts.look import follow_scheme
from longbench_eval.charts.parts import missing_extra
from longbench_eval.errors import UsageError, unknown_name
from longbench_eval.files import write_atomic

FORMATS = ("svg", "png", "pdf", "json")
_PIXELS = 2.5  # a PNG has this many for each of the chart's


def save(chart: Any, path: Path) -> None:
    """Write a chart; the name's ending decides: .svg, .png, .pdf or .json.

    Raises:
        UsageError: The ending is none of these.
    """
    write_atomic(path, render(chart, form_of(path)))


def form_of(path: Path) -> str:
    """The format that a name asks for.

    Raises:
        UsageError: There is no such format.
    """
    form = path.suffix.removeprefix(".").lower()
    if not form:
        raise UsageError(f"--out {str(path)!r} has no ending; name it .svg, .png, .pdf or .json.")
    if form not in FORMATS:
        raise unknown_name("format", form, FORMATS)
    return form


def render(chart: Any, form: str) -> bytes:
    """A chart as bytes of `svg`, `png`, `pdf` or `json` (the Vega-Lite spec)."""
    spec = chart.to_dict()
    if form == "json":
        return (json.dumps(spec, indent=1, ensure_ascii=False) + "\n").encode("utf-8")
    if form == "svg":
        return (to_svg(chart) + "\n").encode("utf-8")
    convert = _converter()
    made = convert.vegalite_to_png(spec, scale=_PIXELS, allowed_base_urls=[]) if form == "png" else None
    return made or convert.vegalite_to_pdf(spec, allowed_base_urls=[])  # type: ignore[no-any-return]


def to_svg(chart: Any, identity: str = "chart") -> str:
    """A chart as one SVG element with a title and a description for readers who cannot see it.

    Args:
        chart: From a chart function.
        identity: What the ids within begin with; two on a page need two.
    """
    spec = chart.to_dict()
    svg = _converter().vegalite_to_svg(spec, allowed_base_urls=[])
    svg = re.sub(r' (?:role|aria-[a-z]+|class|pointer-events)="[^"]*"', "", svg)
    # Clip paths and gradients are named alike in every chart.
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{identity}-", svg)
    what = escape(spec.get("description", ""), quote=False)
    title, _, rest = what.partition(". ")
    named = f'<title id="{identity}-title">{title}</title><desc id="{identity}-desc">{rest or title}</desc>'
    head = f'<svg role="img" aria-labelledby="{identity}-title" aria-describedby="{identity}-desc"'
    svg = re.sub(r"^<svg([^>]*)>", lambda found: f"{head}{found[1]}>{named}", svg, count=1)
    return follow_scheme(svg) if spec.get("usermeta", {}).get("look") == "page" else svg


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError as error:
        raise missing_extra(error.name or "vl-convert-python") from None
    return vl_convert
