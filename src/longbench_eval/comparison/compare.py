"""Comparing runs: read, pair, resample, and say what is not comparable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from longbench_eval.comparison.cells import MEAN_OF_TASKS, paired_cells, sums_of
from longbench_eval.comparison.comparable import check_comparable
from longbench_eval.comparison.contexts import NO_CONTEXTS, load_contexts
from longbench_eval.comparison.effects import Workbench, sign_draws
from longbench_eval.comparison.entries import Entry, read_entries
from longbench_eval.comparison.families import correct
from longbench_eval.comparison.notes import notes_of
from longbench_eval.comparison.pairing import Pairing, pair
from longbench_eval.comparison.records import Comparison, Side
from longbench_eval.errors import DataError
from longbench_eval.scoring import get_profile
from longbench_eval.scoring.clusters import clusters_choice
from longbench_eval.scoring.intervals import check_resampling
from longbench_eval.signature import Signature
from longbench_eval.stats import Resampling
from longbench_eval.tasks import Suite

_HEADLINES = ("All", "EN", "ZH", MEAN_OF_TASKS)


@dataclass(frozen=True, slots=True)
class CompareSettings:
    """What a user decides about a comparison.

    Attributes:
        profile: How to score; a name in `PROFILES`.
        tasks: Which tasks; None for all that every run has.
        data: Where the rows lie, to tell which of them share a context where the predictions do not say.
        allow_mismatch: Compare also runs on other rows or prompts; the notes say so.
        resampling: Seed, number of resamples, level.
    """

    profile: str = "official"
    tasks: tuple[str, ...] | None = None
    data: Path | None = None
    allow_mismatch: bool = False
    resampling: Resampling = field(default_factory=Resampling)


def compare(*paths: str | Path, settings: CompareSettings = CompareSettings()) -> Comparison:
    """Compare runs with the first of them, over the rows that all have.

    Args:
        paths: Run directories, or folders of official-format predictions.
        settings: How.

    Raises:
        UsageError: A setting is impossible, or the runs are not the same measurement.
        DataError: There are no predictions, a line is broken, or no row is common.
    """
    check_resampling(settings.resampling)
    entries = read_entries([Path(path) for path in paths], get_profile(settings.profile))
    differing = check_comparable(entries, allow_mismatch=settings.allow_mismatch)
    pairings = _pairings(entries, settings)
    items = sums_of(entries, pairings)
    headline = next(name for name in _HEADLINES if any(one.name == name and one.weights for one in items))
    found = Workbench(paired_cells(entries, pairings), settings.resampling).items(items)
    return Comparison(
        signature=_signature(entries, pairings, settings),
        suite=entries[0].summary.suite,
        profile=settings.profile,
        resampling=settings.resampling,
        sides=tuple(Side(one.letter, one.name, one.path, str(one.summary.signature)) for one in entries),
        items=tuple(correct(found, headline, settings.resampling.tail)),
        headline=headline,
        notes=tuple(notes_of(entries, pairings, differing)),
    )


def _pairings(entries: Sequence[Entry], settings: CompareSettings) -> dict[str, Pairing]:
    """The paired rows of every task that all runs have; one without common rows is left out."""
    suite = entries[0].summary.suite
    tasks = [task for task in suite.select(settings.tasks) if all(task in entry.summary.tasks for entry in entries)]
    contexts = load_contexts(suite, tasks, settings.data) if settings.data else {}
    files = {task: [entry.summary.tasks[task].rows for entry in entries] for task in tasks}
    pairings = {task: pair(rows, contexts.get(task, NO_CONTEXTS)) for task, rows in files.items()}
    found = {task: pairing for task, pairing in pairings.items() if pairing.n}
    if not found:
        names = " and ".join(entry.name for entry in entries)
        raise DataError(
            f"{names} have no row in common (by id, or by answers and length); expected answers to the same rows"
            f"{' of ' + ', '.join(settings.tasks) if settings.tasks else ''}."
        )
    return found


def _signature(entries: Sequence[Entry], pairings: Mapping[str, Pairing], settings: CompareSettings) -> Signature:
    suite: Suite = entries[0].summary.suite
    profile, resampling = get_profile(settings.profile), settings.resampling
    return Signature(
        suite.name,
        {
            "compare": "paired",
            "tasks": str(len(pairings)),
            "profile": profile.name,
            "edit": profile.edit,
            "clusters": clusters_choice(pairing.contexts_known for pairing in pairings.values()),
            "boot": str(resampling),
            "test": f"signs-{replace(resampling, resamples=sign_draws(resampling, len(entries)))}",
            "correction": "holm",
            "level": f"{resampling.level:g}",
        },
    )
