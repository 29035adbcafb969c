"""How row scores are distributed in every task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from longbench_eval.charts.look import Frame
from longbench_eval.charts.parts import Record, altair, finish, names_of, need

BINS = 12
_TOP = 1.5  # room for the task's name above bars of 1
_WORTH_TELLING = 0.1


def distribution(records: Sequence[Record], frame: Frame = Frame()) -> Any:  # noqa: B008 (frozen)
    """A small histogram a task: rows that score nothing at the left, rows that score everything at the right.

    Args:
        records: `task`, `bin` (0 for a score of 0, 11 for 1, tenths between), `share` of the task's rows in [0, 1].
        frame: Width and look.
    """
    need(records, "distribution", "row scores")
    alt, look = altair(), frame.colors
    columns = 3 if frame.narrow else 7
    side = (frame.width - 16) // columns - 12
    shown = [{**row, "told": _told(row)} for row in records]
    scale = {"x": alt.Scale(domain=list(range(BINS)), paddingInner=0.16), "y": alt.Scale(domain=[0, _TOP])}
    base = alt.Chart().encode(
        x=alt.X("bin:O", axis=None, scale=scale["x"]), y=alt.Y("share:Q", axis=None, scale=scale["y"])
    )
    color = alt.condition("datum.bin == 0", alt.value(look.series[1]), alt.value(look.series[0]))
    told = base.mark_text(dy=-7, fontSize=10, color=look.soft).encode(text="told:N")
    floor = alt.Chart().mark_rule(color=look.strong).encode(y=alt.datum(0))
    # The name is drawn within: headers of panels do not line up where bars differ in height.
    name = alt.Chart().transform_filter("datum.bin == 0").mark_text(fontSize=9 if frame.narrow else 11)
    name = name.encode(x=alt.value(side / 2), y=alt.value(7), text="task:N")
    grid = alt.layer(base.mark_bar().encode(color=color), told, floor, name).properties(width=side, height=92)
    facet = grid.facet(
        alt.Facet(
            "task:N", sort=names_of(records, "task"), header=alt.Header(title=None, labelExpr="''", labelPadding=0)
        ),
        data=alt.Data(values=shown),
        columns=columns,
        bounds="flush",
        spacing=12,
    )
    zeros = "; ".join(f"{row['task']}: {row['share']:.0%}" for row in records if row["bin"] == 0)
    return finish(facet, frame, f"Histograms of row scores by task. Rows that score 0: {zeros}.")


def _told(row: Record) -> str:
    """The share, at either end and where there is one to speak of."""
    return f"{row['share']:.0%}" if row["bin"] in (0, BINS - 1) and row["share"] >= _WORTH_TELLING else ""
