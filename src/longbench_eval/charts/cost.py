"""Cost against score, over runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from longbench_eval.charts.look import Frame
from longbench_eval.charts.parts import Record, altair, finish, labelled, marks, names_of, need


def cost(records: Sequence[Record], frame: Frame = Frame()) -> Any:  # noqa: B008 (frozen)
    """A point a run, named beside it; the stepped line joins runs that no other beats at their cost.

    Args:
        records: `run`, `cost` (above 0), `unit` (of the cost, the same in all), `score`, and `low` and `high` or None.
        frame: Width and look.
    """
    rows = [row for row in labelled(records, "run") if row["cost"]]
    need(rows, "cost", "runs that recorded their tokens")
    alt, runs, look = altair(), names_of(rows), frame.colors
    wide = max(row["cost"] for row in rows) > 8 * min(row["cost"] for row in rows)
    scale = alt.Scale(type="log" if wide else "linear", zero=False, padding=40, nice=False)
    x = alt.X("cost:Q", scale=scale, axis=alt.Axis(title=rows[0]["unit"], grid=False, tickCount=5, format="~s"))
    y = alt.Y(
        "score:Q", scale=alt.Scale(zero=False, padding=20), axis=alt.Axis(title="score", tickCount=6, domain=False)
    )
    # Names stand beside the points.
    looks = {key: value.legend(None) for key, value in marks(runs, frame).items()}
    base = alt.Chart(alt.Data(values=rows)).encode(x=x)
    edge = (
        alt.Chart(alt.Data(values=_best(rows)))
        .mark_line(interpolate="step-after", color=look.strong, strokeDash=[3, 3], strokeWidth=1.3)
        .encode(x=x, y=y)
    )
    rules = base.mark_rule(strokeWidth=1.6).encode(y=alt.Y("low:Q", title="score"), y2="high:Q", color=looks["color"])
    points = base.mark_point(filled=True, size=90, opacity=1).encode(y=y, **looks)
    names = base.mark_text(align="left", dx=9, dy=-8).encode(y=y, text="run:N")
    about = "; ".join(f"{row['run']}: {row['score']:.1f} at {row['cost']:.4g} {row['unit']}" for row in rows)
    chart = alt.layer(edge, rules, points, names).properties(width=frame.width - 90, height=280)
    return finish(chart, frame, f"Score against cost. {about}.")


def _best(rows: Sequence[Record]) -> list[Record]:
    best: list[Record] = []
    for row in sorted(rows, key=lambda row: (row["cost"], -row["score"])):
        if not best or row["score"] > best[-1]["score"]:
            best.append(row)
    return best
