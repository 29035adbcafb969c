"""The kinds of charts by name, each with what it is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from longbench_eval.charts import of_runs
from longbench_eval.charts.budget import budget
from longbench_eval.charts.categories import categories
from longbench_eval.charts.context import context
from longbench_eval.charts.cost import cost
from longbench_eval.charts.distribution import distribution
from longbench_eval.charts.length import length
from longbench_eval.charts.look import Frame
from longbench_eval.charts.radar import radar
from longbench_eval.charts.tasks import tasks
from longbench_eval.errors import unknown_name
from longbench_eval.scoring import Summary


@dataclass(frozen=True, slots=True)
class Kind:
    """A chart: what it shows, the function that draws it, and the records it takes from runs."""

    about: str
    draw: Callable[..., Any]
    records: Callable[[Mapping[str, Summary]], list[dict[str, Any]]]


KINDS: Mapping[str, Kind] = {
    "radar": Kind("the six categories as a radar", radar, of_runs.category_records),
    "bars": Kind("the six categories as bars with intervals", categories, of_runs.category_records),
    "tasks": Kind("every task with its interval", tasks, of_runs.task_records),
    "length": Kind("score over length", length, of_runs.length_records),
    "distribution": Kind(
        "row scores of the first run, by task",
        distribution,
        lambda runs: of_runs.distribution_records(next(iter(runs.values()))),
    ),
    "context": Kind("with documents and without", context, lambda runs: of_runs.context_records(list(runs.values()))),
    "budget": Kind("score against M", budget, of_runs.budget_records),
    "cost": Kind("tokens a row against score", cost, of_runs.cost_records),
}


def draw(kind: str, runs: Mapping[str, Summary], frame: Frame = Frame()) -> Any:  # noqa: B008 (frozen)
    """A chart of scored runs.

    Args:
        kind: A name in `KINDS`.
        runs: Summaries with intervals, by the names that the chart shows.
        frame: Width and look.

    Raises:
        UsageError: There is no such kind, or the runs have nothing to draw it of.
    """
    if kind not in KINDS:
        raise unknown_name("chart", kind, KINDS)
    return KINDS[kind].draw(KINDS[kind].records(runs), frame)
