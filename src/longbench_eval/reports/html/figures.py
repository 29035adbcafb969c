"""The charts of a report, each drawn twice: for a desk and for a telephone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from longbench_eval.charts import KINDS, Frame, to_svg
from longbench_eval.charts.look import label
from longbench_eval.reports.html.read import Reported

_WIDE, _NARROW = {"radar": 460, "bars": 600}, 330
_FULL = 980
_TITLES = {
    "radar": ("Six categories", "The means of the tasks of each category, out of 100."),
    "bars": ("Six categories, with intervals", "The lines are 95% intervals."),
    "tasks": ("Every task", "Points are scores, lines their 95% intervals."),
    "length": ("Score over length", ""),
    "distribution": (
        "How rows score",
        "Of each task the share of rows by score: 0 at the left, 1 at the right, tenths between. The share of rows at "
        "either end is written where it is 10% or more.",
    ),
    "context": ("With and without documents", "What is written beside a line is what the documents add."),
    "budget": ("Score against M", "M is the number of tokens to which longer prompts are cut."),
    "cost": ("Tokens against score", "Prompt and answer tokens a row. The dashed line joins runs that none beats."),
}
_BY_LENGTH = {
    True: "The averages of LongBench-E by length.",
    False: "How far rows of a length (words; characters in Chinese) lie above or below the mean of their own tasks, so "
    "that a class of length is not judged by the tasks it happens to hold. Lines are 95% intervals.",
}
_ONE = ("radar", "bars", "length", "distribution")
_MORE = ("radar", "tasks", "length", "context", "budget", "cost")


def figures(runs: Sequence[Reported]) -> list[dict[str, Any]]:
    """The charts that these runs have something to show in: title, caption, and the two drawings."""
    names = _names(runs)
    summaries = {name: run.summary for name, run in zip(names, runs, strict=True)}
    found = []
    for kind in _ONE if len(runs) == 1 else _MORE:
        records = KINDS[kind].records(summaries)
        if _worth(kind, records, len(runs)):
            found.append(_figure(kind, records))
    return found


def _names(runs: Sequence[Reported]) -> list[str]:
    if len(runs) == 1:
        return [label(runs[0].model)]
    return [f"{chr(65 + n)} {label(run.name, 26)}" for n, run in enumerate(runs)]


def _worth(kind: str, records: Sequence[Mapping[str, Any]], runs: int) -> bool:
    """Whether a chart says more than its table: a line needs two points, a radar three categories."""
    if kind == "radar":
        return len({record["category"] for record in records if record["score"] is not None}) > 2
    if kind == "length":
        return len({record["bucket"] for record in records if record["score"] is not None}) > 1
    if kind == "budget":
        return len({record["max_input_tokens"] for record in records}) > 1
    return len(records) > (1 if kind == "cost" else 0)


def _figure(kind: str, records: list[dict[str, Any]]) -> dict[str, Any]:
    title, caption = _TITLES[kind]
    if kind == "length":
        caption = _BY_LENGTH[not records[0].get("relative")]
    drawings = {
        name: Markup(to_svg(KINDS[kind].draw(records, Frame(width, "page")), f"{kind}-{name}"))
        for name, width in (("desk", _WIDE.get(kind, _FULL)), ("phone", _NARROW))
    }
    return {"kind": kind, "title": title, "caption": caption, **drawings}
