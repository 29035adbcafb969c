"""Which rows a report shows: some of the best, the worst, the middle, and all kinds of trouble."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from longbench_eval.predictions import Prediction
from longbench_eval.records import Score
from longbench_eval.scoring.summary import Summary


@dataclass(frozen=True, slots=True)
class Chosen:
    """One row: its task, its position in the file from 0, and why it is shown."""

    task: str
    position: int
    why: str
    row: Prediction
    score: Score


def choose(summary: Summary, count: int, seed: int) -> list[Chosen]:
    """Draw rows: up to a quarter failed or empty ones, the rest in equal parts worst, middle and best.

    Args:
        summary: Of the run.
        count: How many rows, from 0.
        seed: The same seed draws the same rows.
    """
    drawn, rows = random.Random(seed), _rows(summary)
    drawn.shuffle(rows)
    broken = [row for row in rows if row.why in ("failed", "empty")]
    whole = sorted((row for row in rows if row.why == ""), key=lambda row: row.score.value)
    taken = _spread(broken, count // 4 if whole else count)
    rest = count - len(taken)
    third = -(-rest // 3)
    middle = max(0, len(whole) // 2 - 2 * third)
    for why, some in (("best", whole[::-1]), ("worst", whole), ("middle", whole[middle:])):
        left = [row for row in some if (row.task, row.position) not in {(one.task, one.position) for one in taken}]
        share = min(third, count - len(taken))
        taken += [Chosen(one.task, one.position, why, one.row, one.score) for one in _spread(left, share)]
    order = {"best": 0, "middle": 1, "worst": 2}
    return sorted(taken, key=lambda one: (order.get(one.why, 3), -one.score.value))


def _rows(summary: Summary) -> list[Chosen]:
    return [
        Chosen(name, n, "failed" if row.failed else "" if row.pred.strip() else "empty", row, score)
        for name, task in summary.tasks.items()
        for n, (row, score) in enumerate(zip(task.rows, task.scores, strict=True))
    ]


def _spread(rows: Sequence[Chosen], count: int) -> list[Chosen]:
    """The first rows, but of as many tasks as can be."""
    seen: dict[str, int] = {}
    ranked = []
    for at, row in enumerate(rows[: max(count * 12, 60)]):
        seen[row.task] = seen.get(row.task, 0) + 1
        ranked.append((seen[row.task], at, row))
    return [row for _, _, row in sorted(ranked, key=lambda one: one[:2])[:count]]
