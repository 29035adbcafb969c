"""The order in which rows are asked: what shares a context together, and the longest first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from longbench_eval.records import Example

Group = Sequence[Example]


def groups_of(examples: Iterable[Example]) -> list[list[Example]]:
    """Rows that share a context, in file order within each group; groups in the order of their first row.

    In multifieldqa_zh, 200 rows share 142 contexts and no two of them are neighbours in the file.
    """
    groups: dict[str, list[Example]] = {}
    for example in examples:
        groups.setdefault(example.context, []).append(example)
    return list(groups.values())


def work_of(group: Group) -> int:
    """Characters a model has to read for a group, whose context it reads once."""
    return len(group[0].context) + sum(len(example.input) for example in group)


def schedule(examples: Iterable[Example], lanes: int = 1) -> Iterator[Example]:
    """Order rows for a model that answers so many at once.

    The longest groups come first, so that at the end all lanes run dry together. As long as there are others, rows of
    one context do not stand side by side: the first must have been read before a prefix cache can serve the second.
    With one lane they come one right after another.
    """
    waiting = deque(sorted(groups_of(examples), key=work_of, reverse=True))
    running: list[deque[Example]] = []
    while waiting or running:
        room = max(1, lanes) - len(running)
        # New ones go first: the last row asked is of one of the others.
        running = [deque(waiting.popleft()) for _ in range(min(room, len(waiting)))] + running
        for lane in running:
            yield lane.popleft()
        running = [lane for lane in running if lane]
