"""Whether a reference answer stood in what the length limit cut out of a prompt.

An answer stands where the metric's own normalization finds it: English as a run of whole words, Chinese as a run of
characters, so that no segmenter is needed. It is sought in the row's documents, not in instructions or question.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from string import Formatter
from typing import NamedTuple

from longbench_eval.metrics.text import chinese_words, english_words
from longbench_eval.records import AnswerPlace, Example, Rendered, Truncation
from longbench_eval.tasks import Task

_NO_PASSAGES = {"yes", "no", "unanswerable"}
_OF_METRIC = {
    "rouge": "a summary is no passage of the text",
    "code_sim": "the next line of code is no passage of the text",
    "count": "a count is no passage of the text",
}
NO_CONTEXT = "the prompt has no documents"
TOO_SHORT = "yes, no, unanswerable and single characters stand everywhere"
# triviaqa's context holds solved examples; the passage with the answer is in its input.
_FIELDS = {"triviaqa": ("context", "input")}


class Unit(NamedTuple):
    """A word, or a Chinese character, after normalization, and the characters of the text that it comes from."""

    text: str
    start: int
    end: int


class Found(NamedTuple):
    """The characters of a text in which an answer stands."""

    start: int
    end: int


def field_spans(template: str, context: str, question: str) -> dict[str, tuple[int, int]]:
    """Where the fields of a row stand in the prompt that a template renders; the first place of each."""
    spans: dict[str, tuple[int, int]] = {}
    at, values = 0, {"context": context, "input": question}
    for literal, name, _, _ in Formatter().parse(template):
        at += len(literal)
        if name in values:
            spans.setdefault(name, (at, at + len(values[name])))
            at += len(values[name])
    return spans


def place_answer(example: Example, rendered: Rendered, cut: Truncation) -> AnswerPlace:
    """Tell whether an answer stood in the part of a prompt that was cut, and whether it stands in what was kept.

    A place that is cut in two is a place in the cut part.

    Args:
        example: The row: its reference answers, any of which will do.
        rendered: The whole prompt.
        cut: What was cut out of it.
    """
    task, fields = rendered.task, _FIELDS.get(rendered.task.name, ("context",))
    spans = [rendered.spans[name] for name in fields if name in rendered.spans]
    wanted = [units for answer in example.answers if (units := _wanted(task, answer))]
    if reason := _no_place(task, spans, wanted):
        return AnswerPlace(None, None, reason)
    places = [
        Found(start + found.start, start + found.end)
        for start, end in spans
        for found in find_answers(task, wanted, rendered.text[start:end])
    ]
    lost = [place.start < cut.end and place.end > cut.start for place in places]
    return AnswerPlace(any(lost), not all(lost))


def _no_place(task: Task, spans: Sequence[object], wanted: Sequence[object]) -> str:
    """Why the question makes no sense for a row; empty where it does."""
    # dureader is scored as a summary, too, but its answers are passages of its articles.
    metric = "rouge" if task.category == "summarization" else task.metric
    return _OF_METRIC.get(metric) or (NO_CONTEXT if not spans else "" if wanted else TOO_SHORT)


def _wanted(task: Task, answer: str) -> list[str]:
    """The units of an answer that can be sought; none otherwise."""
    units = [unit.text for unit in _units(task)(answer)]
    text = "".join(units)
    return units if len(text) > 1 and text not in _NO_PASSAGES else []


def find_answers(task: Task, wanted: Sequence[Sequence[str]], text: str) -> Iterator[Found]:
    """Find every place of answers, given as units of the task, in a text."""
    mark = " " if _is_english(task) else ""
    units = list(_units(task)(text))
    # Every unit of an English text has a space before it, and so has an answer: only whole words are found.
    joined = "".join(mark + unit.text for unit in units) + mark
    ends = list(accumulate(len(mark + unit.text) for unit in units))
    for answer in dict.fromkeys(map(tuple, wanted)):
        sought = "".join(mark + unit for unit in answer) + mark
        at = joined.find(sought)
        while at >= 0:
            first = bisect_right(ends, at)
            place = units[first : bisect_right(ends, at + len(sought) - len(mark) - 1) + 1]
            if mark or not _torn(units, first, len(place)):
                yield Found(place[0].start, place[-1].end)
            at = joined.find(sought, at + 1)


def _torn(units: Sequence[Unit], first: int, count: int) -> bool:
    """Whether a place begins or ends within a number or a Latin word, as 段落1 does in 段落16."""
    last = first + count - 1
    return _one_word(units, first - 1, first) or _one_word(units, last, last + 1)


def _one_word(units: Sequence[Unit], left: int, right: int) -> bool:
    if left < 0 or right >= len(units) or units[left].end != units[right].start:
        return False
    both = units[left].text[-1] + units[right].text[0]
    return both.isascii() and (both.isdigit() or both.isalpha())


_CHUNK = re.compile(r"\S+")


def _is_english(task: Task) -> bool:
    return task.language != "zh"


def _units(task: Task) -> Callable[[str], Iterator[Unit]]:
    return english_units if _is_english(task) else chinese_units


def english_units(text: str) -> Iterator[Unit]:
    """The words of `english_words(text)`; what stands between white space is normalized by itself there."""
    for chunk in _CHUNK.finditer(text):
        for word in _words(chunk[0]):
            yield Unit(word, chunk.start(), chunk.end())


@lru_cache(maxsize=65536)  # words repeat
def _words(chunk: str) -> tuple[str, ...]:
    return tuple(english_words(chunk))


def chinese_units(text: str) -> Iterator[Unit]:
    """The characters that `chinese_words` keeps; white space and punctuation are dropped."""
    for place, char in enumerate(text):
        if kept := _kept(char):
            yield Unit(kept, place, place + 1)


@lru_cache(maxsize=65536)
def _kept(char: str) -> str:
    return "".join(chinese_words(char))
