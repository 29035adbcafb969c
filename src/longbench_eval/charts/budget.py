"""Score against M, the length to which prompts are cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from longbench_eval.charts.look import Frame
from longbench_eval.charts.parts import Record, altair, dash, finish, labelled, marks, names_of, need


def budget(records: Sequence[Record], frame: Frame = Frame()) -> Any:  # noqa: B008 (frozen)
    """A line a run (a model, a setting) over M, in doublings.

    Args:
        records: `run`, `max_input_tokens`, `score`, and `low` and `high` or None.
        frame: Width and look.
    """
    rows = sorted(labelled(records, "run"), key=lambda row: row["max_input_tokens"])
    need(rows, "budget", "runs whose M is known (max_input_tokens)")
    alt, runs = altair(), names_of(rows)
    values = sorted({row["max_input_tokens"] for row in rows})
    axis = alt.Axis(title="M, prompt tokens kept", values=values, format=",d", grid=False, labelOverlap=True)
    x = alt.X("max_input_tokens:Q", scale=alt.Scale(type="log", base=2, padding=24, nice=False), axis=axis)
    base = alt.Chart(alt.Data(values=rows)).encode(x=x)
    y = alt.Y(
        "score:Q", scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(title="score", tickCount=6, domain=False)
    )
    color = marks(runs, frame)["color"]
    rules = base.mark_rule(strokeWidth=1.6).encode(y=alt.Y("low:Q", title="score"), y2="high:Q", color=color)
    line = base.mark_line(strokeWidth=2.2).encode(y=y, color=color, strokeDash=dash(runs, frame))
    points = base.mark_point(filled=True, size=70, opacity=1).encode(y=y, **marks(runs, frame))
    told = base.mark_text(align="left", dx=7, dy=-9, fontSize=11).encode(y=y, text=alt.Text("score:Q", format=".1f"))
    chart = alt.layer(rules, line, points, told).properties(width=frame.width - 80, height=250)
    about = "; ".join(f"{row['run']}, M {row['max_input_tokens']}: {row['score']:.1f}" for row in rows)
    return finish(chart, frame, f"Score against M. {about}.")
