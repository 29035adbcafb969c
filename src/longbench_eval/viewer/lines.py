"""One predictions file as an index: where each line is, and the few numbers that tables are made of; no texts."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from longbench_eval.dataset.official import row_digest
from longbench_eval.errors import DataError
from longbench_eval.predictions import Prediction, parse_prediction
from longbench_eval.viewer.finding import Stamp, stamp_of

NONE = -1  # for a number that is not known, in arrays of whole numbers
_MOST_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that cannot be read."""

    line: int
    text: str


@dataclass(frozen=True)
class Lines:
    """The readable lines of a file; position `i` is the same row in every array.

    Attributes:
        path: The file.
        stamp: Its time and size when it was read.
        numbers: Line numbers, from 1.
        offsets: Where each line begins, in bytes.
        sizes: Its length in bytes.
        lengths: The rows' stored lengths, or -1.
        tokens: Tokens of the prompts, or -1.
        ids: Hashes of the rows' ids, or 0.
        digests: Of answers and length, in 12 hexadecimal digits, then how many rows before share it.
        problems: Lines that cannot be read, the first 50.
        torn: Whether the beginning of another line stands at the end: a run is writing it, or was killed.
    """

    path: Path
    stamp: Stamp
    numbers: Sequence[int]
    offsets: Sequence[int]
    sizes: Sequence[int]
    lengths: Sequence[int]
    tokens: Sequence[int]
    ids: Sequence[int]
    digests: Sequence[int]
    problems: tuple[Problem, ...] = ()
    torn: bool = False

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def has_ids(self) -> bool:
        """Whether every row has an id."""
        return len(self) > 0 and all(self.ids)

    def keys(self, by_id: bool) -> Sequence[int]:
        """What rows of several files are told apart by."""
        return self.ids if by_id else self.digests

    def position_of(self, line: int) -> int | None:
        """The position of a line number."""
        at = bisect_left(self.numbers, line)
        return at if at < len(self) and self.numbers[at] == line else None

    def read(self, position: int) -> Prediction:
        """Read one row from the file.

        Raises:
            DataError: The file has changed meanwhile.
        """
        return next(self.read_many([position]))

    def read_many(self, positions: Sequence[int]) -> Iterator[Prediction]:
        """Read rows one after the other; see `read`."""
        with self.path.open("rb") as file:
            for position in positions:
                file.seek(self.offsets[position])
                line = self.numbers[position]
                raw = file.read(self.sizes[position])
                yield replace(parse_prediction(raw, f"{self.path.name}, line {line}"), line=line)


@dataclass
class _Columns:
    """`Lines` while they are being read."""

    numbers: array[int] = field(default_factory=lambda: array("I"))
    offsets: array[int] = field(default_factory=lambda: array("Q"))
    sizes: array[int] = field(default_factory=lambda: array("Q"))
    lengths: array[int] = field(default_factory=lambda: array("q"))
    tokens: array[int] = field(default_factory=lambda: array("q"))
    ids: array[int] = field(default_factory=lambda: array("Q"))
    digests: array[int] = field(default_factory=lambda: array("Q"))
    seen: Counter[int] = field(default_factory=Counter)

    def add(self, number: int, offset: int, raw: bytes, row: Prediction) -> None:
        self.numbers.append(number)
        self.offsets.append(offset)
        self.sizes.append(len(raw))
        self.lengths.append(_small(row.length))
        self.tokens.append(_small(row.extra.get("prompt_tokens")))
        self.ids.append(id_key(row.id))
        self.digests.append(digest_key(row.answers, row.length, self.seen))

    def arrays(self) -> Mapping[str, array[int]]:
        return {name: value for name, value in vars(self).items() if name != "seen"}


def read_lines(path: Path) -> Lines:
    """Go through a predictions file once, line by line; broken lines are noted and left out.

    Raises:
        OSError: It cannot be read.
    """
    stamp, columns, problems, offset, torn = stamp_of(path), _Columns(), list[Problem](), 0, False
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            try:
                if raw.strip():
                    columns.add(number, offset, raw, parse_prediction(raw, f"line {number}"))
            except (DataError, OverflowError) as error:
                torn = not raw.endswith(b"\n")
                if not torn and len(problems) < _MOST_PROBLEMS:
                    problems.append(Problem(number, str(error)))
            offset += len(raw)
    return Lines(path, stamp, **columns.arrays(), problems=tuple(problems), torn=torn)


def id_key(id_: str | None) -> int:
    """A 64-bit key of a row's id; 0 for none."""
    return 0 if id_ is None else hash(id_) & 0xFFFF_FFFF_FFFF_FFFF or 1


def digest_key(answers: Sequence[str], length: int | None, seen: Counter[int]) -> int:
    """A 60-bit key of a row's answers and length, and of how many rows before it have the same."""
    digest = int(row_digest(answers, length), 16)
    earlier = min(seen[digest], 0xFFF)
    seen[digest] += 1
    return digest << 12 | earlier


def _small(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else NONE
