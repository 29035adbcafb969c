"""Splitting a run over machines, which need not know of each other: the rows alone decide which part has which."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from longbench_eval.errors import UsageError
from longbench_eval.generate.order import groups_of, work_of
from longbench_eval.records import Example


class Shard(NamedTuple):
    """One of `of` parts; `number` counts from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def parse_shard(text: str) -> Shard:
    """Read `i/n`.

    Raises:
        UsageError: It is something else, or there is no such part.
    """
    index, slash, count = text.partition("/")
    if slash and index.isdecimal() and count.isdecimal() and 1 <= int(index) <= int(count):
        return Shard(int(index), int(count))
    raise UsageError(f"--shard is {text!r}; expected i/n with i from 1 to n, such as --shard 1/4.")


def part_of(examples: Iterable[Example], shard: Shard) -> set[str]:
    """The ids of one part of a task's rows: as much work as the others, and no context is in two parts.

    The group with the most work left goes to the part with the least so far; of equals to the first.
    """
    loads = [0] * shard.of
    mine: set[str] = set()
    for group in sorted(groups_of(examples), key=work_of, reverse=True):
        part = loads.index(min(loads))
        loads[part] += work_of(group)
        if part == shard.number - 1:
            mine.update(example.id for example in group)
    return mine
