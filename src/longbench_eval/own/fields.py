"""What can be said about a task of the user's own, and the one place where it is checked.

The same fields stand in the TOML file and in the manifest of a run, where `score` finds them again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from longbench_eval.errors import UsageError, unknown_name
from longbench_eval.metrics import METRICS
from longbench_eval.tasks import TASKS, Task

LANGUAGES = ("en", "zh", "code")
_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}")
_MOST_CATEGORY_CHARACTERS = 60


class Field(NamedTuple):
    """The type of a field's value, the same for people, and whether the value may be left out."""

    kind: type
    expected: str
    optional: bool = False


FIELDS: Mapping[str, Field] = {
    "metric": Field(str, "the name of a metric"),
    "max_new_tokens": Field(int, "a whole number from 1"),
    "category": Field(str, "a few words", optional=True),
    "language": Field(str, " or ".join(map(repr, LANGUAGES)), optional=True),
    "chat": Field(bool, "true or false", optional=True),
    "first_line": Field(bool, "true or false", optional=True),
    "newline_stop": Field(bool, "true or false", optional=True),
}
_DEFAULTS = {"category": "own", "language": "en"}


def check_kinds(given: Mapping[str, Any], fields: Mapping[str, Field], where: str) -> None:
    """Refuse fields that are unknown, missing, or of another type.

    Raises:
        UsageError: Names the field, what was found and what was expected.
    """
    for name, value in given.items():
        if name not in fields:
            raise UsageError(f"{where}: {unknown_name('field', name, fields)}")
        # To Python, True is a whole number.
        if type(value) is not fields[name].kind:
            raise UsageError(f"{where}: {name} is {value!r}; expected {fields[name].expected}.")
    if missing := [name for name, field in fields.items() if not field.optional and name not in given]:
        wanted = "; ".join(f"{name} = {fields[name].expected}" for name in missing)
        raise UsageError(f"{where} lacks {', '.join(missing)}; expected {wanted}.")


def check_name(name: str, where: str) -> None:
    """Refuse a name that no file can have, or that is an official one's.

    Raises:
        UsageError: With the name and what was expected.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{where}: the name {name!r} names files: expected letters, digits, '-' and '_', 64 at most.")
    # `qasper_e.jsonl` and `qasper-v2.jsonl` are qasper's to whoever goes by names, `Qasper.jsonl` to some disks.
    if taken := next((task for task in TASKS if _reads_as(name.lower(), task)), None):
        raise UsageError(f"{where}: a file named {name!r} would be taken for LongBench's {taken}; choose another name.")


def _reads_as(name: str, task: str) -> bool:
    return name.startswith(task) and not name[len(task) : len(task) + 1].isalnum()


def make_task(name: str, values: Mapping[str, Any], rows: int, where: str) -> Task:
    """Make a task of checked fields.

    Args:
        name: Its name.
        values: The fields of `FIELDS`.
        rows: How many rows it has.
        where: The file, for errors.

    Raises:
        UsageError: A name or value is none that a task can have.
    """
    check_name(name, where)
    check_kinds(values, FIELDS, where)
    task = Task(name, **{**_DEFAULTS, **values}, rows=rows)
    if task.metric not in METRICS:
        raise UsageError(f"{where}: {unknown_name('metric', task.metric, METRICS)}")
    if task.language not in LANGUAGES:
        raise UsageError(f"{where}: {unknown_name('language', task.language, LANGUAGES)}")
    if task.max_new_tokens < 1:
        raise UsageError(f"{where}: max_new_tokens is {task.max_new_tokens}; expected a whole number from 1.")
    if not task.category.isprintable() or not 0 < len(task.category) <= _MOST_CATEGORY_CHARACTERS:
        raise UsageError(f"{where}: category is {task.category[:80]!r}; expected a few words in one line.")
    return task


def values_of(task: Task) -> dict[str, Any]:
    """The fields of a task, every one with its value: what `make_task` was given, defaults filled in."""
    return {name: value for name, value in asdict(task).items() if name in FIELDS}
