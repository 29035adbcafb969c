"""The scores of a run or folder as one object, and its JSON shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from longbench_eval.predictions import Prediction
from longbench_eval.records import Score
from longbench_eval.scoring.averages import Average, averages_of, bucket_percents, category_means, percent
from longbench_eval.scoring.census import Census, take_census
from longbench_eval.scoring.profiles import Profile
from longbench_eval.scoring.rows import score_rows
from longbench_eval.signature import Signature
from longbench_eval.tasks import BUCKETS, CATEGORIES, Suite


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows of a task failed, were cut to fit, got an empty answer, or were ended by the token cap."""

    failed: int
    truncated: int
    empty: int
    capped: int


@dataclass(frozen=True, slots=True)
class TaskSummary:
    """One task.

    Attributes:
        task: Its name.
        value: The unrounded score on the 0 to 100 scale; None without rows.
        n: Rows scored, doubled ones included.
        expected_n: Rows the suite has.
        scores: A score a row, in file order.
        ids: The rows' ids where they are known.
        counts: What happened to the rows.
        warnings: What a reader of the score must know.
        gap: Why the task cannot be part of an average; empty when it can.
        buckets: Unrounded scores by length, for LongBench-E.
    """

    task: str
    value: float | None
    n: int
    expected_n: int
    scores: tuple[Score, ...] = field(repr=False)
    ids: tuple[str | None, ...] = field(repr=False)
    counts: Counts
    warnings: tuple[str, ...] = ()
    gap: str = ""
    buckets: Mapping[str, float | None] | None = None

    @property
    def score(self) -> float | None:
        """The score as the official scorer prints it: 0 to 100, two decimals."""
        return _rounded(self.value)

    def to_json(self, *, rows: bool = False, counts: bool = False) -> dict[str, Any]:
        """The task's part of `score --json`; `rows` adds every row's value, `counts` what happened to the rows."""
        shape: dict[str, Any] = {"score": self.score, "n": self.n, "expected_n": self.expected_n}
        if self.buckets is not None:
            shape["buckets"] = {bucket: _rounded(value) for bucket, value in self.buckets.items()}
        shape["warnings"] = list(self.warnings)
        if counts:
            shape |= asdict(self.counts)
        if rows:
            shape["rows"] = [score.value for score in self.scores]
        return shape


@dataclass(frozen=True, slots=True)
class Summary:
    """All tasks, their categories and averages. `categories` and `averages` by length bucket for LongBench-E."""

    signature: Signature
    profile: str
    suite: Suite
    tasks: Mapping[str, TaskSummary]
    categories: Mapping[str, Average]
    averages: Mapping[str, Average]
    bucket_averages: Mapping[str, Average] | None = None
    warnings: tuple[str, ...] = ()

    @property
    def failed(self) -> int:
        """Rows without an answer."""
        return sum(task.counts.failed for task in self.tasks.values())

    def to_json(self, *, rows: bool = False, counts: bool = False) -> dict[str, Any]:
        """The object that `score --json` prints; `summary.json` holds it with `counts`."""
        shape: dict[str, Any] = {
            "signature": str(self.signature),
            "profile": self.profile,
            "suite": self.suite.name,
            "tasks": {name: task.to_json(rows=rows, counts=counts) for name, task in self.tasks.items()},
            "categories": _values(self.categories),
            "averages": _values(self.averages),
            "withheld": {name: part.withheld for name, part in self._parts().items() if part.value is None},
            "warnings": list(self.warnings),
        }
        if self.bucket_averages is not None:
            shape["bucket_averages"] = _values(self.bucket_averages)
        return shape

    def _parts(self) -> dict[str, Average]:
        return {**self.categories, **self.averages, **(self.bucket_averages or {})}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _values(parts: Mapping[str, Average]) -> dict[str, float | None]:
    return {name: _rounded(part.value) for name, part in parts.items()}


