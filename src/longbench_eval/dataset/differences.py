"""Where a file's rows first part from the official ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

DifferenceKind = Literal["missing", "doubled", "moved", "different"]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first row that is not as expected; `row` counts from 0, in the file and in LongBench alike."""

    kind: DifferenceKind
    row: int
    detail: str


def first_difference(found: Sequence[str | None], expected: Sequence[str]) -> Difference | None:
    """Compare row digests in file order; None when all agree.

    A few rows share a digest, so what is missing or doubled is decided by counts, not by looking a digest up.

    Args:
        found: The file's digests; None for a row without one.
        expected: LongBench's.
    """
    row = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), None)
    if row is None:
        if len(found) == len(expected):
            return None
        row = min(len(found), len(expected))
    if row == len(found):
        return Difference("missing", row, f"the file ends after {row} rows")
    return _classify(row, found, expected)


def _classify(row: int, found: Sequence[str | None], expected: Sequence[str]) -> Difference:
    digest = found[row]
    if digest is None:
        return Difference("different", row, "it stores no length")
    if digest not in expected:
        return Difference("different", row, "its answers or its length are not LongBench's")
    home = expected.index(digest)
    here, official = Counter(found), Counter(expected)
    if found[:row].count(digest) == official[digest]:
        return Difference("doubled", row, f"it is LongBench's row {home} again")
    home = expected.index(digest, row) if digest in expected[row:] else home
    if row < len(expected) and here[expected[row]] < official[expected[row]]:
        return Difference("missing", row, f"LongBench's row {home} stands in its place")
    if here[digest] > official[digest]:
        return Difference("doubled", row, f"it is LongBench's row {home}, which the file holds more than once")
    return Difference("moved", row, f"it is LongBench's row {home}")
