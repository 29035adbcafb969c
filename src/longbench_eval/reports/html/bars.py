"""Small pictures within tables: a score on its interval."""

from __future__ import annotations

from markupsafe import Markup

from longbench_eval.stats import Interval

_BAR = Markup(
    '<svg class="ibar{more}" viewBox="0 0 {width} 14" width="{width}" height="14" aria-hidden="true" focusable="false">'
    '<rect class="track" x="0" y="4" width="{width}" height="6" rx="3"/>{span}'
    '<rect class="fill" x="0" y="4" width="{x}" height="6" rx="3"/>{rule}'
    '<circle class="dot" cx="{dot}" cy="7" r="4"/></svg>'
)
_SPAN = Markup('<rect class="span" x="{a}" y="2" width="{w}" height="10" rx="2"/>')
_RULE = Markup('<path class="rule" d="M{a} 7H{b}M{a} 3V11M{b} 3V11"/>')


def interval_bar(score: float | None, interval: Interval | None, name: str, *, wide: bool = False) -> Markup:
    """A bar from 0 to 100 with its interval; the numbers stand beside it, so that nobody needs the picture."""
    if score is None:
        return Markup("")
    width = 220 if wide else 132
    x = round(min(max(score, 0.0), 100.0) / 100 * width, 1)
    span = rule = Markup("")
    if interval is not None:
        a, b = (round(min(max(end, 0.0), 100.0) / 100 * width, 1) for end in (interval.low, interval.high))
        span = _SPAN.format(a=a, w=round(max(b - a, 1), 1))
        rule = _RULE.format(a=a, b=b)
    dot = min(max(x, 4), width - 4)
    return _BAR.format(more=" wide" if wide else "", width=width, span=span, x=x, rule=rule, dot=dot)
