"""Whether runs are the same measurement: what is refused, and what is only named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from longbench_eval.comparison.entries import Entry
from longbench_eval.errors import UsageError

# How many tasks and rows there are is told row by row.
_TOLD_ELSEWHERE = frozenset({"tasks", "limit"})
_SAME_ROWS = frozenset({"official", "answers-agree"})
_FORCE = "--allow-mismatch"


def check_comparable(entries: Sequence[Entry], *, allow_mismatch: bool) -> list[str]:
    """Name what differs between runs.

    Returns:
        A line for each difference that a reader must know.

    Raises:
        UsageError: They measure different things: another suite, other rows, other prompts.
    """
    first, named = entries[0], list(_unknown(entries))
    for other in entries[1:]:
        _check_suite(first, other)
        refused = [*_other_prompts(first, other), *_other_rows(first, other)]
        if refused and not allow_mismatch:
            raise UsageError(
                f"{first.name} and {other.name} are not the same measurement: {'; '.join(refused)}. Run both on the "
                f"same rows and prompts, or compare them all the same with {_FORCE}, which the table will say."
            )
        named += [f"not the same measurement: {line}" for line in refused]
    return [*named, *_differing(entries)]


def _check_suite(first: Entry, other: Entry) -> None:
    ours, theirs = first.summary.suite.name, other.summary.suite.name
    if ours != theirs:
        raise UsageError(
            f"{first.name} holds predictions of {ours}, {other.name} of {theirs}: different rows. "
            "Compare runs of one suite."
        )


def _other_prompts(first: Entry, other: Entry) -> Iterator[str]:
    ours, theirs = (entry.submission.signature.choices.get("prompts") for entry in (first, other))
    if ours and theirs and ours != theirs:
        yield f"prompts: {ours} in {first.letter}, {theirs} in {other.letter}"


def _other_rows(first: Entry, other: Entry) -> Iterator[str]:
    """Rows of other bytes are the same rows only where both are proved to be LongBench's."""
    tasks = [task for task in first.data if task in other.data and _differ(first, other, task)]
    if tasks:
        yield f"other data for {', '.join(tasks)}"


def _differ(first: Entry, other: Entry, task: str) -> bool:
    ours, theirs = first.data[task], other.data[task]
    try:
        return ours["sha256"] != theirs["sha256"] and not {ours["proof"], theirs["proof"]} <= _SAME_ROWS
    except (KeyError, TypeError):
        return True


def _unknown(entries: Sequence[Entry]) -> Iterator[str]:
    letters = [entry.letter for entry in entries if entry.submission.run is None]
    if letters:
        yield f"prompts, truncation and decoding unknown: {', '.join(letters)} (no run directory)"


def _differing(entries: Sequence[Entry]) -> Iterator[str]:
    """Choices that are known of several runs and differ; different models are what one compares."""
    choices = [entry.submission.signature.choices for entry in entries]
    for field in dict.fromkeys(name for known in choices for name in known):
        values = {entry.letter: known[field] for entry, known in zip(entries, choices, strict=True) if field in known}
        if field not in _TOLD_ELSEWHERE and field != "prompts" and len(set(values.values())) > 1:
            yield f"{field} differs: {', '.join(f'{value} in {letter}' for letter, value in values.items())}"
