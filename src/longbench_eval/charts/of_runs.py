"""From scored runs to the records that charts are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

from longbench_eval.charts.distribution import BINS
from longbench_eval.scoring import Summary
from longbench_eval.scoring.weights import Cell
from longbench_eval.stats import Interval
from longbench_eval.tasks import BUCKETS, CATEGORIES

Runs = Mapping[str, Summary]
Found = list[dict[str, Any]]
LENGTHS = (0, 2000, 4000, 8000, 16000, 1 << 60)
_FEW = 10  # rows in a class of length, below which nothing is drawn


def category_records(runs: Runs) -> Found:
    """`run`, `category`, `score`, `low`, `high`: the categories that can be formed."""
    return [
        {"run": run, "category": name, "score": summary.categories[name].value} | _ends(_average(summary, name))
        for run, summary in runs.items()
        for name in CATEGORIES
        if name in summary.categories and summary.categories[name].value is not None
    ]


def task_records(runs: Runs) -> Found:
    """`run`, `task`, `category`, `score`, `low`, `high`."""
    return [
        {"run": run, "task": name, "category": summary.suite.task(name).category, "score": task.value}
        | _ends(_cell(summary, name))
        for run, summary in runs.items()
        for name, task in summary.tasks.items()
    ]


def length_records(runs: Runs) -> Found:
    """For LongBench-E the averages by length; else row scores by length against their task's mean."""
    if all(summary.bucket_averages for summary in runs.values()):
        return [
            {"run": run, "bucket": bucket, "score": (summary.bucket_averages or {})[bucket].value, "n": None}
            | _ends(_average(summary, bucket))
            for run, summary in runs.items()
            for bucket in BUCKETS
        ]
    return [record for run, summary in runs.items() for record in _by_length(run, summary)]


def _by_length(run: str, summary: Summary) -> Iterator[dict[str, Any]]:
    rows = [
        (row.length, 100 * score.value - (task.value or 0.0))
        for task in summary.tasks.values()
        for row, score in zip(task.rows, task.scores, strict=True)
        if row.length is not None
    ]
    for low, high in pairwise(LENGTHS):
        values = [value for length, value in rows if low <= length < high]
        if len(values) >= _FEW:
            mean = sum(values) / len(values)
            away = 1.96 * sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))
            name = f"{low // 1000}-{high // 1000}k" if high < LENGTHS[-1] else f"{low // 1000}k+"
            ends = {"low": mean - away, "high": mean + away}
            yield {"run": run, "bucket": name, "score": mean, "n": len(values), "relative": True, **ends}


def distribution_records(summary: Summary) -> Found:
    """`task`, `bin`, `share`."""
    found = []
    for name, task in summary.tasks.items():
        bins = [_bin(score.value) for score in task.scores]
        found += [{"task": name, "bin": n, "share": bins.count(n) / len(bins)} for n in range(BINS) if bins]
    return found


def _bin(value: float) -> int:
    return 0 if value <= 0 else BINS - 1 if value >= 1 else 1 + min(int(value * 10), 9)


def overall(summary: Summary) -> tuple[str, float | None, Interval | None]:
    """The average that stands for all: All, else EN, else ZH, else the mean of what there is."""
    names = list(summary.averages) if not summary.bucket_averages else list(BUCKETS)
    order = ["All", "EN", "ZH"] if not summary.bucket_averages else list(reversed(names))
    for name in order:
        part = summary.all_averages.get(name)
        if part is not None and part.value is not None:
            return name, part.value, _average(summary, name)
    values = [task.value for task in summary.tasks.values() if task.value is not None]
    return "mean of tasks", sum(values) / len(values) if values else None, None


def budget_records(runs: Runs) -> Found:
    """`run` (the average's name), `max_input_tokens`, `score`, `low`, `high`, of runs whose M is known."""
    found = []
    for name, summary in runs.items():
        limit = summary.signature.choices.get("trunc", "").partition("@")[2]
        kind, score, interval = overall(summary)
        if limit.isdecimal() and score is not None:
            found.append({"run": kind, "max_input_tokens": int(limit), "score": score, "of": name} | _ends(interval))
    return found


def cost_records(runs: Runs) -> Found:
    """`run`, `cost` (prompt and answer tokens a row), `unit`, `score`, `low`, `high`."""
    found = []
    for run, summary in runs.items():
        rows = [row.extra for task in summary.tasks.values() for row in task.rows]
        tokens = [_tokens(row) for row in rows if isinstance(row.get("prompt_tokens"), int)]
        _, score, interval = overall(summary)
        if tokens and score is not None:
            cost = sum(tokens) / len(tokens)
            found.append({"run": run, "cost": cost, "unit": "tokens a row", "score": score} | _ends(interval))
    return found


def _tokens(row: Mapping[str, Any]) -> int:
    made = row.get("completion_tokens")
    return int(row["prompt_tokens"]) + (made if isinstance(made, int) else 0)


def context_records(summaries: Sequence[Summary]) -> Found:
    """`task`, `baseline`, `changed`, `name`: of two runs of which the second has its documents changed."""
    if len(summaries) != 2:
        return []
    first, second = sorted(summaries, key=lambda summary: "context" in summary.signature.choices)
    change = second.signature.choices.get("context")
    if change is None or "context" in first.signature.choices:
        return []
    name = "without documents" if change == "none" else f"documents: {change[:30]}"
    return [
        {"task": task, "baseline": one.value, "changed": other.value, "name": name}
        for task, one in first.tasks.items()
        if (other := second.tasks.get(task)) and one.value is not None and other.value is not None
    ]


def _cell(summary: Summary, task: str) -> Interval | None:
    return summary.uncertainty.cells.get(Cell(task)) if summary.uncertainty else None


def _average(summary: Summary, name: str) -> Interval | None:
    return summary.uncertainty.averages.get(name) if summary.uncertainty else None


def _ends(interval: Interval | None) -> dict[str, float | None]:
    return {"low": interval.low if interval else None, "high": interval.high if interval else None}
