"""What is installed and at hand, without a model."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from longbench_eval.dataset.official import Facts, official_facts
from longbench_eval.dataset.sources import Source, open_data
from longbench_eval.dataset.templates import find_templates, templates_hash
from longbench_eval.dataset.verify import verify_in
from longbench_eval.doctor.finding import Finding, notice, ok, problem
from longbench_eval.errors import DataError
from longbench_eval.files import CHUNK_BYTES, cache_dir
from longbench_eval.hardware import describe
from longbench_eval.models.fetch import ALIASES
from longbench_eval.version import __version__

_PACKAGE = "longbench-eval"
# What `data pull` needs, and what a run with long contexts writes at most, and some air.
_LEAST_FREE_BYTES = 2 << 30
_FOR_DEVELOPERS = "dev"


def look_around(data: Path | None = None, *, facts: Facts | None = None) -> Iterator[Finding]:
    """Check the installation, the embedded models, the data, and the disk.

    Args:
        data: A folder or zip with the rows; None for what `data pull` fetched.
        facts: What to hold the data against, if not the official facts.
    """
    yield _python()
    yield from _extras()
    yield from _models()
    yield from _data(data, facts or official_facts())
    yield from _disk()


def _python() -> Finding:
    here = describe()
    cpus = f"{here['cpus']} processor{'s' if here['cpus'] != 1 else ''}"
    return ok(
        "python", f"Python {here['python']} on {here['system']} {here['machine']}, {cpus}; {_PACKAGE} {__version__}"
    )


def _extras() -> Iterator[Finding]:
    """Each extra of the package's own metadata, so that a new one is looked at without a word here."""
    packages: dict[str, list[str]] = {}
    for line in requires(_PACKAGE) or ():
        if found := re.match(r"(?P<package>[\w.-]+).*extra == ['\"](?P<extra>[\w-]+)['\"]", line):
            packages.setdefault(found["extra"], []).append(found["package"])
    for extra, names in packages.items():
        if extra != _FOR_DEVELOPERS:
            yield _extra(extra, names)


def _extra(extra: str, names: list[str]) -> Finding:
    versions = {name: _version(name) for name in names}
    absent = [name for name, found in versions.items() if found is None]
    if absent:
        return notice(f"extra {extra}", f"not installed: {', '.join(absent)}", f"pip install '{_PACKAGE}[{extra}]'")
    return ok(f"extra {extra}", ", ".join(f"{name} {found}" for name, found in versions.items()))


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _models() -> Iterator[Finding]:
    for model in ALIASES.values():
        if model.present:
            yield ok(f"model {model.alias}", f"{model.path}")
        else:
            message = f"not fetched yet: {model.size / 1e6:.0f} MB on first use"
            yield notice(f"model {model.alias}", message, f"{_PACKAGE} models pull {model.alias}")


def _data(data: Path | None, facts: Facts) -> Iterator[Finding]:
    try:
        source = open_data(data)
        yield _rows(source, facts)
        yield _templates(data, facts)
    except DataError as error:
        if data is None:
            yield notice("data", "the official rows and templates are not here yet", f"{_PACKAGE} data pull")
        else:
            yield problem("data", str(error), f"{_PACKAGE} data pull")


def _rows(source: Source, facts: Facts) -> Finding:
    wrong = [stem for stem in source.stems if not _is_official(source, stem, facts)]
    absent = [stem for stem in facts.files if stem not in source.stems]
    right = len(source.stems) - len(wrong)
    if wrong:
        message = f"{', '.join(wrong)} in {source.path} {'is' if len(wrong) == 1 else 'are'} not LongBench's"
        return problem("data", message, f"{_PACKAGE} data verify says what differs; {_PACKAGE} data pull fetches anew.")
    if absent:
        message = f"{right} of {len(facts.files)} files in {source.path} are the official ones; the others are absent"
        return notice("data", message, f"{_PACKAGE} data pull")
    return ok("data", f"all {right} files in {source.path} are the official ones")


def _is_official(source: Source, stem: str, facts: Facts) -> bool:
    """By its hash, which takes a second for all files; only one that differs is read row by row."""
    stream = source.open(stem)
    if stream is None:
        return False
    digest = hashlib.sha256()
    with stream:
        while chunk := stream.read(CHUNK_BYTES):
            digest.update(chunk)
    official = digest.hexdigest() == facts.files[stem].sha256
    return official or verify_in(source, stem, facts).state == "exact"


def _templates(data: Path | None, facts: Facts) -> Finding:
    found = find_templates(data)
    if found is None:
        return notice("templates", "the template file is not here", f"{_PACKAGE} data pull, or --templates FILE")
    where, raw = found
    if templates_hash(raw) == facts.templates_sha256:
        return ok("templates", f"{where} is the official file")
    return problem("templates", f"{where} is not the official file", f"{_PACKAGE} data pull")


def _disk() -> Iterator[Finding]:
    places = {"runs": Path.cwd(), "cache": next(path for path in (cache_dir(), *cache_dir().parents) if path.exists())}
    free = {name: shutil.disk_usage(path).free for name, path in places.items()}
    told = ", ".join(f"{size / 1e9:.1f} GB for the {name}" for name, size in free.items())
    if min(free.values()) < _LEAST_FREE_BYTES:
        yield notice("disk", f"little is free: {told}", "Free some, or set LONGBENCH_EVAL_CACHE to another disk.")
    else:
        yield ok("disk", f"free: {told}")
    if not os.access(places["runs"], os.W_OK):
        yield problem("disk", f"nothing can be written into {places['runs']}", "Run elsewhere, or name --out.")
