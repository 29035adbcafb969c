"""Looking for signs of a broken set-up in the predictions of one task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longbench_eval.predictions import Prediction
from longbench_eval.scoring.census import Census, take_census
from longbench_eval.scoring.suspicion.detectors import DETECTORS, Detector, kin_of
from longbench_eval.scoring.suspicion.filing import ROW_DETECTORS, File, RowDetector
from longbench_eval.scoring.suspicion.kinds import Suspicion, suspicion
from longbench_eval.scoring.suspicion.signs import Answer
from longbench_eval.tasks import Suite

PromptOf = Callable[[Prediction], str | None]
_LEAST = 2  # where a share is the threshold, one row among others is an accident


def suspect(suite: Suite, task: str, rows: Sequence[Prediction], prompt_of: PromptOf | None = None) -> list[Suspicion]:
    """Tell a broken set-up from a weak model, by the predictions of one task alone.

    What the protocol itself causes is no alarm: answers to few-shot and code tasks go on and loop in every run.

    Args:
        suite: What the predictions are measured against.
        task: The task's name, one of the suite's.
        rows: The predictions, in the order of the file.
        prompt_of: The prompt of a prediction before any chat template, where it is known: it shows echoes.

    Returns:
        What the answers show, then what is wrong with the rows; at most one suspicion of each kind.
    """
    return [
        *suspect_answers(suite, task, rows, prompt_of),
        *suspect_rows(suite, rows, take_census(suite, task, rows)),
    ]


def suspect_answers(
    suite: Suite, task: str, rows: Iterable[Prediction], prompt_of: PromptOf | None = None
) -> list[Suspicion]:
    """The part of `suspect` that looks at answers: rows are taken one by one and none is kept.

    Rows without an answer, whose failure is on record, are left out.
    """
    kin = kin_of(suite.task(task)) if suite.is_own(task) else task
    tallies = [_Tally(detector) for detector in DETECTORS if kin in detector.tasks]
    cap = suite.cap(task)
    n = 0
    for position, row in enumerate(rows):
        if row.failed:
            continue
        n += 1
        prompt = (prompt_of(row) if prompt_of else None) or ""
        answer = Answer(row.pred, was_capped(row.extra, cap), prompt, row.unfinished)
        for tally in tallies:
            if tally.detector.sign(answer):
                tally.add(position, row)
    return [tally.suspicion(n) for tally in tallies if tally.alarming(n)]


def was_capped(extra: Mapping[str, Any], cap: int) -> bool:
    """Whether the cap on new tokens ended an answer, as its record says, or else as its tokens do."""
    reason, tokens = extra.get("finish_reason"), extra.get("completion_tokens")
    if reason in (None, "unknown"):
        return isinstance(tokens, int) and tokens >= cap
    return bool(reason == "length")


@dataclass(slots=True)
class _Tally:
    """How many answers show a detector's sign, and the first of them."""

    detector: Detector
    count: int = 0
    position: int = 0
    line: int = 0

    def add(self, position: int, row: Prediction) -> None:
        if not self.count:
            self.position, self.line = position, row.line or position + 1
        self.count += 1

    def alarming(self, n: int) -> bool:
        if not self.count:
            return False
        least = min(_LEAST, n) if self.detector.threshold else 1
        return self.count >= least and self.count / n >= self.detector.threshold

    def suspicion(self, n: int) -> Suspicion:
        return suspicion(self.detector.kind, self.count, n, self.detector.threshold, self.position, f"line {self.line}")


def suspect_rows(suite: Suite, rows: Sequence[Prediction], census: Census) -> list[Suspicion]:
    """The part of `suspect` that looks at which rows there are; `census` is theirs."""
    return list(_disorder(File(suite, rows, census)))


def _disorder(file: File) -> Iterator[Suspicion]:
    for detector in ROW_DETECTORS:
        if positions := detector.find(file):
            n = file.census.expected_n if detector.in_data else len(file.rows)
            yield suspicion(detector.kind, len(positions), n, 0.0, positions[0], _where(file, detector, positions[0]))


def _where(file: File, detector: RowDetector, position: int) -> str:
    if not detector.in_data:
        return f"line {file.rows[position].line or position + 1}"
    return f"row {position} of the data, from 0" if file.census.found else "unknown"
