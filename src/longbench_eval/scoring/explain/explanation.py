"""What explaining gives: the records, and their JSON shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from longbench_eval.scoring.explain.written import WHOLE, Committed


@dataclass(frozen=True, slots=True)
class Explained:
    """One published score, or average, and the rules that reproduce it.

    Attributes:
        key: As found in the file.
        committed: The published score.
        reproduced: Whether a rule gives it that is not likely to fit by chance.
        by: The simplest such rule. Where there is none, the simplest that is possible; None where none fits.
        detail: In words, with the numbers.
        also: Every other rule that fits.
        possible: Every other rule that fits, but may well do so by chance.
    """

    key: str
    committed: Committed
    reproduced: bool
    by: str | None
    detail: str
    also: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Its part of `explain --json`."""
        return {
            "key": self.key,
            "committed": _plain(self.committed),
            "reproduced": self.reproduced,
            "by": self.by,
            "detail": self.detail,
            "also": list(self.also),
        }


def _plain(committed: Committed) -> float | dict[str, float | None] | None:
    """The numbers as in the file; NaN, which JSON has not, becomes None."""
    numbers = {cell: None if number.is_nan else number.value for cell, number in committed.items()}
    return numbers.get(WHOLE, numbers)


@dataclass(frozen=True, slots=True)
class Explanation:
    """All published scores of some predictions.

    Attributes:
        suite: The name of the suite that the predictions are of.
        result: Where the scores were found.
        tasks: Every task with a published score, in the order of the task table.
        averages: The averages among the scores, by key.
        ignored: Keys that name neither a task nor an average.
        unpublished: Tasks with predictions but no score.
        warnings: What is odd about the predictions.
    """

    suite: str
    result: str
    tasks: Mapping[str, Explained]
    averages: Mapping[str, Explained] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    unpublished: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """How many scores are reproduced, and by which rules."""
        done = Counter(task.by for task in self.tasks.values() if task.reproduced)
        maybe = {name: task.by for name, task in self.tasks.items() if task.by and not task.reproduced}
        unexplained = [name for name, task in self.tasks.items() if task.by is None]
        rules = ", ".join(f"{count} {rule}" for rule, count in done.most_common())
        parts = [f"{done.total()} of {len(self.tasks)} reproduced" + (f": {rules}" if rules else "")]
        if maybe:
            parts.append("only possible: " + ", ".join(f"{name} ({rule})" for name, rule in maybe.items()))
        if unexplained:
            parts.append(f"not reproduced: {', '.join(unexplained)}")
        return "; ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """The object that `explain --json` prints (docs/explain.md)."""
        return {
            "suite": self.suite,
            "result": self.result,
            "tasks": {name: task.to_json() for name, task in self.tasks.items()},
            "possible": {name: list(task.possible) for name, task in self.tasks.items() if task.possible},
            "averages": {key: average.to_json() for key, average in self.averages.items()},
            "ignored": list(self.ignored),
            "unpublished": list(self.unpublished),
            "warnings": list(self.warnings),
        }
