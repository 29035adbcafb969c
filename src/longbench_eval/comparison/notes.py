"""What a reader of a comparison must know, one line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from longbench_eval.comparison.entries import Entry
from longbench_eval.comparison.pairing import Pairing


def notes_of(entries: Sequence[Entry], pairings: Mapping[str, Pairing], differing: Sequence[str]) -> Iterator[str]:
    """How rows were paired and clustered, what differs, what was left out, and the warnings of each run."""
    yield from differing
    yield _pairing(pairings)
    yield _clusters(pairings)
    yield from _left_out(entries, pairings)
    yield from _tasks_left_out(entries, pairings)
    for entry in entries:
        yield from (f"{entry.letter}: {warning}" for warning in entry.summary.warnings)


def _pairing(pairings: Mapping[str, Pairing]) -> str:
    by_ids = [task for task, pairing in pairings.items() if pairing.how == "ids"]
    if len(by_ids) == len(pairings):
        return "rows are paired by id"
    rest = "rows are paired by answers, length and occurrence"
    return f"{rest}; by id in {', '.join(by_ids)}" if by_ids else rest


def _clusters(pairings: Mapping[str, Pairing]) -> str:
    known = [task for task, pairing in pairings.items() if pairing.contexts_known]
    if not known:
        return "contexts are unknown: rows count as independent (--data tells which share a context)"
    shared = [task for task in known if len(set(pairings[task].clusters)) < pairings[task].n]
    told = f"rows of one context are kept together: {', '.join(shared) if shared else 'no task has any'}"
    unknown = [task for task in pairings if task not in known]
    return f"{told}; contexts are unknown in {', '.join(unknown)}" if unknown else told


def _left_out(entries: Sequence[Entry], pairings: Mapping[str, Pairing]) -> Iterator[str]:
    """Rows that only one side has, or that have no answer."""
    for number, entry in enumerate(entries):
        for what, counts in (
            ("rows without counterpart", {task: one.left_out[number] for task, one in pairings.items()}),
            ("rows without an answer", {task: one.failed[number] for task, one in pairings.items()}),
        ):
            if some := ", ".join(f"{task} {count}" for task, count in counts.items() if count):
                yield f"{what} in {entry.letter}, not compared: {some}"


def _tasks_left_out(entries: Sequence[Entry], pairings: Mapping[str, Pairing]) -> Iterator[str]:
    for entry in entries:
        if only := [task for task in entry.summary.tasks if task not in pairings]:
            yield f"tasks of {entry.letter} that are not compared: {', '.join(only)}"
