"""Rows that stand in a file more than once: copies, and whole runs one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from longbench_eval.dataset.official import official_digests, row_digest
from longbench_eval.predictions import Prediction
from longbench_eval.tasks import Suite


def names_of(rows: Sequence[Prediction]) -> list[str]:
    """What tells a row from the others: its id, else a digest of its answers and length."""
    return [row.id or row_digest(row.answers, row.length) for row in rows]


def repeated(suite: Suite, task: str, names: Iterable[str]) -> list[int]:
    """Positions of the rows that came before; the few official rows that share a digest are no copies."""
    allowed, seen = _allowed(suite, task), Counter[str]()
    copies = []
    for position, name in enumerate(names):
        seen[name] += 1
        if seen[name] > allowed.get(name, 1):
            copies.append(position)
    return copies


def runs_in(suite: Suite, task: str, names: Sequence[str]) -> list[range]:
    """Cut a file into runs: one begins with the first row that the one before already has."""
    starts = [0, *_starts(suite, task, names), len(names)]
    return [range(start, stop) for start, stop in pairwise(starts)]


def _starts(suite: Suite, task: str, names: Sequence[str]) -> Iterator[int]:
    allowed, seen = _allowed(suite, task), Counter[str]()
    for position, name in enumerate(names):
        if seen[name] >= allowed.get(name, 1):
            yield position
            seen.clear()
        seen[name] += 1


def _allowed(suite: Suite, task: str) -> Counter[str]:
    """How often the data have each digest."""
    if not suite.is_longbench:
        return Counter()
    digests = official_digests(suite.file_name(task).removesuffix(".jsonl"))
    numbers = suite.row_numbers[task] if suite.row_numbers else range(len(digests))
    return Counter(digests[number] for number in numbers)


def in_words(numbers: Sequence[int], most: int = 3) -> str:
    """Ascending numbers as people write them: `0 to 2, 7 and 5 more`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    shown = [f"{part[0]} to {part[-1]}" if len(part) > 1 else str(part[0]) for part in parts[:most]]
    more = sum(map(len, parts[most:]))
    return ", ".join(shown) + (f" and {more} more" if more else "")
