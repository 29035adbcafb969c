"""Rows of the benchmark, read one at a time: contexts are long, so only where each line begins is kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import IO

from longbench_eval.dataset.rows import Place, parse_row
from longbench_eval.dataset.sources import Source, open_data
from longbench_eval.dataset.templates import load_templates
from longbench_eval.errors import DataError
from longbench_eval.records import Example
from longbench_eval.tasks import Suite
from longbench_eval.viewer.datafile import DataFile, index_data


class Contexts:
    """The rows and templates behind runs of any suite.

    Args:
        data: A folder or zip; None for what `data pull` fetched. The demo suite brings its own.
        templates: The template file, if it lies elsewhere.
    """

    def __init__(self, data: Path | None = None, templates: Path | None = None) -> None:
        self._data, self._templates = data, templates
        self._files: dict[str, DataFile] = {}
        self._source: Source | None = None
        self._texts: dict[str, str] = {}
        self._lock = threading.RLock()

    def file(self, suite: Suite, task: str) -> DataFile:
        """The index of a task's rows, made on first use.

        Raises:
            DataError: The file is missing or broken; the message names the command that fetches it.
        """
        key = f"{suite.name}/{task}"
        with self._lock:
            if key not in self._files:
                with self._open(suite, task) as (stream, where):
                    self._files[key] = index_data(suite, task, stream, where)
            return self._files[key]

    def example(self, suite: Suite, task: str, number: int) -> Example:
        """One row, context and all.

        Raises:
            DataError: It cannot be read.
        """
        index = self.file(suite, task)
        with self._open(suite, task) as (stream, where):
            _go_to(stream, index.offsets[number])
            return parse_row(stream.readline(), task, Place(where, index.lines[number])).example

    def template(self, suite: Suite, task: str) -> str:
        """A task's template, whether or not it is the official one.

        Raises:
            DataError: There is none.
        """
        with self._lock:
            key = f"{suite.is_longbench}/{task}"
            if key not in self._texts:
                data = self._data if suite.is_longbench else None
                path = self._templates if suite.is_longbench else None
                self._texts[key] = load_templates(suite, (task,), data, path, allow_unofficial=True).texts[task]
            return self._texts[key]

    @contextmanager
    def _open(self, suite: Suite, task: str) -> Iterator[tuple[IO[bytes], str]]:
        name = suite.file_name(task)
        if suite.is_own(task):
            raise DataError(f"{task} is a task of your own; its prompts are shown by `prompt {task} ROW --task-file`.")
        if not suite.is_longbench:
            with (files("longbench_eval") / "dataset" / "demo" / name).open("rb") as stream:
                yield stream, f"demo/{name}"
            return
        if self._source is None:
            self._source = open_data(self._data)
        stem = task + suite.file_suffix
        found = self._source.open(stem)
        if found is None:
            raise DataError(
                f"{self._source.path} lacks {name}: fetch it with `longbench-eval data pull`, and leave out --data."
            )
        with found as stream:
            yield stream, self._source.where(stem)


def _go_to(stream: IO[bytes], offset: int) -> None:
    """Move to a byte; a member of a zip is read up to there."""
    if stream.seekable():
        stream.seek(offset)
        return
    while offset > 0 and (passed := stream.read(min(offset, 1 << 20))):
        offset -= len(passed)
