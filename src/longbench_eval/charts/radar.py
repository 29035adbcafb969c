"""The radar of six categories."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

from longbench_eval.charts.look import Frame
from longbench_eval.charts.parts import Record, altair, dash, finish, labelled, marks, names_of, need
from longbench_eval.tasks import CATEGORIES

_RINGS = (20, 40, 60, 80, 100)
_OUT = 112.0


def radar(records: Sequence[Record], frame: Frame = Frame()) -> Any:  # noqa: B008 (frozen)
    """One closed line a run over the six categories.

    Args:
        records: `run`, `category`, `score` (0 to 100).
        frame: Width and look.
    """
    need(records, "radar", "the scores of categories")
    rows = labelled(records, "run")
    alt, runs, look = altair(), names_of(rows), frame.colors
    size = min(frame.width - 20, 420)
    span = 184 if frame.narrow else 166
    plane = {
        "x": alt.X("x:Q", scale=alt.Scale(domain=[-span, span]), axis=None),
        "y": alt.Y("y:Q", scale=alt.Scale(domain=[-138, 138]), axis=None),
    }

    def layer(points: list[dict[str, Any]]) -> Any:
        return alt.Chart(alt.Data(values=points)).encode(**plane, order="order:Q")

    web = layer(_web()).mark_line(color=look.rule, strokeWidth=1).encode(detail="ring:N")
    scale = (
        layer([_at(0, ring) | {"text": str(ring)} for ring in _RINGS[1::2]])
        .mark_text(color=look.soft, fontSize=10, dx=4, align="left", dy=-5)
        .encode(text="text:N")
    )
    lines = layer(_closed(rows))
    area = lines.mark_line(strokeWidth=2, filled=True, fillOpacity=0.14 if len(runs) == 1 else 0.0, strokeOpacity=0)
    drawn = [area.encode(fill=marks(runs, frame)["color"], detail="run:N")] if len(runs) == 1 else []
    outline = lines.mark_line(strokeWidth=2.2).encode(**_colors(runs, frame), strokeDash=dash(runs, frame))
    points = lines.mark_point(filled=True, size=64, opacity=1).encode(**marks(runs, frame))
    labels = [_label_layer(layer, rows, runs, side, frame) for side in ("left", "center", "right")]
    layers = alt.layer(web, scale, *drawn, outline, points, *labels)
    return finish(layers.properties(width=size, height=size * 276 / (2 * span)), frame, _about(rows))


def _colors(runs: list[str], frame: Frame) -> dict[str, Any]:
    return {"color": marks(runs, frame)["color"]}


def _angle(spoke: int) -> float:
    return pi / 2 - 2 * pi * spoke / len(CATEGORIES)


def _at(spoke: int, radius: float) -> dict[str, Any]:
    angle = _angle(spoke)
    return {"x": round(radius * cos(angle), 3), "y": round(radius * sin(angle), 3), "order": spoke}


def _web() -> list[dict[str, Any]]:
    """Rings and spokes, as lines that are drawn in order."""
    around = range(len(CATEGORIES) + 1)
    rings = [_at(n % len(CATEGORIES), ring) | {"order": n, "ring": f"r{ring}"} for ring in _RINGS for n in around]
    ends = ((n, radius) for n in range(len(CATEGORIES)) for radius in (0, 100))
    return rings + [_at(n, radius) | {"order": radius, "ring": f"s{n}"} for n, radius in ends]


def _closed(rows: Sequence[Record]) -> list[dict[str, Any]]:
    points = []
    for run in names_of(rows):
        mine = {row["category"]: row["score"] for row in rows if row["run"] == run}
        spokes = [(n, mine[name]) for n, name in enumerate(CATEGORIES) if mine.get(name) is not None]
        if len(spokes) == len(CATEGORIES):
            spokes.append((len(CATEGORIES), spokes[0][1]))
        points += [_at(n % len(CATEGORIES), score) | {"order": n, "run": run} for n, score in spokes]
    return points


def _label_layer(layer: Any, rows: Sequence[Record], runs: list[str], side: str, frame: Frame) -> Any:
    """Names of categories, with the score itself where there is one run."""
    texts = []
    for n, name in enumerate(CATEGORIES):
        if side == _side(n):
            own = [row["score"] for row in rows if row["category"] == name and row["score"] is not None]
            lines = [name, f"{own[0]:.1f}"] if len(runs) == 1 and own else [name]
            texts.append(_at(n, _OUT + (8 if side == "center" else 0)) | {"text": lines})
    align = {"left": "left", "center": "center", "right": "right"}[side]
    size = 11 if frame.narrow else 12
    return layer(texts).mark_text(align=align, baseline="middle", fontSize=size, lineHeight=15).encode(text="text:N")


def _side(spoke: int) -> str:
    across = round(cos(_angle(spoke)), 6)
    return "center" if across == 0 else "left" if across > 0 else "right"


def _about(rows: Sequence[Record]) -> str:
    told = [f"{row['run']}, {row['category']}: {row['score']:.1f}" for row in rows if row["score"] is not None]
    return f"Radar of category scores from 0 to 100. {'; '.join(told)}."
