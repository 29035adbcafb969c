"""Score against the length that prompts are cut to: one run for each M, one model for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, NamedTuple

from longbench_eval.compress import open_change
from longbench_eval.errors import UsageError, unknown_name
from longbench_eval.generate.progress import NotesOnce, Progress
from longbench_eval.manifest import load_manifest
from longbench_eval.models import Model
from longbench_eval.models.callable import Generate, Reset
from longbench_eval.prompts import TRUNCATIONS
from longbench_eval.prompts.budget import check_budget
from longbench_eval.runs.pipeline import RunResult, as_model, check_model, run_opened
from longbench_eval.runs.plan import load_inputs
from longbench_eval.runs.settings import RunSettings
from longbench_eval.scoring import Summary

MEAN_OF_TASKS = "mean of tasks"


class Cut(NamedTuple):
    """How long a prompt may be, in tokens, and where a longer one is cut."""

    max_input_tokens: int
    truncate: str

    def __str__(self) -> str:
        return f"{self.truncate}-{self.max_input_tokens}"


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One run of a sweep.

    Attributes:
        cut: As asked for.
        kept_tokens: M as it was kept: lower than asked where the model holds no more.
        result: The run and its scores.
    """

    cut: Cut
    kept_tokens: int | None
    result: RunResult

    @property
    def summary(self) -> Summary:
        """Its scores."""
        return self.result.summary

    def to_json(self) -> dict[str, Any]:
        """One of the points of `sweep --json`: the scores as of `run --json`, and how prompts were cut."""
        cut = {**self.cut._asdict(), "kept_tokens": self.kept_tokens}
        return {**cut, "run": str(self.result.directory), **self.summary.to_json(counts=True)}

    def records(self) -> Iterator[dict[str, Any]]:
        """A record for each task, category and average that has a score, for charts; `score` is from 0 to 100."""
        about = {**self.cut._asdict(), "kept_tokens": self.kept_tokens, "run": str(self.result.directory)}
        for kind, name, score in _scores(self.summary):
            yield {**about, "kind": kind, "name": name, "score": score}


@dataclass(frozen=True, slots=True)
class Sweep:
    """All runs of a sweep, by the way prompts are cut, then by M."""

    points: tuple[SweepPoint, ...]

    def records(self) -> list[dict[str, Any]]:
        """The records of all points."""
        return [record for point in self.points for record in point.records()]

    @property
    def failed(self) -> int:
        """Rows without an answer."""
        return sum(point.summary.failed for point in self.points)

    def to_json(self) -> dict[str, Any]:
        """The object that `sweep --json` prints."""
        return {"headline": self.headline, "points": [point.to_json() for point in self.points]}

    @property
    def headline(self) -> str:
        """The one score that stands for a run: `All` where every run has it, else the mean of its tasks."""
        overall = all(point.summary.averages["All"].value is not None for point in self.points)
        return "All" if overall else MEAN_OF_TASKS


def sweep(
    model: str | Model | Generate,
    settings: RunSettings,
    budgets: Sequence[int],
    truncations: Sequence[str] = (),
    *,
    tokenizer: Any = None,
    batch_size: int | None = None,
    reset: Reset | None = None,
    progress: Progress | None = None,
    announce: Callable[[str], object] | None = None,
) -> Sweep:
    """Run, finish or reuse a run for each M; see `run`. The model is opened once, for the largest M.

    Args:
        model: As for `run`.
        settings: For every run, but for M; `out` is the folder in which each run gets a directory, such as
            `middle-2000`. Without it they lie where `run` with that M puts them.
        budgets: The values of M, in tokens.
        truncations: Where prompts are cut: of `middle`, `left` and `right`; by default as the settings say.
        tokenizer: As for `run`.
        batch_size: As for `run`.
        reset: As for `run`.
        progress: Told of every row; silent by default.
        announce: Called with a line for people before each run.

    Raises:
        LongBenchError: As `run` does. Runs that were finished before stay.
    """
    cuts = _cuts(settings, budgets, truncations)
    of_function = {"tokenizer": tokenizer, "batch_size": batch_size, "reset": reset}
    check_model(model, of_function, settings)
    inputs = load_inputs(settings)
    largest = replace(settings, max_input_tokens=max(cut.max_input_tokens for cut in cuts))
    told = NotesOnce(progress or Progress())
    with closing(as_model(model, of_function, largest, inputs)) as opened:
        points = []
        for number, cut in enumerate(cuts, 1):
            if announce:
                announce(f"M = {cut.max_input_tokens}, {cut.truncate} ({number} of {len(cuts)})")
            # A run closes what changes its contexts.
            fresh = replace(inputs, change=open_change(settings))
            result = run_opened(opened, _at(settings, cut), fresh, told)
            kept = load_manifest(result.directory).identity.get("max_input_tokens")
            points.append(SweepPoint(cut, kept, result))
        return Sweep(tuple(points))


def _cuts(settings: RunSettings, budgets: Sequence[int], truncations: Sequence[str]) -> list[Cut]:
    """Every M with every way to cut, each once, checked before anything is read."""
    if settings.max_input_tokens is not None:
        raise UsageError(f"max_input_tokens is {settings.max_input_tokens}; a sweep takes its values of M as budgets.")
    if not budgets:
        raise UsageError("No M is given; expected some, such as --max-input-tokens 2000,4000,8000.")
    for tokens in budgets:
        check_budget(tokens)
    for name in truncations:
        if name not in TRUNCATIONS:
            raise unknown_name("truncation", name, TRUNCATIONS)
    ways = dict.fromkeys(truncations or (settings.truncate,))
    return [Cut(tokens, way) for way in ways for tokens in sorted(set(budgets))]


def _at(settings: RunSettings, cut: Cut) -> RunSettings:
    out = None if settings.out is None else settings.out / str(cut)
    return replace(settings, max_input_tokens=cut.max_input_tokens, truncate=cut.truncate, out=out)


def _scores(summary: Summary) -> Iterator[tuple[str, str, float]]:
    """Kind, name and value of everything that has a score."""
    for name, task in summary.tasks.items():
        if task.value is not None:
            yield "own task" if summary.suite.is_own(name) else "task", name, task.value
    for kind, averages in (("category", summary.categories), ("average", summary.named_averages)):
        yield from ((kind, name, part.value) for name, part in averages.items() if part.value is not None)
    if (mean := _mean_of_tasks(summary)) is not None:
        yield "average", MEAN_OF_TASKS, mean


def _mean_of_tasks(summary: Summary) -> float | None:
    """Over the LongBench tasks, or, where there are none, over the user's own."""
    official = [task.value for name, task in summary.tasks.items() if not summary.suite.is_own(name)]
    values = official or [task.value for task in summary.tasks.values()]
    scored = [value for value in values if value is not None]
    return fmean(scored) if scored else None
