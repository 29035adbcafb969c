"""The numbers of a run as a page shows them: headline, tasks by category, warnings, what was cut."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from longbench_eval.reports.html.bars import interval_bar
from longbench_eval.scoring.cuts import cuts_of
from longbench_eval.scoring.summary import Summary, TaskSummary
from longbench_eval.scoring.weights import Cell
from longbench_eval.stats import Interval
from longbench_eval.tasks import BUCKETS

COUNTS = {
    "failed": "no answer",
    "truncated": "prompt cut",
    "empty": "empty answer",
    "capped": "ended by the token cap",
    "unfinished": "only thought",
}


def counted(summary: Summary) -> list[str]:
    """What happened to any row at all, of `COUNTS`."""
    return [name for name in COUNTS if any(getattr(task.counts, name) for task in summary.tasks.values())]


def headline(summary: Summary) -> list[dict[str, Any]]:
    """The averages that stand for the run, each with its interval; an average that cannot be formed says why."""
    parts = summary.bucket_averages or {name: summary.averages[name] for name in ("All", "EN", "ZH")}
    known = summary.uncertainty.averages if summary.uncertainty else {}
    formed = [name for name, part in parts.items() if part.value is not None]
    return [
        {
            "name": name,
            "main": formed[:1] == [name] and not summary.bucket_averages,
            "score": number(part.value),
            "interval": ends(known.get(name)),
            "bar": interval_bar(part.value, known.get(name), f"{name}", wide=True),
            "withheld": "; ".join(part.withheld[:3]) + ("; ..." if len(part.withheld) > 3 else ""),
        }
        for name, part in parts.items()
    ]


def number(value: float | None) -> str:
    """A score as people read it."""
    return "–" if value is None else f"{value:.2f}"


def ends(interval: Interval | None) -> str:
    """An interval as people read it."""
    return f"{interval.low:.1f} to {interval.high:.1f}" if interval else ""


def groups(summary: Summary) -> list[dict[str, Any]]:
    """The tasks by category, in the order of the suite."""
    tasks = list(summary.tasks.values())
    return [
        {
            "name": category,
            "score": number(summary.categories[category].value) if category in summary.categories else "–",
            "interval": ends(summary.uncertainty.averages.get(category)) if summary.uncertainty else "",
            "tasks": [_task(summary, task) for task in members],
        }
        for category, members in groupby(tasks, lambda task: summary.suite.task(task.task).category)
    ]


def _task(summary: Summary, task: TaskSummary) -> dict[str, Any]:
    interval = summary.uncertainty.cells.get(Cell(task.task)) if summary.uncertainty else None
    return {
        "name": task.task,
        "metric": summary.suite.task(task.task).metric,
        "score": number(task.score),
        "interval": ends(interval),
        "bar": interval_bar(task.value, interval, task.task),
        "n": str(task.n) if task.n == task.expected_n else f"{task.n} of {task.expected_n}",
        "counts": {name: getattr(task.counts, name) for name in COUNTS},
        "buckets": [number((task.bucket_scores or {}).get(bucket)) for bucket in BUCKETS] if task.buckets else [],
    }


def warnings(summary: Summary) -> list[dict[str, Any]]:
    """What a reader must know, one entry a kind: what is seen and where, the likely cause, the remedy."""
    plain = [{"severity": "warning", "what": text, "where": "", "cause": "", "remedy": ""} for text in _plain(summary)]
    return [*_suspicions(summary), *plain]


def _plain(summary: Summary) -> Iterator[str]:
    yield from summary.warnings
    for task in summary.tasks.values():
        yield from (f"{task.task}: {warning}" for warning in task.warnings)


def _suspicions(summary: Summary) -> Iterator[dict[str, Any]]:
    for shown in summary.suspicions_by_kind:
        first = shown[0][1]
        where = ", ".join(f"{task} {found.count} of {found.n} ({found.where})" for task, found in shown)
        yield {
            "severity": first.severity,
            "what": first.sight,
            "where": where,
            "cause": first.cause,
            "remedy": first.remedy,
        }


def cuts(summary: Summary) -> list[dict[str, Any]]:
    """The tasks whose prompts were cut: how many rows, and how much of the tokens was taken out."""
    found = []
    for task in summary.tasks.values():
        lost = [share for row in task.rows if (share := _lost(row.extra.get("truncation"))) is not None]
        if lost:
            lost.sort()
            shares = {"median": f"{lost[len(lost) // 2]:.0%}", "most": f"{lost[-1]:.0%}"}
            found.append({"task": task.task, "rows": len(lost), "n": task.n, **shares, **_effect(task)})
    return found


def _effect(task: TaskSummary) -> dict[str, Any]:
    """How cut rows score beside the others, and how many lost the answer with what was cut."""
    found = cuts_of(task)
    value, other = (found.value, found.uncut_value) if found else (None, None)
    return {"score": number(value), "others": number(other), "answers": found.answers.lost if found else 0}


def _lost(cut: Any) -> float | None:
    """The share of a prompt's tokens that were cut out; 0 where the record does not tell."""
    if not isinstance(cut, dict):
        return None
    before, after = cut.get("tokens_before"), cut.get("tokens_after")
    known = all(isinstance(one, int) and one > 0 for one in (before, after))
    return max(0.0, 1 - after / before) if known else 0.0  # type: ignore[operator]


def records_cuts(summary: Summary) -> bool:
    """Whether the predictions say which prompts were cut; those of other tools do not."""
    return any("truncation" in row.extra for task in summary.tasks.values() for row in task.rows[:1])
