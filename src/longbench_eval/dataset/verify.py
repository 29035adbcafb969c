"""Is a task file LongBench's? The one place that decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from longbench_eval.dataset.differences import Difference, first_difference
from longbench_eval.dataset.lines import HashedLines
from longbench_eval.dataset.official import Facts, official_facts
from longbench_eval.dataset.rows import Row, parse_rows
from longbench_eval.dataset.sources import Source, open_data
from longbench_eval.errors import DataError, UsageError
from longbench_eval.tasks import get_suite

Proof = Literal["official", "answers-agree", "unofficial", "demo", "own"]
State = Literal["exact", "answers-agree", "different", "absent"]
ALL_SUITES = ("longbench", "longbench-e")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one task file proved to be.

    Attributes:
        stem: The file's name without `.jsonl`, e.g. `"qasper_e"`.
        state: `exact`: the official bytes, but for CRLF line ends. `answers-agree`: other bytes, the official answers
            and lengths row by row; the contexts are unproved. `different`: not LongBench. `absent`: no such file.
        detail: One clause for people; for `different` the first row that is missing, doubled, moved or different.
        where: The file, for people.
        rows: How many rows were read.
        expected_rows: How many LongBench has.
        size: In bytes, as it lies there.
        sha256: Of its bytes with LF line ends; empty when it could not be read to its end.
        difference: Where its rows first part from LongBench's, if they do.
    """

    stem: str
    state: State
    detail: str
    where: str
    rows: int
    expected_rows: int
    size: int = 0
    sha256: str = ""
    difference: Difference | None = None

    @property
    def proof(self) -> Proof:
        """How far its rows are proved to be LongBench's."""
        if self.state == "exact":
            return "official"
        return "answers-agree" if self.state == "answers-agree" else "unofficial"


def verify(data: Path | None, suites: Sequence[str] = ALL_SUITES, *, facts: Facts | None = None) -> list[Verdict]:
    """Check every task file of some suites.

    Args:
        data: A folder or a zip; None for what `data pull` fetched.
        suites: Names of suites.
        facts: What to hold the files against, if not the official facts.

    Raises:
        DataError: There is nothing to check, or an archive is refused. A broken file is a verdict, not an error.
        UsageError: A suite is unknown or has no official files.
    """
    stems = _stems(suites)
    source = open_data(data)
    return [verify_in(source, stem, facts) for stem in stems]


def verify_in(source: Source, stem: str, facts: Facts | None = None) -> Verdict:
    """Check one task file of a source."""
    where = source.where(stem)
    try:
        stream = source.open(stem)
        if stream is None:
            return Verdict(stem, "absent", "no such file", where, 0, len((facts or official_facts()).digests[stem]))
    except DataError as error:
        return _broken(stem, where, error, facts)
    with stream:
        return verify_file(stem, stream, where=where, facts=facts)


def verify_file(stem: str, stream: IO[bytes], *, where: str | None = None, facts: Facts | None = None) -> Verdict:
    """Check one open task file; rows that cannot be read make it `different`."""
    try:
        return read_task_file(stem, stream, where=where, facts=facts)[1]
    except DataError as error:
        return _broken(stem, where or f"{stem}.jsonl", error, facts)


def read_task_file(
    stem: str, stream: IO[bytes], *, where: str | None = None, facts: Facts | None = None
) -> tuple[list[Row], Verdict]:
    """Read a task file once: its rows, and what it proved to be.

    Raises:
        DataError: A row is broken, or the file cannot be read.
    """
    facts = facts or official_facts()
    where = where or f"{stem}.jsonl"
    lines = HashedLines(stream)
    try:
        rows = list(parse_rows(lines, task_of(stem), where))
    except OSError as error:
        raise DataError(f"{where} cannot be read: {error.strerror or error}.") from error
    return rows, _judge(stem, rows, lines, where, facts)


def task_of(stem: str) -> str:
    """The task whose rows a file of that stem holds."""
    return stem.removesuffix("_e")


def _stems(suites: Sequence[str]) -> list[str]:
    """The file stems of some suites, each once."""
    stems: dict[str, None] = {}
    for suite in map(get_suite, suites):
        if not suite.is_longbench:
            raise UsageError(f"The suite {suite.name!r} has no official files; try {' or '.join(ALL_SUITES)}.")
        stems.update(dict.fromkeys(task + suite.file_suffix for task in suite.tasks))
    return list(stems)


def _judge(stem: str, rows: list[Row], lines: HashedLines, where: str, facts: Facts) -> Verdict:
    expected = facts.digests[stem]
    found = [row.digest for row in rows]
    difference = None
    if lines.sha256 == facts.files[stem].sha256:
        state: State = "exact"
        detail = "the official file" + (", with CRLF line ends" if lines.crlf_lines else "")
    elif (difference := first_difference(found, expected)) is None:
        state = "answers-agree"
        detail = "answers and lengths agree row by row, other bytes: the contexts are unproved"
    else:
        state = "different"
        detail = _explain(difference, rows, expected, "".join(_namesake(found, facts)))
    return Verdict(stem, state, detail, where, len(rows), len(expected), lines.size, lines.sha256, difference)


def _explain(difference: Difference, rows: list[Row], expected: Sequence[str], hint: str) -> str:
    """Word a difference: row numbers from 0, with the line where it shows."""
    row = difference.row
    line = f" (line {rows[row].line})" if row < len(rows) else ""
    counts = f"; {len(rows)} rows, LongBench has {len(expected)}" if len(rows) != len(expected) else ""
    return f"row {row}{line} is {difference.kind}: {difference.detail}{counts}{hint}"


def _namesake(found: Sequence[str | None], facts: Facts) -> Iterator[str]:
    """Yield a hint when the rows are all those of another official file, as when LongBench-E was renamed."""
    for stem, digests in facts.digests.items():
        if tuple(found) == digests:
            yield f"; these are the rows of {stem}.jsonl"


def _broken(stem: str, where: str, error: DataError, facts: Facts | None) -> Verdict:
    expected = len((facts or official_facts()).digests[stem])
    return Verdict(stem, "different", str(error), where, 0, expected)
