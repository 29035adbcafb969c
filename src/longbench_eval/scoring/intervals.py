"""How sure a score is: intervals and standard errors of tasks, buckets and averages, from row scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from longbench_eval.errors import UsageError
from longbench_eval.scoring.averages import bucket_of
from longbench_eval.scoring.clusters import cluster_keys, clusters_choice, contexts_known
from longbench_eval.scoring.summary import Summary, TaskSummary
from longbench_eval.scoring.weights import Cell, weighted_averages
from longbench_eval.stats import Clusters, Interval, Resampling, Stratum, draw_means, interval_of, make_clusters


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """Intervals on the 0 to 100 scale.

    Attributes:
        resampling: How they were made.
        cells: Of each task with rows, and for LongBench-E of each of its buckets with rows.
        averages: Of each average that is not withheld, by its name.
        contexts_known: Whether rows that share a context could be kept together.
    """

    resampling: Resampling
    cells: Mapping[Cell, Interval]
    averages: Mapping[str, Interval]
    contexts_known: bool

    def add_to(self, shape: dict[str, Any]) -> None:
        """Add what is known to the object of scores."""
        for name, task in {**shape["tasks"], **shape.get("own_tasks", {})}.items():
            task |= interval_json(self.cells.get(Cell(name)))
            if "buckets" in task:
                cells = {bucket: self.cells.get(Cell(name, bucket)) for bucket in task["buckets"]}
                task["bucket_intervals"] = {bucket: cell and interval_json(cell) for bucket, cell in cells.items()}
        shape["intervals"] = {name: interval_json(interval) for name, interval in self.averages.items()}


def interval_json(interval: Interval | None) -> dict[str, Any]:
    """An interval as it stands in JSON, rounded as scores are."""
    if interval is None:
        return {"interval": None, "standard_error": None}
    error = interval.standard_error
    return {
        "interval": [round(interval.low, 2), round(interval.high, 2)],
        "standard_error": None if error is None else round(error, 3),
    }


def check_resampling(resampling: Resampling) -> None:
    """Refuse settings that cannot be.

    Raises:
        UsageError: With the value and what was expected.
    """
    if not 0 < resampling.level < 1:
        raise UsageError(f"--level is {resampling.level}; expected a share between 0 and 1, such as 0.95.")
    if not 0 <= resampling.seed < 2**63:
        raise UsageError(f"--seed is {resampling.seed}; expected a whole number from 0.")
    if resampling.resamples < 100:
        raise UsageError(f"There are {resampling.resamples} resamples; expected at least 100.")


def with_intervals(summary: Summary, resampling: Resampling = Resampling()) -> Summary:  # noqa: B008 (frozen)
    """The same summary with intervals, and with how they were made in its signature. Nothing is scored again.

    Raises:
        UsageError: Settings of the resampling are impossible.
    """
    check_resampling(resampling)
    strata = {cell: _stratum(cell, clusters, resampling) for cell, clusters in _clusters(summary).items()}
    cells = {cell: _interval([part], resampling) for cell, part in strata.items()}
    averages = {
        average.name: _interval([strata[cell]._replace(weight=w) for cell, w in average.weights.items()], resampling)
        for average in weighted_averages(summary.suite, lambda cell: _gap(summary, cell))
        if not average.withheld and average.name in _shown(summary)
    }
    known = [contexts_known(task.rows) for task in summary.tasks.values()]
    level = {} if resampling.level == 0.95 else {"level": f"{resampling.level:g}"}
    choices = {"clusters": clusters_choice(known), "boot": str(resampling), **level}
    return replace(
        summary,
        uncertainty=Uncertainty(resampling, cells, averages, all(known)),
        signature=summary.signature.add(**choices),
    )


def _shown(summary: Summary) -> dict[str, Any]:
    return {**summary.all_averages, **summary.flat_averages}


def _gap(summary: Summary, cell: Cell) -> str:
    task = summary.tasks.get(cell.task)
    return "; ".join(task.cell(cell.bucket).withheld) if task else f"{cell.task} is missing"


def _clusters(summary: Summary) -> dict[Cell, Clusters]:
    found: dict[Cell, Clusters] = {}
    for name, task in summary.tasks.items():
        rows = _rows(task)
        cells = {Cell(name): rows}
        for bucket in task.buckets or ():
            cells[Cell(name, bucket)] = [row for row in rows if row[2] == bucket]
        for cell, chosen in cells.items():
            if chosen:
                found[cell] = make_clusters([value for value, _, _ in chosen], [key for _, key, _ in chosen])
    return found


def _rows(task: TaskSummary) -> list[tuple[float, str, str | None]]:
    """Value, cluster and bucket of each row."""
    keys = cluster_keys(task.rows)
    lengths = [row.length for row in task.rows]
    buckets = [None if length is None else bucket_of(length) for length in lengths]
    return list(zip([score.value for score in task.scores], keys, buckets, strict=True))


def _stratum(cell: Cell, clusters: Clusters, resampling: Resampling) -> Stratum:
    stream = resampling.stream(f"score {cell.task} {cell.bucket or ''}")
    return Stratum(1.0, clusters, draw_means(clusters, stream, resampling.resamples))


def _interval(strata: list[Stratum], resampling: Resampling) -> Interval:
    return interval_of(strata, resampling.tail, "bca", (0.0, 1.0)).scaled(100)
