"""A folder or a zip of LongBench files, in any of the layouts that circulate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol

from longbench_eval.dataset.archives import Archive
from longbench_eval.dataset.official import TEMPLATES_NAME, official_files
from longbench_eval.errors import DataError
from longbench_eval.files import cache_dir

HUB_ARCHIVE = "data.zip"


class Source(Protocol):
    """Where task files and the template file come from.

    Attributes:
        path: The folder or zip.
    """

    path: Path

    @property
    def stems(self) -> tuple[str, ...]:
        """The task files there are, by stem (`"qasper"`, `"qasper_e"`), in the official order."""
        ...

    def open(self, stem: str) -> IO[bytes] | None:
        """Open a task file for streaming; None when it is not there."""
        ...

    def where(self, stem: str) -> str:
        """Name a task file for people, as messages do; it need not exist."""
        ...

    def templates(self) -> tuple[str, bytes] | None:
        """Find the template file: where it lies, and its bytes; None when it is nowhere near."""
        ...


class FolderSource:
    """A folder with task files in it or in its `data/`, or with the `data.zip` of a Hub clone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._files = {stem: file for stem in official_files() if (file := _first_file(_places(path, stem)))}
        # They are opened later, when the working directory may be another.
        self._absolute = {stem: file.absolute() for stem, file in self._files.items()}
        zipped = path / HUB_ARCHIVE
        self._zip = ZipSource(zipped) if not self._files and zipped.is_file() else None

    @property
    def stems(self) -> tuple[str, ...]:
        """The task files there are."""
        return self._zip.stems if self._zip else tuple(self._files)

    def open(self, stem: str) -> IO[bytes] | None:
        """Open a task file; None when it is not there."""
        if self._zip:
            return self._zip.open(stem)
        file = self._absolute.get(stem)
        try:
            return file.open("rb") if file else None
        except OSError as error:
            raise DataError(f"{self.where(stem)} cannot be read: {error.strerror or error}.") from error

    def where(self, stem: str) -> str:
        """Name a task file for people."""
        if self._zip:
            return self._zip.where(stem)
        return str(self._files.get(stem, self.path / f"{stem}.jsonl"))

    def templates(self) -> tuple[str, bytes] | None:
        """Look in the folder, its `config/`, its parent's `config/`, then inside its zip."""
        found = templates_near(self.path, self.path.resolve().parent / "config")
        return found or (self._zip.templates() if self._zip else None)


class ZipSource:
    """A zip with task files anywhere in it, each once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._archive = Archive(path, {*(f"{stem}.jsonl" for stem in official_files()), TEMPLATES_NAME})

    @property
    def stems(self) -> tuple[str, ...]:
        """The task files there are."""
        return tuple(stem for stem in official_files() if f"{stem}.jsonl" in self._archive.members)

    def open(self, stem: str) -> IO[bytes] | None:
        """Open a task file; None when it is not there."""
        return self._archive.open(f"{stem}.jsonl")

    def where(self, stem: str) -> str:
        """Name a task file for people."""
        name = f"{stem}.jsonl"
        return self._archive.where(name) if name in self._archive.members else f"{self.path}:{name}"

    def templates(self) -> tuple[str, bytes] | None:
        """Look inside, then beside the zip and in the `config/` beside it."""
        stream = self._archive.open(TEMPLATES_NAME)
        if stream is None:
            return templates_near(self.path.parent)
        with stream:
            return self._archive.where(TEMPLATES_NAME), stream.read()


def pulled_folder() -> Path:
    """The folder that `longbench-eval data pull` fills."""
    return cache_dir() / "longbench"


def open_source(path: Path) -> Source:
    """Open a folder or a zip of LongBench files.

    Raises:
        DataError: It is missing, holds no LongBench file, or is a zip that is refused.
    """
    path = path.expanduser()
    try:
        source = _folder_or_zip(path)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}. {_REMEDY}") from error
    if not source.stems:
        raise DataError(f"{path} holds no LongBench files; looked for {_looked_for(path)}. {_REMEDY}")
    return source


def open_data(data: Path | None) -> Source:
    """Open the source that the user named, or what was pulled when that is None.

    Raises:
        DataError: As `open_source`; or nothing was pulled yet.
    """
    if data is not None:
        return open_source(Path(data))
    folder = pulled_folder()
    if not folder.is_dir():
        raise DataError(f"The LongBench data is not here yet (looked in {folder}). {_REMEDY}")
    return open_source(folder)


def templates_near(folder: Path, *more: Path) -> tuple[str, bytes] | None:
    """Find the template file in a folder, in its `config/`, or in further folders: where it lies, and its bytes.

    Raises:
        DataError: It is there but cannot be read.
    """
    for place in (folder, folder / "config", *more):
        file = place / TEMPLATES_NAME
        if file.is_file():
            return str(file), _read(file)
    return None


_REMEDY = "Fetch it with `longbench-eval data pull`, or name a folder or zip that holds it: --data PATH."


def _folder_or_zip(path: Path) -> Source:
    if not path.exists():
        raise DataError(f"There is no {path}; expected a folder or zip of LongBench files. {_REMEDY}")
    if path.suffix == ".jsonl" and path.is_file():
        raise DataError(f"{path} is a single file; expected the folder it lies in: --data {path.parent}")
    return FolderSource(path) if path.is_dir() else ZipSource(path)


def _places(path: Path, stem: str) -> Iterator[Path]:
    yield path / f"{stem}.jsonl"
    yield path / "data" / f"{stem}.jsonl"


def _first_file(places: Iterator[Path]) -> Path | None:
    return next((place for place in places if place.is_file()), None)


def _looked_for(path: Path) -> str:
    names = "TASK.jsonl and TASK_e.jsonl, e.g. qasper.jsonl,"
    return f"{names} in it, in data/ and in {HUB_ARCHIVE}" if path.is_dir() else f"{names} anywhere in it"


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror or error}.") from error
