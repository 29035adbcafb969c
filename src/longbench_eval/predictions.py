"""Predictions on disk: one JSON object a line, the official four keys first.

The official scorer reads `pred`, `answers`, `all_classes` and `length`, and nothing else. Runs of this package add
`_id` and the evidence after them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from longbench_eval.errors import DataError
from longbench_eval.records import Completion, Example, Prompt


@dataclass(frozen=True, slots=True)
class Prediction:
    """One line of a predictions file.

    Attributes:
        pred: The model's answer as recorded.
        answers: Reference answers.
        all_classes: The classes, for the classification tasks.
        length: The row's stored length, or None where the file has none.
        id: The row's `_id`, or None in files of other tools.
        extra: Every other key of the line.
    """

    pred: str
    answers: tuple[str, ...]
    all_classes: tuple[str, ...] | None
    length: int | None
    id: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def failed(self) -> bool:
        """Whether the model gave no answer; such a row has an empty `pred`."""
        return self.extra.get("error") is not None


def to_record(example: Example, prompt: Prompt, prompt_sha256: str, completion: Completion) -> dict[str, Any]:
    """The line that is written for one answer. No clock time is in it: equal answers make equal bytes."""
    cut, error = prompt.truncation, completion.error
    return {
        "pred": completion.text,
        "answers": list(example.answers),
        "all_classes": list(example.all_classes) if example.all_classes is not None else None,
        "length": example.length,
        "_id": example.id,
        "prompt_sha256": prompt_sha256,
        "prompt_tokens": prompt.tokens,
        "completion_tokens": completion.completion_tokens,
        "truncation": asdict(cut) if cut else None,
        "finish_reason": completion.finish_reason,
        "error": asdict(error) if error else None,
    }


def read_predictions(path: Path) -> list[Prediction]:
    """Read a whole predictions file.

    Raises:
        DataError: A line is no prediction; the message names file, line and field.
    """
    return [parse_prediction(line, f"{path.name}, line {number}") for number, line in _lines(path)]


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    # Only \n ends a line: a prediction may hold every other line separator that Python knows.
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if line.strip():
            yield number, line


def parse_prediction(line: bytes, where: str) -> Prediction:
    """Read one line; `where` names it in errors."""
    try:
        record = json.loads(line)
    except ValueError as error:
        raise DataError(f"{where}: no JSON ({error}); a file that was cut short ends like this.") from None
    if not isinstance(record, dict):
        raise DataError(f"{where}: expected an object with pred and answers, found {type(record).__name__}.")
    pred = _take(record, "pred", str, where)
    answers = _strings(_take(record, "answers", list, where), "answers", where)
    classes = record.pop("all_classes", None)
    length, id_ = record.pop("length", None), record.pop("_id", None)
    if classes is not None:
        classes = _strings(classes, "all_classes", where)
    if length is not None and not isinstance(length, int):
        raise DataError(f"{where}: length is {length!r}, expected a whole number.")
    return Prediction(pred, answers, classes, length, id_, record)


def _take(record: dict[str, Any], key: str, kind: type, where: str) -> Any:
    if key not in record:
        raise DataError(f"{where}: there is no field {key!r}; a prediction has pred, answers, all_classes, length.")
    value = record.pop(key)
    if not isinstance(value, kind):
        raise DataError(f"{where}: {key} is {type(value).__name__}, expected {kind.__name__}.")
    return value


def _strings(values: Any, key: str, where: str) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise DataError(f"{where}: {key} must be a list of strings.")
    return tuple(values)
