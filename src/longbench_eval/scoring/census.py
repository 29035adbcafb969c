"""Which rows of the benchmark a predictions file holds: told by digests of answers and length.

The digests prove nothing about contexts, but they find missing, doubled and foreign rows in files of any tool,
whatever their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from longbench_eval.dataset.official import official_digests, row_digest
from longbench_eval.predictions import Prediction
from longbench_eval.tasks import Suite


@dataclass(frozen=True, slots=True)
class Census:
    """The rows of one predictions file against those of a suite.

    Attributes:
        expected_n: How many rows the suite has.
        distinct_n: How many different rows of the task the file seems to hold.
        found: Their numbers (from 0, in the data file) in the order of the file; empty where rows cannot be told.
        missing: The numbers of the rows it lacks; empty where rows cannot be told.
        doubled: Positions (from 0) of predictions for a row that came before.
        foreign: Positions of predictions for something that is no row of this task.
        published: Whether the rows of the task are LongBench's, so that they can be told by their digests.
    """

    expected_n: int
    distinct_n: int
    found: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()
    doubled: tuple[int, ...] = ()
    foreign: tuple[int, ...] = ()
    published: bool = True

    @property
    def proved(self) -> bool:
        """Whether every prediction answers a row of LongBench, as far as answers and lengths can tell."""
        return bool(self.found) and not self.foreign


def take_census(suite: Suite, task: str, rows: Sequence[Prediction]) -> Census:
    """Find a task's rows in a predictions file. Where not one is known, only repeated ids can be told."""
    left = _numbers(suite, task)
    found, doubled, foreign = [], [], []
    for position, row in enumerate(rows):
        numbers = left.get(digest_of(row))
        if numbers is None:
            foreign.append(position)
        elif not numbers:
            doubled.append(position)
        else:
            found.append(numbers.popleft())
    if not found:
        return _census_by_id(suite.counts[task], rows, published=bool(left))
    missing = sorted(chain.from_iterable(left.values()))
    return Census(suite.counts[task], len(found), tuple(found), tuple(missing), tuple(doubled), tuple(foreign))


def _numbers(suite: Suite, task: str) -> dict[str | None, deque[int]]:
    """The row numbers that have each digest; none for a task without official rows."""
    numbers: dict[str | None, deque[int]] = {}
    if not suite.is_longbench or suite.is_own(task):
        return numbers
    digests = official_digests(suite.file_name(task).removesuffix(".jsonl"))
    for number in suite.row_numbers[task] if suite.row_numbers else range(len(digests)):
        numbers.setdefault(digests[number], deque()).append(number)
    return numbers


def digest_of(row: Prediction) -> str | None:
    """The digest of the row that a prediction answers; None where the file has no length."""
    return None if row.length is None else _digest_of(row.answers, row.length)


# A census is taken for each suite that the rows may be of, and once more to score them.
@lru_cache(maxsize=8192)
def _digest_of(answers: tuple[str, ...], length: int) -> str:
    return row_digest(answers, length)


def _census_by_id(expected_n: int, rows: Sequence[Prediction], *, published: bool) -> Census:
    seen: set[str] = set()
    doubled = []
    for position, row in enumerate(rows):
        if row.id is None:
            continue
        if row.id in seen:
            doubled.append(position)
        seen.add(row.id)
    return Census(expected_n, len(rows) - len(doubled), doubled=tuple(doubled), published=published)
