"""Which rows of the benchmark a predictions file holds: told by digests of answers and length.

The digests prove nothing about contexts, but they tell LongBench from LongBench-E, and find missing, doubled and
foreign rows in files of any tool, whatever their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from longbench_eval.dataset.official import official_digests, row_digest
from longbench_eval.predictions import Prediction
from longbench_eval.tasks import Suite, get_suite


@dataclass(frozen=True, slots=True)
class Census:
    """The rows of one predictions file against those expected.

    Attributes:
        expected_n: How many rows the suite has.
        missing: Row numbers (from 0, in the data file) that the file lacks; empty when rows cannot be told.
        doubled: Positions (from 0) of lines that repeat a row already seen.
        foreign: Positions of lines that are not rows of this task.
    """

    expected_n: int
    missing: tuple[int, ...] = ()
    doubled: tuple[int, ...] = ()
    foreign: tuple[int, ...] = ()


def expected_digests(suite: Suite, task: str) -> tuple[str, ...] | None:
    """Digests of the suite's rows of a task, in file order; None for a suite without official rows."""
    if not suite.is_longbench:
        return None
    digests = official_digests(suite.file_name(task).removesuffix(".jsonl"))
    return tuple(digests[i] for i in suite.row_numbers[task]) if suite.row_numbers else digests


def digest_of(row: Prediction) -> str | None:
    """The digest of a prediction's answers and length; None where no length was recorded."""
    return None if row.length is None else row_digest(row.answers, row.length)


def take_census(suite: Suite, task: str, rows: Sequence[Prediction]) -> Census:
    """Compare a file's rows with the suite's."""
    expected, digests = expected_digests(suite, task), [digest_of(row) for row in rows]
    if expected is None or not set(digests) & set(expected):
        return _census_by_id(suite.counts[task], rows)
    left, known = Counter(expected), set(expected)
    doubled, foreign = [], []
    for position, digest in enumerate(digests):
        if digest is None or digest not in known:
            foreign.append(position)
        elif left[digest] == 0:
            doubled.append(position)
        else:
            left[digest] -= 1
    return Census(suite.counts[task], _still_missing(expected, left), tuple(doubled), tuple(foreign))


def _still_missing(expected: Sequence[str], left: Counter[str]) -> tuple[int, ...]:
    # Of rows that share a digest, the later ones count as missing.
    missing = []
    for number in range(len(expected) - 1, -1, -1):
        if left[expected[number]] > 0:
            left[expected[number]] -= 1
            missing.append(number)
    return tuple(reversed(missing))


def _census_by_id(expected_n: int, rows: Sequence[Prediction]) -> Census:
    """Rows that are not LongBench's (the demo, unofficial data): only repeated ids can be told."""
    seen: set[str] = set()
    doubled = []
    for position, row in enumerate(rows):
        if row.id is not None and row.id in seen:
            doubled.append(position)
        seen.add(row.id or "")
    return Census(expected_n, doubled=tuple(doubled))


def tell_suite(files: Mapping[str, Sequence[Prediction]], named_e: bool) -> tuple[Suite, bool]:
    """Tell LongBench from LongBench-E by the rows, in incomplete and reordered files too.

    Args:
        files: Predictions by task.
        named_e: Whether the file names end in `_e`, which decides only where no row is known.

    Returns:
        The suite, and whether any row is one of its.
    """
    votes = {name: _known_rows(get_suite(name), files) for name in ("longbench", "longbench-e")}
    if votes["longbench"] == votes["longbench-e"]:
        return get_suite("longbench-e" if named_e else "longbench"), votes["longbench"] > 0
    return get_suite(max(votes, key=lambda name: votes[name])), True


def _known_rows(suite: Suite, files: Mapping[str, Sequence[Prediction]]) -> int:
    known = 0
    for task in suite.select(None):
        expected = Counter(expected_digests(suite, task) or ())
        found = Counter(digest for row in files.get(task, ()) if (digest := digest_of(row)))
        known += (expected & found).total()
    return known
