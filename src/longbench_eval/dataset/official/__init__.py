"""What the official files are: where they are published, their hashes, and a digest of each row."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

DATASET_REPOSITORIES = ("zai-org/LongBench", "THUDM/LongBench")
UPSTREAM_COMMIT = "2e00731f8d0bff23dc4325161044d0ed8af94c1e"
TEMPLATES_NAME = "dataset2prompt.json"
TEMPLATES_SHA256 = "56d22ad4f382169c2b8a11ff4c982a4a1bea096c8152b0f0b85b64686b157c30"
TEMPLATES_URL = f"https://raw.githubusercontent.com/THUDM/LongBench/{UPSTREAM_COMMIT}/LongBench/config/{TEMPLATES_NAME}"


@dataclass(frozen=True, slots=True)
class OfficialFile:
    """The SHA-256 (hexadecimal) and the size in bytes of a task file, with LF line ends."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What files are held against: hashes and row digests by file stem, e.g. `"qasper_e"`, and the templates' hash."""

    files: Mapping[str, OfficialFile]
    digests: Mapping[str, tuple[str, ...]]
    templates_sha256: str = TEMPLATES_SHA256


@cache
def official_facts() -> Facts:
    """The facts of the 34 published files."""
    return Facts(official_files(), _all_digests())


@cache
def official_files() -> Mapping[str, OfficialFile]:
    """Hash and size of each published file, by stem."""
    lines = (line.split("\t") for line in _resource("files.tsv").splitlines())
    return {stem: OfficialFile(sha256, int(size)) for stem, sha256, size in lines}


def official_digests(stem: str) -> tuple[str, ...]:
    """The digest of each row of a published file, in file order."""
    return _all_digests()[stem]


def row_digest(answers: Sequence[str], length: Any) -> str:
    """Digest a row's answers and stored length: 12 hexadecimal digits; a few rows share theirs.

    Says nothing of a row's context or input. `length` is digested as it is stored.
    """
    text = json.dumps([list(answers), length], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@cache
def _all_digests() -> Mapping[str, tuple[str, ...]]:
    return {stem: tuple(digests.split()) for stem, digests in json.loads(_resource("row_digests.json")).items()}


def _resource(name: str) -> str:
    return (files(__name__) / name).read_text("utf-8")
