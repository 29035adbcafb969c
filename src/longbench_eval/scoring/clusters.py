"""Which rows depend on each other: those of one context, and repeated ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from longbench_eval.dataset.official import row_digest
from longbench_eval.predictions import Prediction


def row_key(row: Prediction) -> str:
    """What tells a row from the others of its task: its id, else a digest of answers and length."""
    return row.id if row.id is not None else f"digest {row_digest(row.answers, row.length)}"


def cluster_keys(rows: Sequence[Prediction]) -> list[str]:
    """One key a row: the hash of its context where it is on record, else the row's own."""
    return [row.context_sha256 or row_key(row) for row in rows]


def contexts_known(rows: Sequence[Prediction]) -> bool:
    """Whether every row's context is on record."""
    return all(row.context_sha256 for row in rows)


def clusters_choice(known: Iterable[bool]) -> str:
    """What the signature says of clusters, from whether the contexts of each task are known."""
    found = set(known)
    return "contexts-in-part" if len(found) > 1 else "contexts" if True in found else "rows"
