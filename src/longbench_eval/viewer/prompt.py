"""The prompt of a row as it was rendered, what was cut out of it, and where it says the answer."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, Literal, NamedTuple

from longbench_eval.errors import LongBenchError
from longbench_eval.predictions import Prediction
from longbench_eval.records import Example
from longbench_eval.tasks import Task
from longbench_eval.viewer.shelf import Shelf, TaskFile
from longbench_eval.viewer.wire import clip

_MOST_HITS = 200
_SHORT = 3  # such an answer must stand alone, or "no" would be found in "not"

Proof = Literal["sent", "wrapped", "differs", "unknown"]


class Cut(NamedTuple):
    """What was cut out of the rendered prompt, in characters, and the tokens before and after."""

    start: int
    end: int
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt before any chat template.

    Attributes:
        text: The whole of it, with what was cut.
        context: Where the context is in it.
        cut: What was cut; None for nothing.
        example: The row of the data.
        where: The data file.
        sha256: Its hash.
    """

    text: str
    context: tuple[int, int]
    cut: Cut | None
    example: Example
    where: str
    sha256: str

    @property
    def sent(self) -> str:
        """What of it was sent."""
        return self.text if self.cut is None else self.text[: self.cut.start] + self.text[self.cut.end :]


def render(shelf: Shelf, file: TaskFile, position: int, row: Prediction) -> Rendered:
    """Render the prompt of a row.

    Raises:
        DataError: The data or the template are not at hand, or have no such row.
    """
    index = shelf.contexts.file(file.suite, file.task)
    number = index.find(row, file.lines.digests[position])
    example = shelf.contexts.example(file.suite, file.task, number)
    text, context = _fill(shelf.contexts.template(file.suite, file.task), example)
    return Rendered(text, context, _cut(row, len(text)), example, index.where, index.sha256)


def _fill(template: str, example: Example) -> tuple[str, tuple[int, int]]:
    """The template with its fields filled in, and where the first context is."""
    values, text, context = {"context": example.context, "input": example.input}, "", (0, 0)
    for literal, name, _, _ in Formatter().parse(template):
        text += literal
        if name == "context" and context == (0, 0):
            context = (len(text), len(text) + len(example.context))
        text += values[name] if name else ""
    return text, context


def _cut(row: Prediction, total: int) -> Cut | None:
    """The recorded cut, if it fits this prompt."""
    told = row.extra.get("truncation")
    if not isinstance(told, Mapping):
        return None
    numbers = [told.get(name) for name in Cut._fields]
    if not all(isinstance(number, int) for number in numbers):
        return None
    cut = Cut(*numbers)  # type: ignore[arg-type]  # just checked
    return cut if 0 <= cut.start <= cut.end <= total else None


def prompt_page(shelf: Shelf, file: TaskFile, position: int) -> dict[str, Any]:
    """What a page needs to lay the prompt out; its text is asked for in pieces. `problem` says why there is none."""
    row = file.lines.read(position)
    try:
        shown = render(shelf, file, position, row)
    except LongBenchError as error:
        return {"problem": str(error), "question": None}
    return {
        "question": clip(shown.example.input, 5000),
        "total": len(shown.text),
        "context": shown.context,
        "cut": shown.cut._asdict() if shown.cut else None,
        "cut_unknown": shown.cut is None and row.extra.get("truncation") is not None,
        "hits": list(_hits(shown, row.answers)),
        "proof": _prove(shown, row, wrapped=_is_wrapped(shelf.card(file.found).signature, file.suite.task(file.task))),
        "data": shown.where,
        "other_data": _other_data(shelf, file, shown.sha256),
    }


def _prove(shown: Rendered, row: Prediction, *, wrapped: bool) -> Proof:
    """Whether this is what was sent. The recorded hash is that of the final text, mostly inside a chat template."""
    recorded = row.extra.get("prompt_sha256")
    if not isinstance(recorded, str):
        return "unknown"
    if hashlib.sha256(shown.sent.encode("utf-8", "surrogatepass")).hexdigest() == recorded:
        return "sent"
    return "wrapped" if wrapped else "differs"


def _is_wrapped(signature: str, task: Task) -> bool:
    """Whether a run put the task's prompts into a chat template, by its signature."""
    policy = next((part[5:] for part in signature.split("|") if part.startswith("chat:")), "never")
    return policy == "always" or (policy == "official" and task.chat)


def _other_data(shelf: Shelf, file: TaskFile, sha256: str) -> bool:
    """Whether the run names another data file by its hash."""
    if not file.found.is_run:
        return False
    told = shelf.data_hash(file.found, file.task)
    return told is not None and told != sha256


def _hits(shown: Rendered, answers: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Where the context says a reference answer, word for word in any case, and whether that was cut out."""
    start, end = shown.context
    found = 0
    for number, answer in enumerate(answers):
        pattern = _pattern(answer.strip())
        for match in pattern.finditer(shown.text, start, end) if pattern else ():
            yield {"start": match.start(), "end": match.end(), "answer": number, "cut": _is_cut(shown.cut, match)}
            found += 1
            if found >= _MOST_HITS:
                return


def _pattern(answer: str) -> re.Pattern[str] | None:
    if not answer:
        return None
    text = re.escape(answer)
    return re.compile(
        rf"(?<!\w){text}(?!\w)" if len(answer) <= _SHORT or answer[-1:].isdigit() else text, re.IGNORECASE
    )


def _is_cut(cut: Cut | None, match: re.Match[str]) -> bool:
    return cut is not None and match.start() < cut.end and match.end() > cut.start


def prompt_text(shelf: Shelf, file: TaskFile, position: int, start: int, end: int) -> str:
    """Some of the rendered prompt, by characters.

    Raises:
        DataError: See `render`.
    """
    return render(shelf, file, position, file.lines.read(position)).text[start:end]
