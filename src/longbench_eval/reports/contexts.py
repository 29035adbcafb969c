"""Two runs over the same rows side by side: documents as they are, and left out or compressed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from longbench_eval.scoring import Summary
from longbench_eval.scoring.averages import two_decimals

if TYPE_CHECKING:
    from longbench_eval.comparison import Comparison

# A model that has half of a task's score without reading knows the answers, or guesses them from the questions.
MEMORY_SHARE = 0.5
_NONE = "none"


@dataclass(frozen=True, slots=True)
class Contrast:
    """One task in both runs, on the 0 to 100 scale.

    Attributes:
        task: Its name.
        baseline: The unrounded score with the documents as they are.
        changed: The score with the documents left out or compressed.
        memory: Whether they were left out and half of the score is there all the same.
    """

    task: str
    baseline: float
    changed: float
    memory: bool

    @property
    def delta(self) -> float:
        """What the documents add: baseline minus changed, as in the paper."""
        return self.baseline - self.changed

    def to_json(self) -> dict[str, Any]:
        """One task of `run --with-baseline --json`."""
        scores = {"baseline": self.baseline, "changed": self.changed, "delta": self.delta}
        return {**asdict(self), **{name: two_decimals(value) for name, value in scores.items()}}


def contrast(baseline: Summary, changed: Summary) -> list[Contrast]:
    """Put the tasks that both have side by side, in the order of the suite.

    A task is marked (`memory`) when its score without documents is at least half of that with them, and not 0.
    """
    without = changed.signature.choices.get("context") == _NONE
    return [
        _contrast(task, before.value, after.value, without)
        for task, before in baseline.tasks.items()
        if (after := changed.tasks.get(task)) and before.value is not None and after.value is not None
    ]


def _contrast(task: str, baseline: float, changed: float, without: bool) -> Contrast:
    return Contrast(task, baseline, changed, without and changed > 0 and changed >= MEMORY_SHARE * baseline)


def mean_of(contrasts: list[Contrast]) -> Contrast:
    """The plain mean over tasks, under which nothing is marked."""
    n = len(contrasts)
    return Contrast("mean", sum(c.baseline for c in contrasts) / n, sum(c.changed for c in contrasts) / n, False)


def contrast_of(found: Comparison) -> list[Contrast]:
    """The tasks of a comparison of two runs, one of which was asked without documents; none for any other."""
    without = [f"|context:{_NONE}|" in side.signature for side in found.sides]
    if len(without) != 2 or without[0] == without[1]:
        return []
    changed = without.index(True)
    tasks = (item for item in found.items if item.kind == "task" and item.scores)
    return [_contrast(item.name, item.scores[1 - changed], item.scores[changed], True) for item in tasks]


def print_memory(contrasts: list[Contrast], console: Console) -> None:
    """Print with, without, delta; which tasks are answered from memory."""
    console.print(_table(contrasts, "without"))
    for line in _marks(contrasts):
        console.print(Text(line, style="yellow"))


def print_contrast(baseline: Summary, changed: Summary, console: Console) -> None:
    """Print with, without, delta; which tasks are answered from memory; warnings and both signatures."""
    contrasts = contrast(baseline, changed)
    without = changed.signature.choices.get("context") == _NONE
    console.print(_table(contrasts, "without" if without else "compressed"))
    for line in (*_marks(contrasts), *_warnings(baseline, changed)):
        console.print(Text(line, style="yellow"))
    for summary in (baseline, changed):
        console.print(Text(str(summary.signature), style="dim"), soft_wrap=True)


def _table(contrasts: list[Contrast], changed: str) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("task", overflow="fold")
    for name in ("with", changed, "delta"):
        table.add_column(name, justify="right")
    table.add_column("")
    for line in contrasts:
        table.add_row(*_cells(line), "memory" if line.memory else "")
    if len(contrasts) > 1:
        table.add_row(*_cells(mean_of(contrasts)), "", style="bold")
    return table


def _cells(line: Contrast) -> tuple[str, ...]:
    return line.task, f"{line.baseline:.2f}", f"{line.changed:.2f}", f"{line.delta:+.2f}"


def _marks(contrasts: list[Contrast]) -> Iterator[str]:
    if marked := [line.task for line in contrasts if line.memory]:
        yield f"memory: {', '.join(marked)}: at least half of the score is there without the documents"


def _warnings(baseline: Summary, changed: Summary) -> Iterator[str]:
    """What either run warns of, once."""
    for warning in dict.fromkeys((*baseline.warnings, *changed.warnings)):
        yield f"warning: {warning}"
    for name, summary in (("with", baseline), ("changed", changed)):
        for task in summary.tasks.values():
            yield from (f"warning: {task.task} ({name}): {warning}" for warning in task.warnings)
