"""The scores of a run or folder as one object, and its JSON shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from longbench_eval.predictions import Prediction
from longbench_eval.records import Score
from longbench_eval.scoring.averages import Average, two_decimals, two_decimals_numpy
from longbench_eval.scoring.suspicion import Suspicion
from longbench_eval.signature import Signature
from longbench_eval.tasks import Suite

if TYPE_CHECKING:
    from longbench_eval.scoring.intervals import Uncertainty


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows of a task failed, were cut to fit, got an empty answer, or were ended by the token cap.

    `unfinished` are those of the empty answers that are nothing but a thought without an end.
    """

    failed: int
    truncated: int
    empty: int
    capped: int
    unfinished: int = 0


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
        warnings: What a reader of the score must know, but for suspicions.
        suspicions: Signs that the set-up was broken, rather than the model weak.
        gap: Why the task cannot be part of an average; empty when it can.
        buckets: Unrounded scores by length, for LongBench-E; None for an empty bucket.
        rows: The predictions that were scored, in file order.
    """

    task: str
    value: float | None
    n: int
    expected_n: int
    scores: tuple[Score, ...] = field(repr=False)
    ids: tuple[str | None, ...] = field(repr=False)
    counts: Counts
    warnings: tuple[str, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()
    gap: str = ""
    buckets: Mapping[str, float | None] | None = None
    rows: Sequence[Prediction] = field(default=(), repr=False)

    @property
    def score(self) -> float | None:
        """The score as the official scorer prints it: 0 to 100, two decimals."""
        return two_decimals(self.value)

    @property
    def bucket_scores(self) -> dict[str, float | None] | None:
        """The scores by length as the official scorer prints them, for LongBench-E."""
        if self.buckets is None:
            return None
        return {bucket: two_decimals_numpy(value) for bucket, value in self.buckets.items()}

    def cell(self, bucket: str | None = None) -> Average:
        """The score, whole or of one bucket, as a part of an average."""
        if self.gap:
            return Average(None, (self.gap,))
        value = self.value if bucket is None else (self.buckets or {}).get(bucket)
        return Average(value) if value is not None else Average(None, (f"{self.task} has no rows in {bucket}",))

    def to_json(self, *, rows: bool = False, counts: bool = False) -> dict[str, Any]:
        """The task's part of `score --json`; `rows` adds every row's value, `counts` what happened to the rows."""
        shape: dict[str, Any] = {"score": self.score, "n": self.n, "expected_n": self.expected_n}
        if self.buckets is not None:
            shape["buckets"] = self.bucket_scores
        shape["warnings"] = [*self.warnings, *map(str, self.suspicions)]
        if counts:
            shape |= {**asdict(self.counts), **self.cut_json()}
        if rows:
            shape["rows"] = [score.value for score in self.scores]
        return shape

    def cut_json(self) -> dict[str, Any]:
        """What was cut to fit, under its key; nothing where the predictions do not say."""
        from longbench_eval.scoring.cuts import cuts_of

        cuts = cuts_of(self)
        return {} if cuts is None else {"cut": cuts.to_json()}


@dataclass(frozen=True, slots=True)
class Summary:
    """All tasks and their averages.

    Attributes:
        signature: How the predictions were made and scored.
        profile: The profile's name.
        suite: What they were measured against.
        tasks: The tasks there are predictions of, in the suite's order, the user's own after the official ones.
        categories: The means of the six categories.
        averages: EN, ZH and All.
        bucket_averages: For LongBench-E the averages by length; the others are withheld then.
        flat_averages: The flat means that circulate beside the paper's averages, by name.
        warnings: What a reader must know beyond the tasks' own warnings.
        uncertainty: Intervals and standard errors, where they were asked for.
    """

    signature: Signature
    profile: str
    suite: Suite
    tasks: Mapping[str, TaskSummary]
    categories: Mapping[str, Average]
    averages: Mapping[str, Average]
    bucket_averages: Mapping[str, Average] | None = None
    warnings: tuple[str, ...] = ()
    flat_averages: Mapping[str, Average] = field(default_factory=dict)
    uncertainty: Uncertainty | None = None

    @property
    def failed(self) -> int:
        """Rows without an answer."""
        return sum(task.counts.failed for task in self.tasks.values())

    @property
    def suspicions_by_kind(self) -> list[list[tuple[str, Suspicion]]]:
        """Suspicions with their tasks, those of one kind together: the cause is mostly the same in all."""
        by_kind: dict[str, list[tuple[str, Suspicion]]] = {}
        for task in self.tasks.values():
            for found in task.suspicions:
                by_kind.setdefault(found.kind, []).append((task.task, found))
        return list(by_kind.values())

    @property
    def all_averages(self) -> dict[str, Average]:
        """Every average by its name."""
        return {**self.categories, **self.averages, **(self.bucket_averages or {})}

    @property
    def named_averages(self) -> dict[str, Average]:
        """Every average over categories or tasks that circulates, by its name."""
        return dict(self.bucket_averages or {**self.averages, **self.flat_averages})

    def to_json(self, *, rows: bool = False, counts: bool = False) -> dict[str, Any]:
        """The object that `score --json` prints (docs/scores-schema.md); `summary.json` holds it with `counts`."""
        tasks = {name: task.to_json(rows=rows, counts=counts) for name, task in self.tasks.items()}
        shape: dict[str, Any] = {
            "signature": str(self.signature),
            "profile": self.profile,
            "suite": self.suite.name,
            "tasks": {name: task for name, task in tasks.items() if not self.suite.is_own(name)},
            "categories": _values(self.categories),
            "averages": _values(self.averages),
            "flat_averages": _values(self.flat_averages),
            "withheld": {name: "; ".join(part.withheld) for name, part in self.all_averages.items() if part.withheld},
            "warnings": list(self.warnings),
        }
        if own := {name: task for name, task in tasks.items() if self.suite.is_own(name)}:
            shape["own_tasks"] = own
        if self.bucket_averages is not None:
            shape["bucket_averages"] = _values(self.bucket_averages)
        if self.uncertainty is not None:
            self.uncertainty.add_to(shape)
        return shape | self._of_suite()

    def _of_suite(self) -> dict[str, Any]:
        """What only one suite has, imported where it is asked for."""
        if self.suite.has_buckets:
            from longbench_eval.scoring.curve import curve_of

            return {"curve": curve_of(self).to_json()}
        if self.suite.name == "minilongbench":
            from longbench_eval.scoring.estimate import estimate

            return {"minilongbench": estimate(self).to_json()}
        return {}


def _values(parts: Mapping[str, Average]) -> dict[str, float | None]:
    return {name: two_decimals(part.value) for name, part in parts.items()}
