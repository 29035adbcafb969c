"""Fetching the official files, each checked while it streams and placed whole or not at all."""

from __future__ import annotations

import hashlib
import os
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import IO, Literal

from longbench_eval.dataset.archives import Archive
from longbench_eval.dataset.official import (
    DATASET_REPOSITORIES,
    TEMPLATES_NAME,
    TEMPLATES_URL,
    Facts,
    OfficialFile,
    official_facts,
)
from longbench_eval.dataset.sources import HUB_ARCHIVE, pulled_folder
from longbench_eval.dataset.templates import templates_hash
from longbench_eval.errors import DataError
from longbench_eval.files import CHUNK_BYTES, atomic_writer, sha256_of

TEMPLATES_URL_VARIABLE = "LONGBENCH_EVAL_TEMPLATES_URL"
Progress = Callable[[str], None]

_TIMEOUT_S = 30.0
_MAX_TEMPLATES_BYTES = 1 << 20
_REMEDY = (
    "Run `longbench-eval data pull` again to go on from here. "
    f"Without a network: copy {HUB_ARCHIVE} of the dataset repository (or the task files) and {TEMPLATES_NAME} here "
    "from a machine that has them, and name that folder: --data FOLDER."
)


@dataclass(frozen=True, slots=True)
class Pulled:
    """One file in its place: `fetched` now, or `kept` because it was there and right."""

    path: Path
    state: Literal["fetched", "kept"]


def pull(
    destination: Path | None = None,
    *,
    repository: str | None = None,
    progress: Progress | None = None,
    facts: Facts | None = None,
) -> list[Pulled]:
    """Fetch the 34 task files into `data/` and the template file into `config/` of a folder.

    What is there and right is kept, so an interrupted call goes on where it stopped; the archive itself stays in the
    Hub library's cache, whose environment variables (HF_ENDPOINT, HF_HOME, HF_HUB_OFFLINE, ...) hold. The template
    file comes from the benchmark's repository at a pinned commit, or from the URL in LONGBENCH_EVAL_TEMPLATES_URL.

    Args:
        destination: The folder; by default the one that commands read when no `--data` is given.
        repository: The dataset repository; by default both of its names are tried.
        progress: Called with a line for people at each step.
        facts: What to check the files against, if not the official facts.

    Raises:
        DataError: Something could not be fetched, or is not the official file; all that could be is in its place.
    """
    folder = pulled_folder() if destination is None else Path(destination).expanduser()
    job = _Pull(folder, facts or official_facts(), progress or (lambda line: None))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        job.task_files((repository,) if repository else DATASET_REPOSITORIES)
        job.templates()
    except OSError as error:
        reason = error.strerror or error
        raise DataError(
            f"Cannot write to {folder}: {reason}. Make room, or name another folder with --to; then run it again."
        ) from error
    if job.problems:
        raise DataError("\n".join([*job.problems, _REMEDY]))
    return job.done


