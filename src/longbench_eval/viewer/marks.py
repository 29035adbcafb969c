"""What is remarkable about a row, as bits: what happened to it, and the signs of a broken set-up it shows."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from longbench_eval.predictions import Prediction
from longbench_eval.records import Score
from longbench_eval.scoring.census import take_census
from longbench_eval.scoring.rows import OFFICIAL, classes_of, score_row
from longbench_eval.scoring.suspicion import DETECTORS, ROW_DETECTORS
from longbench_eval.scoring.suspicion.detectors import kin_of
from longbench_eval.scoring.suspicion.filing import File
from longbench_eval.scoring.suspicion.signs import Answer
from longbench_eval.scoring.suspicion.suspect import was_capped
from longbench_eval.tasks import Suite
from longbench_eval.viewer.lines import Lines

_HAPPENED = {
    "failed": "no answer: the model failed",
    "unscorable": "the metric cannot use this row's answers",
    "too-long": "the answer is too long to be scored on a page; `longbench-eval score` does it",
    "empty": "the answer is empty or white space",
    "truncated": "the prompt was cut to fit",
    "capped": "the answer was ended by the cap on new tokens",
}
_KINDS = [*(d.kind for d in DETECTORS), *(d.kind for d in ROW_DETECTORS if not d.in_data)]

MARKS: Mapping[str, str] = {**{kind.slug: kind.sight for kind in _KINDS}, **_HAPPENED}
"""Every mark, and what it says of a row."""

_BIT = {name: 1 << place for place, name in enumerate(MARKS)}
_WEIGHTS = {"failed": 100, "unscorable": 100, "too-long": 100, "truncated": 1, "capped": 2, "rows-moved": 1}
LONGEST = 50_000
"""Characters of a prediction that a slow metric is given; with 512 new tokens it has 3,500."""

_SLOW = {"rouge", "rouge_zh", "qa_f1_zh"}
_WEIGHT = 10  # of a mark that is not among these


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores in [0, 1] (0.0 where a metric cannot be used) and marks of all rows of one file."""

    scores: Sequence[float]
    marks: Sequence[int]


def names_of(bits: int) -> list[str]:
    """The marks of a row, by name."""
    return [name for name, bit in _BIT.items() if bits & bit]


def weight_of(bits: int) -> int:
    """How much a row asks to be looked at."""
    return sum(_WEIGHTS.get(name, _WEIGHT) for name in names_of(bits))


def bit_of(name: str) -> int:
    """The bit of a mark; 0 for an unknown one."""
    return _BIT.get(name, 0)


def score_lines(suite: Suite, task: str, lines: Lines) -> Scored:
    """Score and mark every row of a file, with the official rules."""
    rows = list(lines.read_many(range(len(lines))))
    scores, marks = array("d"), array("Q")
    for row, classes in zip(rows, classes_of(task, rows, OFFICIAL, suite) if rows else (), strict=True):
        score = score_one(suite, task, row, classes)
        scores.append(score.value if score else 0.0)
        marks.append(sum(_BIT[name] for name in _marks(suite, task, row, score)))
    for name, position in _disorder(suite, task, rows):
        marks[position] |= _BIT[name]
    return Scored(scores, marks)


def score_one(suite: Suite, task: str, row: Prediction, classes: Sequence[str] | None) -> Score | None:
    """Score one row; None where the task's metric cannot use its answers or classes, or would take seconds."""
    if is_too_long(suite, task, row):
        return None
    try:
        return score_row(task, row.pred, row.answers, classes, OFFICIAL, suite)
    except ValueError:
        return None


def is_too_long(suite: Suite, task: str, row: Prediction) -> bool:
    """Whether a prediction is ten times longer than any cap allows, and its metric compares it word by word."""
    return len(row.pred) > LONGEST and suite.task(task).metric in _SLOW


def classes_for(suite: Suite, task: str, lines: Lines, row: Prediction) -> tuple[str, ...] | None:
    """The classes that a row is scored with: officially those of the last one, in a task of the user's own its own."""
    return row.all_classes if suite.is_own(task) else lines.read(len(lines) - 1).all_classes


def _marks(suite: Suite, task: str, row: Prediction, score: Score | None) -> Iterator[str]:
    """Each mark once."""
    found = dict.fromkeys(_happened(suite, task, row, score))
    if not row.failed:
        answer = Answer(row.pred, was_capped(row.extra, suite.cap(task)), unfinished=row.unfinished)
        kin = kin_of(suite.task(task)) if suite.is_own(task) else task
        signs = (detector for detector in DETECTORS if kin in detector.tasks)
        found |= dict.fromkeys(detector.kind.slug for detector in signs if detector.sign(answer))
    yield from found


def _happened(suite: Suite, task: str, row: Prediction, score: Score | None) -> Iterator[str]:
    if row.failed:
        yield "failed"
    elif not row.pred.strip():
        yield "empty"
    if row.extra.get("truncation") is not None:
        yield "truncated"
    if row.extra.get("finish_reason") == "length":
        yield "capped"
    if score is None:
        yield "too-long" if is_too_long(suite, task, row) else "unscorable"


def _disorder(suite: Suite, task: str, rows: Sequence[Prediction]) -> Iterator[tuple[str, int]]:
    """Rows that are doubled, foreign or moved; where all are, as with data of one's own, it says nothing of a row."""
    file = File(suite, rows, take_census(suite, task, rows))
    for detector in ROW_DETECTORS:
        positions = () if detector.in_data else detector.find(file)
        if len(positions) < len(rows):
            yield from ((detector.kind.slug, position) for position in positions)
