"""What a comparison found, as records; the tables and the JSON are made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from longbench_eval.scoring.intervals import interval_json
from longbench_eval.signature import Signature
from longbench_eval.stats import Interval, Resampling
from longbench_eval.tasks import Suite

ItemKind = Literal["task", "bucket", "category", "average"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One run against the first: positive is better than the first. Points of the 0 to 100 scale.

    Attributes:
        difference: This run's score minus the first one's.
        interval: Of the difference.
        p: Of the paired permutation test, two-sided.
        p_adjusted: The same corrected for how many were tested together.
        wins: Rows on which this run is better than the first.
        ties: Rows on which they are equal.
        losses: Rows on which it is worse.
        detectable: The true difference that would have been found with 80% power; None where it cannot be told.
    """

    difference: float
    interval: Interval
    p: float
    p_adjusted: float
    wins: int
    ties: int
    losses: int
    detectable: float | None

    def to_json(self) -> dict[str, Any]:
        """As it stands in `compare --json`."""
        points = {"difference": round(self.difference, 2), **interval_json(self.interval)}
        chance = {"p": round(self.p, 6), "p_adjusted": round(self.p_adjusted, 6)}
        rows = {"wins": self.wins, "ties": self.ties, "losses": self.losses}
        seen = None if self.detectable is None else round(self.detectable, 2)
        return {**points, **chance, **rows, "detectable": seen}


@dataclass(frozen=True, slots=True)
class Item:
    """A task, a bucket of a task, a category or an average.

    Attributes:
        name: E.g. `qasper`, `qasper 8k+`, `few-shot`, `All`.
        kind: Which of these it is.
        n: Rows that all runs have, which alone are compared.
        clusters: Groups of rows that were resampled as one.
        scores: Of each run over these rows, on the 0 to 100 scale; empty where withheld.
        intervals: Of each run's score.
        effects: Of each run but the first against the first.
        withheld: Why an average is not formed.
    """

    name: str
    kind: ItemKind
    n: int
    clusters: int
    scores: tuple[float, ...] = ()
    intervals: tuple[Interval, ...] = ()
    effects: tuple[Effect, ...] = ()
    withheld: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As it stands in `compare --json`."""
        scores = [
            {"score": round(score, 2), **interval_json(interval)}
            for score, interval in zip(self.scores, self.intervals, strict=True)
        ]
        named = {"name": self.name, "kind": self.kind, "n": self.n, "clusters": self.clusters}
        return {**named, "scores": scores, "effects": [effect.to_json() for effect in self.effects]}


@dataclass(frozen=True, slots=True)
class Side:
    """One of the runs compared: its letter, its name, where it lies, and how it was made and scored."""

    letter: str
    name: str
    path: Path
    signature: str


Outcome = Literal["worse", "not worse", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a run is worse than the first by more than so many points, on one item."""

    run: str
    on: str
    points: float
    outcome: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two or more runs over the rows that all of them have.

    Attributes:
        signature: How they were compared.
        suite: What they were measured against.
        profile: How they were scored.
        resampling: Seed, number of resamples, level.
        sides: The runs; each but the first is compared with the first.
        items: Tasks first, then (for LongBench-E) their buckets, categories, averages.
        headline: The name of the item that stands for all.
        notes: What a reader must know: how rows were paired, what differs, what was left out.
    """

    signature: Signature
    suite: Suite
    profile: str
    resampling: Resampling
    sides: tuple[Side, ...]
    items: tuple[Item, ...]
    headline: str
    notes: tuple[str, ...]

    @property
    def by_name(self) -> Mapping[str, Item]:
        """The items by their names."""
        return {item.name: item for item in self.items}

    @property
    def shown(self) -> list[Item]:
        """The items that tables show: everything that could be formed but the buckets of single tasks."""
        return [item for item in self.items if item.kind != "bucket" and item.scores]

    def to_json(self) -> dict[str, Any]:
        """The object that `compare --json` prints (docs/compare.md)."""
        return {
            "signature": str(self.signature),
            "suite": self.suite.name,
            "profile": self.profile,
            "level": self.resampling.level,
            "runs": [{**asdict(side), "path": str(side.path)} for side in self.sides],
            "headline": self.headline,
            "items": [item.to_json() for item in self.items if item.scores],
            "withheld": {item.name: "; ".join(item.withheld) for item in self.items if not item.scores},
            "notes": list(self.notes),
        }
