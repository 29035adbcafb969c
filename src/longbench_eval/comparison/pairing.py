"""Which rows of several runs answer the same question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from longbench_eval.comparison.contexts import NO_CONTEXTS, Contexts
from longbench_eval.dataset.official import row_digest
from longbench_eval.predictions import Prediction

How = Literal["ids", "digests"]


class Key(NamedTuple):
    """A row's id or digest, and how many rows with the same came before it in its file."""

    name: str
    occurrence: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """The rows that all runs have answered, in an order that does not depend on the files'.

    Attributes:
        how: By ids, or by digests of answers and length.
        positions: For each run the positions of these rows in its file.
        clusters: For each row what it belongs to: its context where known, else the row itself.
        contexts_known: Whether the context of every row is known.
        left_out: For each run how many rows have no counterpart.
        failed: For each run how many rows have no answer; they are not compared.
    """

    how: How
    positions: tuple[tuple[int, ...], ...]
    clusters: tuple[str, ...]
    contexts_known: bool
    left_out: tuple[int, ...]
    failed: tuple[int, ...]

    @property
    def n(self) -> int:
        """How many rows are compared."""
        return len(self.clusters)


def pair(files: Sequence[Sequence[Prediction]], contexts: Contexts = NO_CONTEXTS) -> Pairing:
    """Pair the rows of one task.

    By ids where every row has one and the runs share some; else by answers and length, and among rows that have the
    same ones (a handful of the benchmark) by their order. Line numbers say nothing: runs have their rows in different
    orders.
    """
    how: How = "ids" if _share_ids(files) else "digests"
    name_of = _namer(files, how)
    found = [_positions(rows, name_of) for rows in files]
    common = sorted(set(found[0]).intersection(*found[1:]))
    known = [_context(files, found, key, contexts) for key in common]
    failed = tuple(sum(row.failed for row in rows) for rows in files)
    return Pairing(
        how=how,
        positions=tuple(tuple(positions[key] for key in common) for positions in found),
        clusters=tuple(context or f"row {key.name}" for key, context in zip(common, known, strict=True)),
        contexts_known=all(known),
        left_out=tuple(len(rows) - lost - len(common) for rows, lost in zip(files, failed, strict=True)),
        failed=failed,
    )


def _share_ids(files: Sequence[Sequence[Prediction]]) -> bool:
    ids = [{row.id for row in rows} for rows in files]
    return all(None not in some for some in ids) and bool(set.intersection(*ids))


def _namer(files: Sequence[Sequence[Prediction]], how: How) -> Callable[[Prediction], str]:
    if how == "ids":
        return lambda row: row.id or ""
    # Some tools leave the length out.
    whole = all(row.length is not None for rows in files for row in rows)
    return lambda row: row_digest(row.answers, row.length if whole else None)


def _positions(rows: Sequence[Prediction], name_of: Callable[[Prediction], str]) -> dict[Key, int]:
    before: Counter[str] = Counter()
    found: dict[Key, int] = {}
    for position, row in enumerate(rows):
        name = name_of(row)
        if not row.failed:
            found[Key(name, before[name])] = position
        before[name] += 1
    return found


def _context(
    files: Sequence[Sequence[Prediction]], found: Sequence[dict[Key, int]], key: Key, contexts: Contexts
) -> str | None:
    """The hash of a row's context from whichever run knows it, else from the data."""
    rows = [file[positions[key]] for file, positions in zip(files, found, strict=True)]
    on_record = next((row.context_sha256 for row in rows if row.context_sha256), None)
    return on_record or next((told for row in rows if (told := contexts.of(row, key.occurrence))), None)