def summarize_task(suite: Suite, task: str, rows: Sequence[Prediction], profile: Profile) -> TaskSummary:
    """Score one task's predictions and say what is odd about them."""
    scores = score_rows(task, rows, profile)
    values = [score.value for score in scores]
    census, counts = take_census(suite, task, rows), _count(rows)
    return TaskSummary(
        task=task,
        value=percent(values),
        n=len(rows),
        expected_n=census.expected_n,
        scores=tuple(scores),
        ids=tuple(row.id for row in rows),
        counts=counts,
        warnings=tuple(_warnings(census, counts, values)),
        gap=_gap(task, census, counts, len(rows)),
        buckets=bucket_percents(values, [row.length or 0 for row in rows]) if suite.has_buckets else None,
    )


def _count(rows: Sequence[Prediction]) -> Counts:
    return Counts(
        failed=sum(row.failed for row in rows),
        truncated=sum(row.extra.get("truncation") is not None for row in rows),
        empty=sum(not row.failed and not row.pred.strip() for row in rows),
        capped=sum(row.extra.get("finish_reason") == "length" for row in rows),
    )


def _warnings(census: Census, counts: Counts, values: Sequence[float]) -> list[str]:
    warnings = []
    if counts.failed:
        warnings.append(f"{counts.failed} rows have no answer and count 0, as an empty prediction does officially")
    if census.missing:
        warnings.append(f"{len(census.missing)} rows are missing, the first is row {census.missing[0]}")
    if census.doubled:
        once = [value for position, value in enumerate(values) if position not in set(census.doubled)]
        warnings.append(
            f"{len(census.doubled)} lines repeat a row (first: line {census.doubled[0] + 1}) and count again, as they "
            f"do officially; without them the score is {percent(once):.2f}"
        )
    if census.foreign:
        warnings.append(
            f"{len(census.foreign)} lines hold answers or lengths that are not this task's "
            f"(first: line {census.foreign[0] + 1})"
        )
    return warnings


def _gap(task: str, census: Census, counts: Counts, n: int) -> str:
    present = min(n - len(census.doubled) - len(census.foreign), census.expected_n)
    if present < census.expected_n:
        return f"{task} has {present} of {census.expected_n} rows"
    return f"{task} has {counts.failed} failed rows" if counts.failed else ""


def summarize(
    signature: Signature,
    suite: Suite,
    files: Mapping[str, Sequence[Prediction]],
    profile: Profile,
    warnings: Sequence[str] = (),
) -> Summary:
    """Score predictions and average them.

    Args:
        signature: What is known of how the predictions were made; the profile is added.
        suite: What they are measured against.
        files: Predictions by task.
        profile: How to score.
        warnings: What the reader must know beyond the tasks' own warnings.
    """
    tasks = {task: summarize_task(suite, task, files[task], profile) for task in suite.tasks if task in files}
    gaps = {task: tasks[task].gap if task in tasks else f"{task} is missing" for task in suite.tasks}
    values = {name: task.value for name, task in tasks.items()}
    scored = signature.add(profile=profile.name, edit=profile.edit)
    if not suite.has_buckets:
        categories, averages = averages_of(suite, values, gaps)
        return Summary(scored, profile.name, suite, tasks, categories, averages, warnings=tuple(warnings))
    reason = "LongBench-E is averaged by length: see bucket_averages"
    none = Average(None, reason)
    by_bucket = {bucket: _bucket_average(suite, tasks, gaps, bucket) for bucket in BUCKETS}
    flat = dict.fromkeys(("EN", "ZH", "All"), none)
    cells: dict[str, Average] = dict.fromkeys(CATEGORIES, none)
    return Summary(scored, profile.name, suite, tasks, cells, flat, by_bucket, tuple(warnings))


def _bucket_average(suite: Suite, tasks: Mapping[str, TaskSummary], gaps: Mapping[str, str], bucket: str) -> Average:
    values = {name: (task.buckets or {}).get(bucket) for name, task in tasks.items()}
    means = category_means(suite, values, gaps, ("en", "zh", "code"))
    reasons = dict.fromkeys(mean.withheld for mean in means.values() if mean.value is None)
    if reasons:
        return Average(None, "; ".join(reasons))
    found = [mean.value for mean in means.values() if mean.value is not None]
    return Average(sum(found) / len(found))
