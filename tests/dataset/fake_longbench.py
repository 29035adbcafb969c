"""Small files that look like LongBench's, and facts to hold them against."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from longbench_eval.dataset.official import Facts, OfficialFile, row_digest

SHARED = Path(__file__).parents[2].parent / "shared" / "longbench"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs the original files in ../shared")


def make_row(number=0, **fields):
    """A row in LongBench's shape; a field set to `...` is left out."""
    row = {
        "input": f"question {number}?",
        "context": f"text number {number} {{with}} braces",
        "answers": [f"answer {number}"],
        "length": 100 + number,
        "dataset": "qasper",
        "language": "en",
        "all_classes": None,
        "_id": f"{number:048x}",
    } | fields
    return {name: value for name, value in row.items() if value is not ...}


def make_rows(count, **fields):
    return [make_row(number, **fields) for number in range(count)]


def encode(rows, newline="\n"):
    return "".join(json.dumps(row, ensure_ascii=False) + newline for row in rows).encode()


def digests_of(rows):
    return tuple(row_digest(row["answers"], row["length"]) for row in rows)


def facts_of(files, templates=b"{}"):
    """Facts under which these rows, by file stem, are the official ones."""
    contents = {stem: encode(rows) for stem, rows in files.items()}
    return Facts(
        {stem: OfficialFile(hashlib.sha256(raw).hexdigest(), len(raw)) for stem, raw in contents.items()},
        {stem: digests_of(rows) for stem, rows in files.items()},
        hashlib.sha256(templates).hexdigest(),
    )


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def write_zip(path, members):
    """Write a zip; keys are names or `ZipInfo`s."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path
