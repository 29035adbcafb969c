"""How row scores are distributed in every task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from longbench_eval.charts.look import Frame
from longbench_eval.charts.parts import Record, altair, finish, names_of, need

BINS = 12


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
    bars = (
        alt.Chart()
        .mark_bar(color=look.series[0])
        .encode(
            x=alt.X("bin:O", axis=None, scale=alt.Scale(domain=list(range(BINS)), paddingInner=0.16)),
            y=alt.Y("share:Q", axis=None, scale=alt.Scale(domain=[0, 1])),
            color=alt.condition("datum.bin == 0", alt.value(look.series[1]), alt.value(look.series[0])),
        )
    )
    ends = [row for row in records if row["bin"] in (0, BINS - 1)]
    shown = [{**row, "told": f"{row['share']:.0%}" if (row in ends and row["share"] >= 0.1) else ""} for row in records]
    told = alt.Chart().mark_text(dy=-7, fontSize=10, color=look.soft).encode(x="bin:O", y="share:Q", text="told:N")
    floor = alt.Chart().mark_rule(color=look.strong).encode(y=alt.datum(0))
    grid = alt.layer(bars, told, floor).properties(width=side, height=54)
    header = alt.Header(title=None, labelFontSize=11 if not frame.narrow else 9, labelPadding=3, labelLimit=side + 10)
    facet = grid.facet(
        alt.Facet("task:N", sort=names_of(records, "task"), header=header),
        data=alt.Data(values=shown),
        columns=columns,
        bounds="flush",
        spacing=12,
    )
    zeros = "; ".join(f"{row['task']}: {row['share']:.0%}" for row in records if row["bin"] == 0)
    return finish(facet, frame, f"Histograms of row scores by task. Rows that score 0: {zeros}.")
