"""Predictions on disk: one JSON object a line, the official four keys first.

The official scorer reads `pred`, `answers`, `all_classes` and `length`, and nothing else. Runs of this package add
`_id` and the evidence after them.
"""

from __future__ import annotations

import hashlib
import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from longbench_eval.errors import DataError
from longbench_eval.records import Completion, Example, Prompt
from longbench_eval.thinking import split_thinking


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
        line: Its line in the file, from 1; 0 when it was not read from one.
    """

    pred: str
    answers: tuple[str, ...]
    all_classes: tuple[str, ...] | None
    length: int | None
    id: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)
    line: int = 0

    @property
    def context_sha256(self) -> str | None:
        """The hash of the row's context; None where it is not on record."""
        value = self.extra.get("context_sha256")
        return value if isinstance(value, str) else None

    @property
    def failed(self) -> bool:
        """Whether the model gave no answer: an error is on record, and `pred` is empty."""
        return bool(self.extra.get("error")) and not self.pred

    @property
    def unfinished(self) -> bool:
        """Whether the model only thought, and came to no end."""
        thought = self.extra.get("thinking")
        return isinstance(thought, dict) and thought.get("finished") is False

    def without_thinking(self) -> Prediction:
        """The same with its thought taken off the answer, and kept beside it."""
        thought, answer = split_thinking(self.pred)
        return (
            self if thought is None else replace(self, pred=answer, extra={**self.extra, "thinking": asdict(thought)})
        )


def to_record(
    example: Example,
    prompt: Prompt,
    prompt_sha256: str,
    completion: Completion,
    context: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The line that is written for one answer. No clock time is in it: equal answers make equal bytes."""
    cut, error, thought = prompt.truncation, completion.error, completion.thinking
    # A server that applies the chat template itself counts it; we cannot.
    prompt_tokens = prompt.tokens if completion.prompt_tokens is None else completion.prompt_tokens
    return {
        "pred": completion.text,
        "answers": list(example.answers),
        "all_classes": list(example.all_classes) if example.all_classes is not None else None,
        "length": example.length,
        "_id": example.id,
        "prompt_sha256": prompt_sha256,
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion.completion_tokens,
        "truncation": {**asdict(cut), "answer": _answer_place(example, prompt)} if cut else None,
        "finish_reason": completion.finish_reason,
        "error": asdict(error) if error else None,
        "context_sha256": hashlib.sha256(example.context.encode("utf-8", "surrogatepass")).hexdigest(),
        **({"thinking": asdict(thought)} if thought else {}),
        **({} if context is None else {"context": dict(context)}),
    }


def _answer_place(example: Example, prompt: Prompt) -> dict[str, Any] | None:
    """Whether an answer stood in the part that was cut; None where the whole prompt is not at hand."""
    from longbench_eval.prompts.answers import place_answer  # here, so that scoring does not wait for it

    if prompt.rendered is None or prompt.truncation is None:
        return None
    return asdict(place_answer(example, prompt.rendered, prompt.truncation))


def read_predictions(path: Path) -> list[Prediction]:
    """Read a whole predictions file; one without lines is an empty list.

    Raises:
        DataError: A line is no prediction; the message names file, line and field.
    """
    return list(_parse(path, path.read_bytes()))


class Unfinished(NamedTuple):
    """The finished lines of a file, and whether the beginning of another stands after them."""

    rows: list[Prediction]
    torn: bool


def read_unfinished(path: Path) -> Unfinished:
    """Read the finished lines of a file that a run may still be writing, or was killed while writing.

    Raises:
        DataError: A finished line is no prediction.
    """
    data = path.read_bytes()
    end = data.rfind(b"\n") + 1
    return Unfinished(list(_parse(path, data[:end])), torn=bool(data[end:].strip()))


def _parse(path: Path, data: bytes) -> Iterator[Prediction]:
    # Only \n ends a line: a prediction may hold every other line separator that Python knows.
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if line.strip():
            hint = " (the last, without a newline at its end: was the file cut short?)" if number == len(lines) else ""
            yield parse_prediction(line, f"{path}, line {number}{hint}", number)


def parse_prediction(line: bytes, where: str, number: int = 0) -> Prediction:
    """Read one line; `where` names it in errors, `number` is its place in the file, from 1.

    Raises:
        DataError: It is no prediction; the message names the field.
    """
    record = _object(line, where)
    pred, answers = _required(record, "pred", where), _required(record, "answers", where)
    classes, length = record.pop("all_classes", None), record.pop("length", None)
    return Prediction(
        pred=_text(pred, "pred", where),
        answers=_texts(answers, "answers", where),
        all_classes=None if classes is None else _texts(classes, "all_classes", where),
        length=None if length is None else _whole(length, "length", where),
        id=_id(record.pop("_id", None)),
        extra=record,
        line=number,
    )


def _object(line: bytes, where: str) -> dict[str, Any]:
    """Decode one JSON object; a byte order mark is skipped, and surrogates may be lone, as JSON allows."""
    try:
        record = json.loads(line.removeprefix(BOM_UTF8).decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError as error:
        raise DataError(f"{where}: byte {error.start} (from 0) is not UTF-8; expected UTF-8 text.") from None
    except json.JSONDecodeError as error:
        what = f"{error.msg} at character {error.pos}"
        raise DataError(f"{where}: no JSON ({what}); expected one object a line. Mend or delete that line.") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}: no JSON ({error}); expected one object a line.") from None
    if not isinstance(record, dict):
        raise DataError(f"{where}: found {_shown(record)}; expected an object with pred and answers.")
    return record


def _required(record: dict[str, Any], key: str, where: str) -> Any:
    if key not in record:
        raise DataError(f"{where}: there is no field {key!r}; a prediction has pred, answers, all_classes, length.")
    return record.pop(key)


def _text(value: Any, key: str, where: str) -> str:
    if not isinstance(value, str):
        raise DataError(f"{where}: {key} is {_shown(value)}; expected text.")
    return value


def _texts(values: Any, key: str, where: str) -> tuple[str, ...]:
    if not isinstance(values, list) or not {str}.issuperset(map(type, values)):
        raise DataError(f"{where}: {key} is {_shown(values)}; expected a list of texts.")
    return tuple(values)


def _whole(value: Any, key: str, where: str) -> int:
    # Tables of other tools turn whole numbers into 3.0; true and NaN are no lengths.
    if isinstance(value, bool) or not isinstance(value, int | float) or value % 1 != 0:
        raise DataError(f"{where}: {key} is {_shown(value)}; expected a whole number.")
    return int(value)


def _id(value: Any) -> str | None:
    """An id as runs write it; what other tools keep under that name need not be one."""
    return value if isinstance(value, str) else None


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
