"""One line of a task file to one `Example`, with errors that say where and what."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from longbench_eval.dataset.official import row_digest
from longbench_eval.errors import DataError
from longbench_eval.records import Example
from longbench_eval.tasks import LONGBENCH, Suite, Task

REMEDY = "Mend that line, or fetch the official files with `longbench-eval data pull`."


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands, and what to do if it is wrong; `line` counts from 1."""

    file: str
    line: int
    remedy: str = REMEDY

    def error(self, what: str) -> DataError:
        """Build the error for something wrong here."""
        return DataError(f"{self.file}, line {self.line}: {what} {self.remedy}")


@dataclass(frozen=True, slots=True)
class Row:
    """A parsed line.

    Attributes:
        example: The row itself.
        line: Its line number, from 1.
        digest: Of its answers and stored length; None when it stores no length.
        stored_id: Whether the file gave the id, or it was derived.
        fingerprint: A hash of the line, which holds for this process only.
    """

    example: Example
    line: int
    digest: str | None
    stored_id: bool
    fingerprint: int


def parse_rows(
    lines: Iterable[tuple[int, bytes]], task: str, file: str, suite: Suite = LONGBENCH, remedy: str = REMEDY
) -> Iterator[Row]:
    """Parse numbered lines of one task's file; ids may still repeat (see `unique_ids`).

    Args:
        lines: With their numbers, from 1.
        task: Whose rows they are.
        file: Its name, for errors.
        suite: Whose task it is.
        remedy: What an error says to do.

    Raises:
        DataError: A line is no row of this task.
    """
    for number, raw in lines:
        yield parse_row(raw, task, Place(file, number, remedy), suite)


def parse_row(raw: bytes, task: str, place: Place, suite: Suite = LONGBENCH) -> Row:
    """Parse one line.

    Raises:
        DataError: It is no JSON object, lacks a field, or a field has the wrong type or no possible encoding.
    """
    record, known = _record(raw, place), suite.task(task)
    context = _text(record, "context", place)
    answers = _texts(record, "answers", place)
    length = _length(record, place)
    stored_id = _id(record, place)
    example = Example(
        task=task,
        id=stored_id or "",
        input=_text(record, "input", place),
        context=context,
        answers=answers,
        length=_measure(context, known) if length is None else length,
        all_classes=_classes(record, known, place),
    )
    if stored_id is None:
        example = replace(example, id=derived_id(example))
    digest = None if length is None else row_digest(answers, length)
    return Row(example, place.line, digest, stored_id is not None, hash(raw))


def derived_id(example: Example) -> str:
    """The id of a row that stores none: 48 hexadecimal digits made from its task, input, context and answers."""
    content = [example.task, example.input, example.context, list(example.answers)]
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:48]


def unique_ids(rows: Sequence[Row], file: str, *, trusted: bool, remedy: str = REMEDY) -> tuple[Example, ...]:
    """Return the examples, each with an id of its own; the second row with a derived id gets the suffix `-2`.

    Args:
        rows: All rows of one file.
        file: Its name, for the error.
        trusted: The file is the official one, byte for byte: it is taken as it is, whatever ids it repeats.
        remedy: What the error says to do.

    Raises:
        DataError: Two rows store the same id.
    """
    first_line: dict[str, int] = {}
    examples = []
    for row in rows:
        example = row.example
        if row.stored_id and not trusted and example.id in first_line:
            raise Place(file, row.line, remedy).error(
                f"the _id {example.id!r} is that of line {first_line[example.id]} too; ids must differ."
            )
        if example.id in first_line:
            example = replace(example, id=_with_suffix(example.id, first_line))
        first_line[example.id] = row.line
        examples.append(example)
    return tuple(examples)


def check_encodable(text: str, what: str, place: Place | None = None) -> None:
    """Refuse text that holds half of a surrogate pair, which no file or tokenizer can take.

    Raises:
        DataError: Names the character and its position, from 0.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        message = (
            f"{what} holds the lone surrogate U+{code:04X} at character {error.start} (from 0); "
            "it cannot be written as UTF-8. Expected text without it."
        )
        raise (place.error(message) if place else DataError(message)) from None


def describe(value: Any) -> str:
    """Say what a JSON value is, for messages."""
    if value is None:
        return "null"
    if isinstance(value, bool | int | float):
        return json.dumps(value)[:40]
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    return "a list" if isinstance(value, list) else "an object"


def _with_suffix(base: str, taken: Iterable[str]) -> str:
    number = 2
    while f"{base}-{number}" in taken:
        number += 1
    return f"{base}-{number}"


def _record(raw: bytes, place: Place) -> dict[str, Any]:
    """Decode and parse a line; a byte order mark is skipped."""
    try:
        record = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise place.error(f"byte {error.start} (from 0) is not UTF-8; expected UTF-8 text.") from None
    except json.JSONDecodeError as error:
        cut = "" if raw.endswith(b"\n") else " The file ends within this line: it may have been cut short."
        raise place.error(f"no JSON ({error.msg} at character {error.pos}); expected one JSON object.{cut}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets thousands deep
        raise place.error(f"unreadable JSON ({error}); expected one JSON object.") from None
    if not isinstance(record, dict):
        raise place.error(f"found {describe(record)}; expected a JSON object with the fields of a row.")
    return record


def _required(record: dict[str, Any], field: str, place: Place) -> Any:
    if field not in record:
        hint = " This looks like a file of predictions, not of data." if "pred" in record else ""
        raise place.error(f"the field {field!r} is missing; a row needs input, context and answers.{hint}")
    return record[field]


def _wrong(field: str, found: Any, expected: str, place: Place) -> DataError:
    return place.error(f"the field {field!r} is {describe(found)}; expected {expected}.")


def _text(record: dict[str, Any], field: str, place: Place) -> str:
    value = _required(record, field, place)
    if not isinstance(value, str):
        raise _wrong(field, value, "text", place)
    check_encodable(value, f"the field {field!r}", place)
    return value


def _texts(record: dict[str, Any], field: str, place: Place) -> tuple[str, ...]:
    values = _required(record, field, place)
    if not isinstance(values, list):
        raise _wrong(field, values, "a list of texts", place)
    if not values:
        raise place.error(f"the field {field!r} is an empty list; expected at least one text.")
    for index, value in enumerate(values):
        if not isinstance(value, str):
            raise _wrong(f"{field}[{index}]", value, "text", place)
        check_encodable(value, f"the field '{field}[{index}]'", place)
    return tuple(values)


def _classes(record: dict[str, Any], task: Task, place: Place) -> tuple[str, ...] | None:
    if task.metric == "classification":
        if record.get("all_classes") is None:
            raise place.error(f"the field 'all_classes' is missing; {task.name} needs the list of its classes.")
        return _texts(record, "all_classes", place)
    # Other tasks store null; some copies store an empty list for it.
    return _texts(record, "all_classes", place) if record.get("all_classes") else None


def _length(record: dict[str, Any], place: Place) -> int | None:
    value = record.get("length")
    if value is None:
        return None
    if type(value) is not int or value < 0:
        raise _wrong("length", value, "a whole number from 0", place)
    return value


def _id(record: dict[str, Any], place: Place) -> str | None:
    value = record.get("_id")
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise _wrong("_id", value, "text of at least one character", place)
    check_encodable(value, "the field '_id'", place)
    return value


def _measure(context: str, task: Task) -> int:
    """The length of a row that stores none: characters for Chinese, else words."""
    return len(context) if task.language == "zh" else len(context.split())