class _Pull:
    """One call's work: what was done, and what went wrong on the way."""

    def __init__(self, folder: Path, facts: Facts, progress: Progress) -> None:
        self.folder = folder
        self.facts = facts
        self.progress = progress
        self.done: list[Pulled] = []
        self.problems: list[str] = []

    def task_files(self, repositories: tuple[str, ...]) -> None:
        """Place every task file that is not there yet."""
        wanted = [stem for stem in self.facts.files if not self._keep(stem)]
        if not wanted:
            return
        self.progress(f"fetching {HUB_ARCHIVE} ({len(wanted)} of {len(self.facts.files)} files are wanted)")
        with self._noting_problems():
            path = _download(repositories)
            self._extract_all(path, wanted)
            if self.problems:
                # The library would serve the same copy again.
                self.problems.append(f"The archive is {path.resolve()}; delete it to have it fetched anew.")

    def templates(self) -> None:
        """Place the template file, unless it is there."""
        path = self.folder / "config" / TEMPLATES_NAME
        if path.is_file() and templates_hash(path.read_bytes()) == self.facts.templates_sha256:
            self.done.append(Pulled(path, "kept"))
            return
        with self._noting_problems():
            self.progress(f"fetching {TEMPLATES_NAME}")
            raw = _fetch_templates(os.environ.get(TEMPLATES_URL_VARIABLE) or TEMPLATES_URL)
            found, expected = templates_hash(raw), self.facts.templates_sha256
            if found != expected:
                raise DataError(f"{TEMPLATES_NAME}: fetched SHA-256 {found}, expected {expected}. Nothing was placed.")
            with atomic_writer(path) as file:
                file.write(raw)
            self._fetched(path)

    def _keep(self, stem: str) -> bool:
        path, official = self._place(stem), self.facts.files[stem]
        right = path.is_file() and path.stat().st_size == official.size and sha256_of(path) == official.sha256
        if right:
            self.done.append(Pulled(path, "kept"))
        return right

    def _extract_all(self, path: Path, stems: list[str]) -> None:
        with self._noting_problems():
            archive = Archive(path, {f"{stem}.jsonl" for stem in stems})
            for stem in stems:
                with self._noting_problems():
                    self._extract(archive, stem)

    def _extract(self, archive: Archive, stem: str) -> None:
        path = self._place(stem)
        stream = archive.open(path.name)
        if stream is None:
            raise DataError(f"{archive.path} has no {path.name}; expected all {len(self.facts.files)} task files.")
        with stream, atomic_writer(path) as file:
            _copy_checked(stream, file, self.facts.files[stem], path.name)
        self._fetched(path)

    def _fetched(self, path: Path) -> None:
        self.done.append(Pulled(path, "fetched"))
        self.progress(f"placed {path}")

    def _place(self, stem: str) -> Path:
        return self.folder / "data" / f"{stem}.jsonl"

    @contextmanager
    def _noting_problems(self) -> Iterator[None]:
        """Let the other files come even if this one does not."""
        try:
            yield
        except DataError as error:
            self.problems.append(str(error))


def _copy_checked(stream: IO[bytes], file: IO[bytes], official: OfficialFile, name: str) -> None:
    """Copy a stream, and fail at its end, or as soon as it is too long, if it is not the official file."""
    seen = hashlib.sha256()
    size = 0
    while chunk := stream.read(CHUNK_BYTES):
        size += len(chunk)
        if size > official.size:
            break
        seen.update(chunk)
        file.write(chunk)
    if size != official.size:
        found = f"more than {official.size:,}" if size > official.size else f"{size:,}"
        raise DataError(f"{name}: found {found} bytes, expected {official.size:,}. It was not placed.")
    if seen.hexdigest() != official.sha256:
        raise DataError(
            f"{name}: found SHA-256 {seen.hexdigest()}, expected {official.sha256}. It was not placed: what the "
            "repository holds is not the published file."
        )


def _download(repositories: tuple[str, ...]) -> Path:
    """Get the archive through the Hub library, from the first repository that is there."""
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError, RepositoryNotFoundError

    tried: list[str] = []
    reached = True
    for repository in repositories:
        try:
            return Path(hf_hub_download(repository, HUB_ARCHIVE, repo_type="dataset", local_files_only=not reached))
        except LocalEntryNotFoundError as error:
            # Another name needs the same network, but may lie in the library's cache.
            tried.append(f"{repository}: {_first_line(error.__cause__ or error) if reached else 'not in the cache'}")
            reached = False
        except (RepositoryNotFoundError, EntryNotFoundError):
            tried.append(f"{repository}: not found")
        except Exception as error:  # the library lets its HTTP client's errors through, and clients differ by version
            tried.append(f"{repository}: {_first_line(error)}")
    raise DataError(f"{HUB_ARCHIVE} could not be fetched ({'; '.join(tried)}).")


def _fetch_templates(url: str) -> bytes:
    from huggingface_hub import constants

    if not url.startswith(("https://", "http://")):
        raise DataError(f"{TEMPLATES_URL_VARIABLE} is {url!r}; expected an http or https URL.")
    if constants.HF_HUB_OFFLINE:
        raise DataError(f"{TEMPLATES_NAME} could not be fetched: HF_HUB_OFFLINE is set.")
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT_S) as response:
            raw: bytes = response.read(_MAX_TEMPLATES_BYTES + 1)
    except (OSError, ValueError, HTTPException) as error:
        raise DataError(f"{TEMPLATES_NAME} could not be fetched from {url} ({error}).") from error
    if len(raw) > _MAX_TEMPLATES_BYTES:
        raise DataError(f"{TEMPLATES_NAME} from {url} has over {_MAX_TEMPLATES_BYTES:,} bytes; expected a small file.")
    return raw


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
