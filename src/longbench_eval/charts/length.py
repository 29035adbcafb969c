"""Score over length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from longbench_eval.charts.look import Frame
from longbench_eval.charts.parts import Record, altair, dash, finish, labelled, marks, names_of, need


def length(records: Sequence[Record], frame: Frame = Frame()) -> Any:  # noqa: B008 (frozen)
    """A line a run over classes of length, with intervals.

    Args:
        records: `run`, `bucket` (in order), `score`, `low` and `high` or None; `relative` says that scores are points
            above or below each task's own mean, which keeps a mixture of tasks from looking like an effect.
        frame: Width and look.
    """
    rows = [row for row in labelled(records, "run") if row["score"] is not None]
    need(rows, "length", "rows with a stored length")
    alt, runs, look = altair(), names_of(rows), frame.colors
    relative = bool(rows[0].get("relative"))
    title = "points against each task's own mean" if relative else "score"
    y = alt.Axis(title=title, tickCount=6, domain=False)
    scale = alt.Scale(zero=not relative, nice=True)
    x = alt.X("bucket:N", sort=names_of(rows, "bucket"), axis=alt.Axis(title="length", labelAngle=0, grid=False))
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=x, xOffset=alt.XOffset("run:N", sort=runs, scale=alt.Scale(padding=7.0 if len(runs) < 4 else 3.0))
    )
    color = marks(runs, frame)["color"]
    rules = base.mark_rule(strokeWidth=1.6).encode(y=alt.Y("low:Q", scale=scale, axis=y), y2="high:Q", color=color)
    line = base.mark_line(strokeWidth=2.2).encode(y="score:Q", color=color, strokeDash=dash(runs, frame))
    points = base.mark_point(filled=True, size=70, opacity=1).encode(y="score:Q", **marks(runs, frame))
    told = base.mark_text(align="left", dx=7, dy=-9, fontSize=11).encode(
        y="score:Q", text=alt.Text("score:Q", format=".1f")
    )
    zero = alt.Chart(alt.Data(values=[{"y": 0}])).mark_rule(color=look.strong).encode(y="y:Q")
    layers = [*([zero] if relative else []), rules, line, points, *([told] if len(runs) < 3 else [])]
    chart = alt.layer(*layers).properties(width=frame.width - 80, height=240)
    about = "; ".join(f"{row['run']}, {row['bucket']}: {row['score']:.1f}" for row in rows)
    return finish(chart, frame, f"{title.capitalize()} by length. {about}.")
