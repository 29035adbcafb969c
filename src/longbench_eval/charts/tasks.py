"""Every task with its interval, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from longbench_eval.charts.look import Frame
from longbench_eval.charts.parts import Record, altair, finish, labelled, marks, names_of, need


def tasks(records: Sequence[Record], frame: Frame = Frame()) -> Any:  # noqa: B008 (frozen)
    """A point a task and run on its interval, in panels by category.

    Args:
        records: `run`, `task`, `category`, `score`, and `low` and `high` or None.
        frame: Width and look.
    """
    rows = [row for row in labelled(records, "run") if row["score"] is not None]
    need(rows, "task", "the scores of tasks")
    alt, runs = altair(), names_of(rows)
    panels = [_panel(rows, runs, name, frame) for name in names_of(rows, "category")]
    panels[-1] = _panel(rows, runs, names_of(rows, "category")[-1], frame, last=True)
    about = "; ".join(f"{row['task']}, {row['run']}: {row['score']:.1f}" for row in rows)
    chart = alt.vconcat(*panels, spacing=12).resolve_scale(color="shared", shape="shared")
    return finish(chart, frame, f"Scores of tasks from 0 to 100 with intervals. {about}.")


def _panel(rows: Sequence[Record], runs: list[str], category: str, frame: Frame, *, last: bool = False) -> Any:
    alt, look = altair(), frame.colors
    mine = [row for row in rows if row["category"] == category]
    axis = alt.Axis(title=None, labelColor=look.ink, domain=False, labelLimit=170, minExtent=140, grid=True)
    base = alt.Chart(alt.Data(values=mine)).encode(y=alt.Y("task:N", sort=names_of(mine, "task"), axis=axis))
    if len(runs) > 1:
        base = base.encode(yOffset=alt.YOffset("run:N", sort=runs, scale=alt.Scale(padding=0.4)))
    looks = marks(runs, frame)
    values = alt.Axis(title="score" if last else None, values=[0, 20, 40, 60, 80, 100], labels=last, domain=False)
    x = {"scale": alt.Scale(domain=[0, 100]), "axis": values}
    rules = base.mark_rule(strokeWidth=2.2).encode(x=alt.X("low:Q", **x), x2="high:Q", color=looks["color"])
    points = base.mark_point(filled=True, size=62, opacity=1).encode(x=alt.X("score:Q", **x), **looks)
    title = alt.TitleParams(category, fontSize=12, offset=2, color=look.soft, fontWeight="normal")
    step = 19 if len(runs) == 1 else 11 * len(runs) + 6
    width = frame.width - 170
    return alt.layer(rules, points).properties(width=width, height=step * len(names_of(mine, "task")), title=title)
