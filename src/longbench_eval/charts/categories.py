"""The six categories as plain bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from longbench_eval.charts.look import Frame
from longbench_eval.charts.parts import Record, altair, finish, labelled, marks, names_of, need, percent


def categories(records: Sequence[Record], frame: Frame = Frame()) -> Any:  # noqa: B008 (frozen)
    """Bars with intervals and the scores written beside them.

    Args:
        records: `run`, `category` (or any other `name` of an average), `score`, and `low` and `high` or None.
        frame: Width and look.
    """
    rows = [row for row in labelled(records, "run", "category") if row["score"] is not None]
    need(rows, "bar", "the scores of categories")
    alt, runs, look = altair(), names_of(rows), frame.colors
    order, height = names_of(rows, "category"), 30 if len(runs) == 1 else 15
    for row in rows:
        row["told"] = f"{row['score']:.1f}" + (f"  {row['run']}" if len(runs) > 1 and not frame.narrow else "")
        row["end"] = row["high"] if row.get("high") is not None else row["score"]
    axis = alt.Axis(title=None, labelColor=look.ink, domain=False, labelLimit=150)
    y = alt.Y("category:N", sort=order, axis=axis, scale=alt.Scale(paddingInner=0.3))
    base = alt.Chart(alt.Data(values=rows)).encode(y=y)
    if len(runs) > 1:
        base = base.encode(yOffset=alt.YOffset("run:N", sort=runs, scale=alt.Scale(paddingInner=0.2)))
    bars = base.mark_bar(height=alt.RelativeBandSize(0.86), cornerRadiusEnd=2, fillOpacity=0.85).encode(
        x=percent("score"), color=marks(runs, frame)["color"]
    )
    whiskers = base.mark_rule(color=look.ink, strokeWidth=1.4).encode(x=percent("low"), x2="high:Q")
    texts = base.mark_text(align="left", dx=7, fontSize=12 if len(runs) == 1 else 11).encode(
        x=percent("end"), text="told:N"
    )
    sizes = {"width": frame.width - 190 if not frame.narrow else frame.width - 150, "height": alt.Step(height * 1.35)}
    about = "; ".join(f"{row['category']}, {row['run']}: {row['score']:.1f}" for row in rows)
    layers = alt.layer(bars, whiskers, texts).properties(**sizes)
    return finish(layers, frame, f"Bars of scores from 0 to 100 with intervals. {about}.")
