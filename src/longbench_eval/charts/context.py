"""With the documents and without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from longbench_eval.charts.look import Frame
from longbench_eval.charts.parts import Record, altair, finish, names_of, need, percent


def context(records: Sequence[Record], frame: Frame = Frame()) -> Any:  # noqa: B008 (frozen)
    """A line a task from the score without (or with other) documents to that with them.

    Args:
        records: `task`, `baseline` (as they are), `changed` (left out, or compressed), both 0 to 100; `name` of the
            change, such as `without documents`.
        frame: Width and look.
    """
    need(records, "context", "two runs, one of them with documents left out or compressed")
    alt, look = altair(), frame.colors
    change = str(records[0].get("name", "changed"))
    kinds = ["with documents", change]
    points = [
        {"task": row["task"], "kind": kind, "score": row[key]}
        for row in records
        for kind, key in zip(kinds, ("baseline", "changed"), strict=True)
    ]
    spans = [
        {**row, "delta": f"{row['baseline'] - row['changed']:+.1f}", "end": max(row["baseline"], row["changed"])}
        for row in records
    ]
    order = names_of(records, "task")
    axis = alt.Axis(title=None, labelColor=look.ink, domain=False, grid=True, labelLimit=170)
    y = alt.Y("task:N", sort=order, axis=axis)
    base = alt.Chart(alt.Data(values=spans)).encode(y=y)
    lines = base.mark_rule(strokeWidth=3, color=look.strong).encode(x=percent("changed"), x2="baseline:Q")
    told = base.mark_text(align="left", dx=10, fontSize=11).encode(x=percent("end"), text="delta:N")
    dots = (
        alt.Chart(alt.Data(values=points))
        .mark_point(size=80, opacity=1, strokeWidth=2)
        .encode(
            y=y,
            x=percent("score"),
            shape=alt.Shape("kind:N", scale=alt.Scale(domain=kinds, range=["circle", "diamond"])),
            color=alt.Color("kind:N", scale=alt.Scale(domain=kinds, range=list(look.series[:2]))),
            fill=alt.Fill("kind:N", scale=alt.Scale(domain=kinds, range=[look.series[0], look.paper])),
        )
    )
    about = "; ".join(f"{row['task']}: {row['baseline']:.1f} with, {row['changed']:.1f} {change}" for row in records)
    chart = alt.layer(lines, told, dots).properties(width=frame.width - 180, height=alt.Step(24))
    return finish(chart, frame, f"Scores with documents and {change}. {about}.")
