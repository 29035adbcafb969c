"""The rows of a task as a sequence that reads them when they are wanted.

A run asks one task after another, and orders rows within a task only: the contexts of one task fill memory at a time,
at most 50 MB, instead of the 0.3 GB of all.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import IO, overload

from longbench_eval.dataset.lines import HashedLines
from longbench_eval.dataset.rows import Place, Row, parse_row
from longbench_eval.errors import DataError
from longbench_eval.records import Example
from longbench_eval.tasks import LONGBENCH, Suite


class Examples(Sequence[Example]):
    """Rows of one task, in file order.

    `len` and `ids` read nothing. Each pass over the rows reads them anew, an item reads up to its own; nothing is kept.
    """

    def __init__(
        self, ids: Sequence[str], read: Callable[[], Iterable[Example]], places: Sequence[int] | None = None
    ) -> None:
        """Take the ids of all rows, what reads them in that order, and which of them are meant.

        Args:
            ids: Of all rows that `read` yields.
            read: Called for each pass.
            places: Positions among all rows, from 0, ascending; None for all.
        """
        self._ids, self._read = ids, read
        self._places = range(len(ids)) if places is None else places

    @classmethod
    def held(cls, rows: Sequence[Example]) -> Examples:
        """Rows that are in memory anyway."""
        return cls([row.id for row in rows], lambda: rows)

    @property
    def ids(self) -> list[str]:
        """Their ids."""
        return [self._ids[place] for place in self._places]

    def only(self, ids: Container[str]) -> Examples:
        """Those with one of these ids."""
        return self.at([place for place in self._places if self._ids[place] in ids])

    def at(self, places: Sequence[int]) -> Examples:
        """Those at these positions in the file, from 0, ascending."""
        return Examples(self._ids, self._read, places)

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Example]:
        if self._places:
            rows = enumerate(self._read())
            for place in self._places:
                yield next(row for number, row in rows if number == place)

    @overload
    def __getitem__(self, index: int) -> Example: ...

    @overload
    def __getitem__(self, index: slice) -> Examples: ...

    def __getitem__(self, index: int | slice) -> Example | Examples:
        if isinstance(index, slice):
            return self.at(self._places[index])
        return next(iter(self.at([self._places[index]])))


@dataclass(frozen=True, slots=True)
class Reread:
    """Reads the rows of a file once more: those that were read and judged before, or none.

    Attributes:
        open: Opens the file; None counts as empty.
        where: What it is called in messages.
        task: Whose rows it holds.
        suite: Whose task it is.
        seen: The id that each row got, and the fingerprint of its line.
    """

    open: Callable[[], IO[bytes] | None]
    where: str
    task: str
    suite: Suite
    seen: Sequence[tuple[str, int]]

    def __call__(self) -> Iterator[Example]:
        """Read it.

        Raises:
            DataError: A row is another than before, or gone.
        """
        lines = chain(self._lines(), repeat((0, b"")))
        for (id_, fingerprint), (number, raw) in zip(self.seen, lines, strict=False):
            if hash(raw) != fingerprint:
                raise self._changed(f"has another line {number} now" if number else "ends earlier now")
            yield replace(parse_row(raw, self.task, Place(self.where, number), self.suite).example, id=id_)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        try:
            stream = self.open()
            if stream is not None:
                with stream:
                    yield from HashedLines(stream)
        except (DataError, OSError) as error:
            raise self._changed("can no longer be read") from error

    def _changed(self, how: str) -> DataError:
        return DataError(
            f"{self.where} {how}: it was changed or removed since this command began. Put it back as it was and run "
            "the command again to go on; with other rows it is another run, which needs another --out."
        )


def examples_of(
    rows: Sequence[Row],
    examples: Sequence[Example],
    open_: Callable[[], IO[bytes] | None],
    where: str,
    suite: Suite = LONGBENCH,
) -> Examples:
    """Let go of rows that were read from a file, to read them again when they are wanted.

    Args:
        rows: All of the file, as they were read.
        examples: The same, each with an id of its own.
        open_: Opens the file again, from whatever working directory.
        where: What it is called in messages.
        suite: Whose task it is.
    """
    ids = [example.id for example in examples]
    seen = list(zip(ids, (row.fingerprint for row in rows), strict=True))
    return Examples(ids, Reread(open_, where, examples[0].task, suite, seen))
