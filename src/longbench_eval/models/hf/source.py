"""Where a checkpoint lies, and what identifies it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longbench_eval.errors import ModelError, UsageError
from longbench_eval.files import sha256_of
from longbench_eval.hardware import usable_cpus
from longbench_eval.models.fetch import ALIASES, fetch_model
from longbench_eval.models.gguf import read_gguf
from longbench_eval.models.hf.options import TransformersOptions

# What decides a folder's answers: weights, configuration, tokenizer, template, code. Pickled weights only count
# where there are no others, because then only they are read.
WEIGHTS, OLD_WEIGHTS = ".safetensors", (".bin", ".pt", ".pth")
SMALL_FILES = (".json", ".jinja", ".model", ".txt", ".py", ".tiktoken")


@dataclass(frozen=True, slots=True)
class Source:
    """A checkpoint: a local folder, a GGUF file in one, or a name on the Hub.

    Attributes:
        where: The folder, or the name on the Hub.
        gguf: The GGUF file's name within the folder.
        local: Whether `where` is a folder.
        revision: For the Hub: the branch, tag or commit that was asked for.
        trust: Whether code of the checkpoint may run.
    """

    where: str
    gguf: str | None
    local: bool
    revision: str | None
    trust: bool

    @property
    def name(self) -> str:
        """For people and file names."""
        if self.gguf is not None:
            return Path(self.gguf).stem
        return Path(self.where).resolve().name if self.local else self.where

    def arguments(self) -> dict[str, Any]:
        """What every `from_pretrained` is told, the place itself apart."""
        # False, not None: with None transformers would ask on the terminal.
        more: dict[str, Any] = {"trust_remote_code": self.trust}
        if self.gguf is not None:
            more["gguf_file"] = self.gguf
        if self.revision is not None:
            more["revision"] = self.revision
        return more

    def files(self) -> list[Path]:
        """The local files that decide answers, in the order of their names."""
        folder = Path(self.where)
        if self.gguf is not None:
            return [folder / self.gguf]
        found = sorted(path for path in folder.iterdir() if path.is_file())
        suffixes = (WEIGHTS,) if any(path.suffix == WEIGHTS for path in found) else OLD_WEIGHTS
        return [path for path in found if path.suffix in (*suffixes, *SMALL_FILES)]


def find_source(name: str, options: TransformersOptions) -> Source:
    """Tell a folder, a GGUF file, an embedded model's alias and a name on the Hub apart.

    Raises:
        UsageError: `--revision` is given for something local.
        ModelError: There is no such folder or file, or it holds no checkpoint.
    """
    path = fetch_model(name) if name in ALIASES else Path(name).expanduser()
    trust = options.trust_remote_code
    if path.suffix == ".gguf" and not path.is_dir():
        read_gguf(path)
        source = Source(str(path.parent), path.name, True, None, trust)
    elif path.is_dir():
        if not (path / "config.json").is_file():
            raise ModelError(f"The folder {name!r} has no config.json; give hf: a folder that save_pretrained wrote.")
        source = Source(str(path), None, True, None, trust)
    elif name.startswith((".", "/", "~")) or name.count("/") > 1:
        raise ModelError(
            f"There is no folder {name!r}. Give hf: a folder, a GGUF file, or a Hub name such as ORG/NAME."
        )
    else:
        return Source(name, None, False, options.revision, trust)
    if options.revision is not None:
        raise UsageError(f"--revision is for models on the Hub; {name!r} lies here.")
    return source


class Fingerprint:
    """A local checkpoint's hash, made while it loads: its bytes come from the disk once, for both."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._pool = ThreadPoolExecutor(max_workers=usable_cpus())
        files = source.files() if source.local else []
        self._hashes = [(path.name, self._pool.submit(sha256_of, path)) for path in files]

    def identity(self, commit: str | None) -> Mapping[str, str | None]:
        """The hash of a GGUF file, one hash over a folder's files, or the commit on the Hub (None when unknown)."""
        if not self._source.local:
            return {"name": self._source.where, "commit": commit or self._source.revision}
        if self._source.gguf is not None:
            return {"sha256": self._hashes[0][1].result()}
        return {"sha256": hashlib.sha256("".join(self._lines()).encode()).hexdigest()}

    def _lines(self) -> Iterator[str]:
        for name, future in self._hashes:
            yield f"{future.result()}  {name}\n"

    def close(self) -> None:
        """Wait for nothing more."""
        self._pool.shutdown(wait=True, cancel_futures=True)
