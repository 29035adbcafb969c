"""The benchmark's prompt templates: found beside the data, checked by hash, never part of this package."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Formatter

from longbench_eval.dataset.load import check_data_option
from longbench_eval.dataset.official import TEMPLATES_NAME, Facts, official_facts
from longbench_eval.dataset.rows import check_encodable, describe
from longbench_eval.dataset.sources import open_source, pulled_folder, templates_near
from longbench_eval.errors import DataError
from longbench_eval.tasks import Suite

_FIELDS = ("context", "input")
_REMEDY = "Fetch it with `longbench-eval data pull`, or name one: --templates FILE."


@dataclass(frozen=True, slots=True)
class Templates:
    """Prompt templates by task.

    Attributes:
        texts: By task name; filled with `text.format(context=..., input=...)`.
        sha256: Of the file with LF line ends.
        official: Whether that is the published file's.
        source: Where it was found, for people; `"demo"` for this package's own.
    """

    texts: Mapping[str, str]
    sha256: str
    official: bool
    source: str


def load_templates(
    suite: Suite,
    tasks: Sequence[str],
    data: Path | None = None,
    path: Path | None = None,
    *,
    allow_unofficial: bool = False,
    facts: Facts | None = None,
) -> Templates:
    """Find, check and parse the template file.

    Args:
        suite: The demo suite brings its own, unless `path` is given.
        tasks: Those that need a template.
        data: The folder or zip with the rows; the file is looked for in it and near it, then where `data pull` puts it.
        path: The file itself, if the user named one.
        allow_unofficial: Take a file with another hash than the published one's, too.
        facts: Holds the hash to check against, if not the official one.

    Raises:
        DataError: The file is missing, is not the published one, or lacks a usable template for a task.
    """
    check_data_option(suite, data)
    if path is None and not suite.is_longbench:
        return _demo_templates(tasks)
    where, raw = _read(path) if path is not None else _find(data)
    sha256 = templates_hash(raw)
    official = sha256 == (facts or official_facts()).templates_sha256
    if not official and not allow_unofficial:
        raise _unofficial(where, sha256, (facts or official_facts()).templates_sha256)
    return Templates(_parse(raw, tasks, where), sha256, official, where)


def find_templates(data: Path | None) -> tuple[str, bytes] | None:
    """Look for the template file in and near the data, then where `data pull` puts it; where it lies, and its bytes."""
    near = None if data is None else open_source(Path(data)).templates()
    return near or templates_near(pulled_folder())


def templates_hash(raw: bytes) -> str:
    """The SHA-256 of a template file with LF line ends, in hexadecimal."""
    return hashlib.sha256(raw.replace(b"\r\n", b"\n")).hexdigest()


def _demo_templates(tasks: Sequence[str]) -> Templates:
    raw = (files("longbench_eval") / "dataset" / "demo" / "templates.json").read_bytes()
    return Templates(_parse(raw, tasks, "demo/templates.json"), templates_hash(raw), official=False, source="demo")


def _read(path: Path) -> tuple[str, bytes]:
    path = Path(path).expanduser()
    try:
        return str(path), path.read_bytes()
    except OSError as error:
        reason = error.strerror or error
        raise DataError(f"The template file {path} cannot be read ({reason}); expected a {TEMPLATES_NAME}.") from error


def _find(data: Path | None) -> tuple[str, bytes]:
    found = find_templates(data)
    if found is None:
        near = "" if data is None else f"in {data}, in the config/ in it and beside it, and "
        raise DataError(f"There is no template file {TEMPLATES_NAME}; looked {near}in {pulled_folder()}. {_REMEDY}")
    return found


def _unofficial(where: str, found: str, expected: str) -> DataError:
    return DataError(
        f"{where} is not the official template file: its SHA-256 is {found}, expected {expected}. "
        "Fetch the official one with `longbench-eval data pull`, or take this with --allow-unofficial, which marks the "
        "signature."
    )


def _parse(raw: bytes, tasks: Sequence[str], where: str) -> Mapping[str, str]:
    try:
        texts = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where} is no JSON ({error}); expected an object of task names and templates.") from error
    if not isinstance(texts, dict):
        raise DataError(f"{where} holds {describe(texts)}; expected a JSON object of task names and templates.")
    for task, text in texts.items():
        if not isinstance(text, str):
            raise DataError(f"{where}: the template of {task} is {describe(text)}; expected text.")
    if missing := [task for task in tasks if task not in texts]:
        raise DataError(f"{where} has no template for {', '.join(missing)}. {_REMEDY}")
    for task in tasks:
        check_template(f"{where}: the template of {task}", texts[task])
    return texts


def check_template(what: str, text: str) -> frozenset[str]:
    """Take only `{context}` and `{input}` as they are: no attributes, indices, conversions or formats.

    Args:
        what: The template, for the error.
        text: Its text.

    Returns:
        Which of the two are in it.

    Raises:
        DataError: It holds another field, or its braces do not pair.
    """
    expected = "expected only {context} and {input}; other braces are written {{ and }}."
    check_encodable(text, what)
    try:
        pieces = list(Formatter().parse(text))
    except ValueError as error:
        raise DataError(f"{what} cannot be read ({error}); {expected}") from None
    for _, field, spec, conversion in pieces:
        if field is not None and (field not in _FIELDS or spec or conversion):
            shown = field + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
            raise DataError(f"{what} has the field {{{shown}}}; {expected}")
    return frozenset(field for _, field, _, _ in pieces if field is not None)
