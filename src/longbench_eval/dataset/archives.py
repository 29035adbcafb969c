"""Zip archives read in place: nothing is unpacked, and hostile or damaged ones are refused."""

from __future__ import annotations

import copy
import io
import re
import stat
import zipfile
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath
from typing import IO

from longbench_eval.errors import DataError
from longbench_eval.files import CHUNK_BYTES

MAX_MEMBER_BYTES = 1 << 30  # forty times the largest official file
_KNOWN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
# What zipfile lets through when bytes are not as they should be.
_UNREADABLE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError)
_REMEDY = "Fetch the data again with `longbench-eval data pull`, or unpack the archive yourself and name the folder."


class Archive:
    """The members of a zip that go by one of some file names, in whatever folder they lie.

    Attributes:
        path: The archive.
        members: By file name, e.g. `"qasper.jsonl"`.
    """

    def __init__(self, path: Path, names: Collection[str]) -> None:
        """Read and check the archive's directory.

        Raises:
            DataError: It is no zip, is cut short, or holds something a data archive has no reason to hold.
        """
        self.path = path
        self._file = path.absolute()  # it is opened later, when the working directory may be another
        try:
            with zipfile.ZipFile(path) as archive:
                infos = archive.infolist()
        except _UNREADABLE as error:
            raise DataError(_unreadable(path, error)) from error
        for info in infos:
            _check_member(path, info)
        self.members = _select(path, infos, names)

    def open(self, name: str) -> IO[bytes] | None:
        """Open a member for streaming, or return None when the archive lacks it.

        Raises:
            DataError: Here or while reading: the member is damaged or holds other bytes than it declares.
        """
        info = self.members.get(name)
        return None if info is None else io.BufferedReader(_Member(self._file, self.where(name), info), CHUNK_BYTES)

    def where(self, name: str) -> str:
        """Name a member for people."""
        return f"{self.path}:{self.members[name].filename}"


class _Member(io.RawIOBase):
    """A member as a stream whose every failure is a `DataError`."""

    def __init__(self, path: Path, where: str, info: zipfile.ZipInfo) -> None:
        super().__init__()
        self._where = where
        self._declared = info.file_size
        self._count = 0
        # zipfile stops silently at the declared size; declaring one byte more makes a surplus visible.
        generous = copy.copy(info)
        generous.file_size += 1
        try:
            self._archive = zipfile.ZipFile(path)
            self._stream = self._archive.open(generous)
        except _UNREADABLE as error:
            raise self._damaged(error) from error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._stream.read(len(buffer))
        except _UNREADABLE as error:
            raise self._damaged(error) from error
        self._count += len(data)
        if self._count > self._declared or (not data and self._count < self._declared):
            raise self._damaged(f"read {self._count:,} bytes")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed and hasattr(self, "_stream"):
            self._stream.close()
            self._archive.close()
        super().close()

    def _damaged(self, reason: object) -> DataError:
        return DataError(
            f"{self._where} does not hold the {self._declared:,} bytes it declares ({reason}): "
            f"the archive is damaged or forged. {_REMEDY}"
        )


def _check_member(path: Path, info: zipfile.ZipInfo) -> None:
    name = info.orig_filename
    if reason := _hostile_name(name) or _hostile_kind(info):
        raise DataError(f"{path} is refused: its member {name!r} {reason}. {_REMEDY}")


def _hostile_name(name: str) -> str | None:
    """Why a member's name cannot be trusted, whichever system's separators it uses."""
    plain = name.replace("\\", "/")
    if plain.startswith("/") or re.match(r"[A-Za-z]:", plain):
        return "has an absolute path"
    if ".." in plain.split("/"):
        return "lies outside its folder"
    return "has a NUL in its name" if "\0" in plain else None


def _hostile_kind(info: zipfile.ZipInfo) -> str | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "is a symbolic link"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is not a plain file"
    return "is encrypted" if info.flag_bits & _ENCRYPTED else None


def _select(path: Path, infos: list[zipfile.ZipInfo], names: Collection[str]) -> Mapping[str, zipfile.ZipInfo]:
    """Pick the members that are asked for; each name may be claimed once."""
    members: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        name = PurePosixPath(info.filename.replace("\\", "/")).name  # some archivers write Windows separators
        if info.is_dir() or name not in names:
            continue
        if name in members:
            both = f"{members[name].filename!r} and {info.filename!r}"
            raise DataError(f"{path} is refused: {both} both claim to be {name}; expected one. {_REMEDY}")
        if info.file_size > MAX_MEMBER_BYTES:
            size = f"declares {info.file_size:,} bytes; expected at most {MAX_MEMBER_BYTES:,}"
            raise DataError(f"{path} is refused: its member {info.filename!r} {size}. {_REMEDY}")
        if info.compress_type not in _KNOWN_METHODS:
            method = f"is compressed by method {info.compress_type}; expected a plain zip (stored or deflated)"
            raise DataError(f"{path}: its member {info.filename!r} {method}. {_REMEDY}")
        members[name] = info
    return members


def _unreadable(path: Path, error: Exception) -> str:
    try:
        with path.open("rb") as file:
            head = file.read(40)
    except OSError as reason:
        return f"{path} cannot be read ({reason.strerror or reason}); expected a zip archive."
    if head.startswith(b"version https://git-lfs"):
        return f"{path} is a Git LFS pointer, not the archive itself. Run `git lfs pull` in its folder."
    if head.startswith(b"PK\x03\x04"):
        return f"{path} is a zip archive that was cut short or damaged ({error}). {_REMEDY}"
    return f"{path} is not a zip archive ({error}); expected a folder or a zip of LongBench files. {_REMEDY}"
