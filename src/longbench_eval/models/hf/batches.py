"""Which requests are answered together. Plain arithmetic over token ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from longbench_eval.records import Request

# Below this a prefix is an instruction, not a context: computing it costs less than keeping it.
LEAST_SHARED_TOKENS = 64
# So many batches are taken ahead, to be sorted by length.
BATCHES_AHEAD = 16


class Rule(NamedTuple):
    """How an answer ends: all rows of a batch have one."""

    max_new_tokens: int
    min_new_tokens: int
    stop_at_newline: bool


@dataclass(frozen=True, slots=True)
class Batch:
    """Requests answered at once; the first `shared` ids of all of them are the same, and worth computing once."""

    requests: tuple[Request, ...]
    shared: int = 0

    @property
    def rule(self) -> Rule:
        """The rule of its rows."""
        return rule_of(self.requests[0])

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """Token ids, a tuple a request."""
        return [ids_of(request) for request in self.requests]

    def parts(self, size: int) -> list[Batch]:
        """The same rows in batches of at most `size`; a row alone shares nothing within its batch."""
        pieces = [self.requests[at : at + size] for at in range(0, len(self.requests), size)]
        return [Batch(piece, self.shared if len(piece) > 1 else 0) for piece in pieces]


def ids_of(request: Request) -> tuple[int, ...]:
    """A request's token ids."""
    return request.prompt.token_ids or ()


def rule_of(request: Request) -> Rule:
    """How a request's answer ends."""
    return Rule(request.max_new_tokens, request.min_new_tokens, request.stop_at_newline)


def common_prefix(one: Sequence[int], other: Sequence[int]) -> int:
    """How many ids two rows share from the beginning."""
    shortest = min(len(one), len(other))
    if one[:shortest] == other[:shortest]:
        return shortest
    return next(at for at in range(shortest) if one[at] != other[at])


def worth_sharing(shared: int, length: int) -> bool:
    """Whether a prefix of `shared` tokens is worth keeping for a prompt of `length`."""
    return shared >= max(LEAST_SHARED_TOKENS, length // 8)


def windows(requests: Iterable[Request], size: int) -> Iterator[list[Request]]:
    """Requests as many at a time as are sorted together; one by one, nothing is taken ahead."""
    left = iter(requests)
    while window := list(islice(left, 1 if size == 1 else size * BATCHES_AHEAD)):
        yield window


def plan_batches(requests: Sequence[Request], size: int, sharing: bool) -> list[Batch]:
    """Put rows over one context together, the others by length: the longest first, so that memory fails early.

    Args:
        requests: Rows that share a context stand one after another.
        size: Rows in a batch at most.
        sharing: Whether a prefix may be computed once for several rows.
    """
    groups = list(_by_context(requests)) if sharing else [[request] for request in requests]
    batches = [batch for group in groups if len(group) > 1 for batch in _over_context(group, size)]
    alone = [group[0] for group in groups if len(group) == 1]
    for rule in dict.fromkeys(map(rule_of, alone)):
        rows = sorted((request for request in alone if rule_of(request) == rule), key=lambda r: -len(ids_of(r)))
        batches += Batch(tuple(rows)).parts(size)
    return batches


def _over_context(group: list[Request], size: int) -> list[Batch]:
    shared = shared_by(group)
    return Batch(tuple(sorted(group, key=lambda request: -len(ids_of(request)))), shared).parts(size)


def shared_by(group: Sequence[Request]) -> int:
    """The ids that all rows share, the last of the shortest left out: something must remain to be asked."""
    first = ids_of(group[0])
    return min(*(common_prefix(first, ids_of(other)) for other in group[1:]), *(len(ids_of(r)) - 1 for r in group))


def _by_context(requests: Sequence[Request]) -> Iterator[list[Request]]:
    """Runs of neighbours that all share a prefix worth keeping."""
    group: list[Request] = []
    for request in requests:
        if group and not _belongs(group, request):
            yield group
            group = []
        group.append(request)
    if group:
        yield group


def _belongs(group: list[Request], request: Request) -> bool:
    longest = max(len(ids_of(group[0])), len(ids_of(request)))
    same = rule_of(group[0]) == rule_of(request)
    return same and worth_sharing(shared_by([group[0], request]), longest)
