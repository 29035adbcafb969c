"""Telling a person how far a run is. The base class is silent, for library use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from longbench_eval.records import Completion


class Progress:
    """Takes note of rows, and says nothing."""

    def note(self, message: str) -> None:
        """A warning about the run as a whole."""

    @contextmanager
    def over(self, total: int, done: int) -> Iterator[None]:
        """Surround the generation of `total` rows, of which `done` are there already."""
        yield

    def row(self, task: str, completion: Completion) -> None:
        """One more row was answered, or failed."""


class NotesOnce(Progress):
    """Passes everything on, but no warning twice: for several runs in a row."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._said: set[str] = set()

    def note(self, message: str) -> None:
        """A warning that was not said before."""
        if message not in self._said:
            self._said.add(message)
            self._progress.note(message)

    @contextmanager
    def over(self, total: int, done: int) -> Iterator[None]:
        """As the other does."""
        with self._progress.over(total, done):
            yield

    def row(self, task: str, completion: Completion) -> None:
        """As the other does."""
        self._progress.row(task, completion)


class Rate:
    """Rows and tokens a second since the start, and the time left."""

    def __init__(self, total: int, done: int) -> None:
        self.total, self.done, self.failed = total, done, 0
        self._rows = self._prompt_tokens = self._cached_tokens = self._new_tokens = 0
        self._began = monotonic()

    def add(self, completion: Completion) -> None:
        """Count one row."""
        self.done += 1
        self._rows += 1
        self.failed += completion.error is not None
        self._prompt_tokens += completion.prompt_tokens or 0
        self._cached_tokens += completion.cached_tokens or 0
        self._new_tokens += completion.completion_tokens or 0

    def __str__(self) -> str:
        seconds = max(monotonic() - self._began, 1e-9)
        left = (self.total - self.done) * seconds / max(self._rows, 1)
        read_tokens = self._prompt_tokens - self._cached_tokens
        parts = [
            f"{_clock(left)} left",
            f"{self.failed} failed" if self.failed else "",
            f"{read_tokens / seconds:.0f} prompt tok/s, {self._new_tokens / seconds:.0f} new tok/s",
            f"{self._cached_tokens / self._prompt_tokens:.0%} cached" if self._cached_tokens else "",
        ]
        return ", ".join(filter(None, parts))


def _clock(seconds: float) -> str:
    hours, rest = divmod(round(seconds), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


class PlainProgress(Progress):
    """A line now and then on standard error, for logs."""

    def __init__(self, every_s: float = 10.0) -> None:
        self._every_s = every_s
        self._last = monotonic()
        self._rate = Rate(0, 0)

    def note(self, message: str) -> None:
        """One line."""
        print(f"warning: {message}", file=sys.stderr, flush=True)

    @contextmanager
    def over(self, total: int, done: int) -> Iterator[None]:
        """Say where the run begins and ends."""
        self._rate = Rate(total, done)
        if done:
            print(f"{done} of {total} rows are there already", file=sys.stderr, flush=True)
        yield
        if total > done:
            print(f"{self._rate.done}/{total} rows: {self._rate}", file=sys.stderr, flush=True)

    def row(self, task: str, completion: Completion) -> None:
        """A line if the last one is old enough."""
        self._rate.add(completion)
        if monotonic() - self._last >= self._every_s:
            self._last = monotonic()
            print(f"{self._rate.done}/{self._rate.total} rows, {task}: {self._rate}", file=sys.stderr, flush=True)


class BarProgress(Progress):
    """A live bar on a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as Bar
        from rich.table import Column

        self._console = Console(stderr=True)
        # On a narrow terminal the rate gives way, from its end, and nothing else.
        rate = TextColumn("{task.fields[rate]}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"))
        columns = TextColumn("{task.description}"), BarColumn(12), MofNCompleteColumn(), rate
        self._bar = Bar(*columns, console=self._console, expand=True)
        self._rate = Rate(0, 0)

    def note(self, message: str) -> None:
        """One line above the bar."""
        self._console.print(f"warning: {message}", style="yellow", markup=False, highlight=False)

    @contextmanager
    def over(self, total: int, done: int) -> Iterator[None]:
        """Show the bar while rows are answered."""
        self._rate = Rate(total, done)
        self._id = self._bar.add_task("", total=total, completed=done, rate="")
        with self._bar:
            yield

    def row(self, task: str, completion: Completion) -> None:
        """Move the bar."""
        self._rate.add(completion)
        self._bar.update(self._id, advance=1, description=task, rate=str(self._rate))


def for_stream() -> Progress:
    """A bar where a person looks on, lines elsewhere."""
    return BarProgress() if sys.stderr.isatty() else PlainProgress()
