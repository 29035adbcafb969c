"""Everything that was read of a folder, kept small, and read again when a file has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from longbench_eval.errors import LongBenchError
from longbench_eval.manifest import load_manifest
from longbench_eval.own.recorded import suite_of
from longbench_eval.predictions import Prediction
from longbench_eval.records import Score
from longbench_eval.scoring.folder import read_folder
from longbench_eval.tasks import TASKS, Suite, get_suite
from longbench_eval.viewer.cards import Card, read_card, score_card
from longbench_eval.viewer.contexts import Contexts
from longbench_eval.viewer.finding import Found, Stamp, Walk, find_all, stamp_of
from longbench_eval.viewer.kept import Kept
from longbench_eval.viewer.lines import Lines, read_lines
from longbench_eval.viewer.marks import Scored, classes_for, score_lines, score_one

_WALK_SECONDS = 2.0  # how long a list of folders is taken for true
_FILES_KEPT = 4000  # 60 to 90 bytes a row: 50 full runs are 1,050 files and 20 MiB


class NotThereError(LookupError):
    """A run, task or row that a link names and the folder does not have."""


@dataclass(frozen=True, slots=True)
class TaskFile:
    """One task of one run."""

    found: Found
    suite: Suite
    task: str
    lines: Lines

    @property
    def key(self) -> tuple[Path, Stamp]:
        """What a cache knows it by."""
        return self.lines.path, self.lines.stamp

    def position_of(self, line: int) -> int:
        """The position of a line.

        Raises:
            NotThereError: There is no such line, or it cannot be read.
        """
        position = self.lines.position_of(line)
        if position is None:
            raise NotThereError(f"{self.found.name} has no readable line {line} of {self.task}")
        return position


class Shelf:
    """A folder of runs, and the data that they are about.

    Args:
        root: The folder.
        data: Where contexts come from; None for what `data pull` fetched.
        templates: The template file, if it lies elsewhere.
    """

    def __init__(self, root: Path, data: Path | None = None, templates: Path | None = None) -> None:
        self.root = root
        self.contexts = Contexts(data, templates)
        self._walk: tuple[float, Walk] = (float("-inf"), Walk({}))
        self._cards: Kept[Card] = Kept(_FILES_KEPT)
        self._made: Kept[Card] = Kept(_FILES_KEPT)
        self._suites: Kept[Suite] = Kept(_FILES_KEPT)
        self._lines: Kept[Lines] = Kept(_FILES_KEPT)
        self._scored: Kept[Scored] = Kept(_FILES_KEPT)

    def walk(self) -> Walk:
        """What there is, looked up again after two seconds.

        Raises:
            RunError: The folder is gone.
        """
        when, walk = self._walk
        if monotonic() - when > _WALK_SECONDS:
            walk = find_all(self.root)
            self._walk = (monotonic(), walk)
        return walk

    def find(self, name: str) -> Found:
        """The run of that name.

        Raises:
            NotThereError: There is none.
        """
        found = self.walk().found.get(name)
        if found is None:
            raise NotThereError(f"there is no run {name!r} in {self.root}")
        return found

    def card(self, found: Found, *, scored: bool = False) -> Card:
        """What is known of a run; `scored` scores what no summary tells yet, which takes about a second a run."""
        stamps = stamps_of(found)
        if made := self._made.peek(found.name, stamps):
            return made
        card = self._cards.get(found.name, stamps, lambda: read_card(found))
        if card.state == "scored" or not scored:
            return card
        return self._made.get(found.name, stamps, lambda: score_card(found, card))

    def suite(self, found: Found) -> Suite:
        """The suite of a run; of a folder it is told by its rows, which are all read for it once."""
        return self._suites.get(found.name, stamps_of(found), lambda: _told_suite(found, self.card(found).suite))

    def task(self, found: Found, task: str, suite: Suite | None = None) -> TaskFile:
        """One task's rows; with a suite it need not be told, which for a folder means to read it all.

        Raises:
            NotThereError: The run has none of it.
        """
        path = found.files.get(task)
        if path is None:
            raise NotThereError(f"{found.name} has no rows of {task!r}")
        lines, of = self._lines.get(path, stamp_of(path), lambda: read_lines(path)), suite or self.suite(found)
        if task not in TASKS and not of.is_own(task):
            raise NotThereError(f"{found.name} does not say how {task!r} is scored")
        return TaskFile(found, of, task, lines)

    def tasks(self, found: Found, task: str) -> list[TaskFile]:
        """One task's rows, or with an empty name those of all."""
        return [self.task(found, name) for name in ([task] if task else found.files)]

    def scored(self, file: TaskFile) -> Scored:
        """Scores and marks of all rows of a task."""
        make = lambda: score_lines(file.suite, file.task, file.lines)  # noqa: E731
        return self._scored.get(file.lines.path, (file.lines.stamp, file.suite.name), make)

    def read(self, file: TaskFile, position: int) -> tuple[Prediction, Sequence[str] | None, Score | None]:
        """One row, the classes it is scored with, and its score.

        Raises:
            DataError: The file has changed meanwhile.
        """
        row = file.lines.read(position)
        classes = classes_for(file.suite, file.task, file.lines, row) if row.all_classes is not None else None
        return row, classes, score_one(file.suite, file.task, row, classes)

    def data_hash(self, found: Found, task: str) -> str | None:
        """The hash of the data file that a run names in its manifest."""
        try:
            told = load_manifest(found.path).evidence["data"][task]["sha256"]
        except (LongBenchError, OSError, KeyError, TypeError):
            return None
        return told if isinstance(told, str) else None

    def others(self, file: TaskFile) -> Iterator[Found]:
        """Every other run that has the task, whatever its suite."""
        for found in self.walk().found.values():
            if found.name != file.found.name and file.task in found.files:
                yield found


def _told_suite(found: Found, known: str) -> Suite:
    try:
        if found.is_run:
            return suite_of(load_manifest(found.path))
        return get_suite(known) if known else read_folder(found.path).suite
    except (LongBenchError, OSError):
        return get_suite("longbench")


def stamps_of(found: Found) -> tuple[Stamp, ...]:
    """What changes when a run does."""
    names = ("run.json", "summary.json") if found.is_run else ()
    return tuple(stamp_of(path) for path in (*(found.path / name for name in names), *found.files.values()))


def pair(one: Lines, other: Lines) -> dict[int, int]:
    """Positions of the same row in two files: by id where both have ids, else by answers and length."""
    by_id = one.has_ids and other.has_ids
    places = {key: place for place, key in enumerate(other.keys(by_id))}
    return {at: places[key] for at, key in enumerate(one.keys(by_id)) if key in places}
