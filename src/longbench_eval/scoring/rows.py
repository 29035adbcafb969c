"""One prediction against its reference answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from longbench_eval.errors import DataError
from longbench_eval.predictions import Prediction
from longbench_eval.records import Score
from longbench_eval.scoring.profiles import PROFILES, Profile
from longbench_eval.tasks import LONGBENCH, Suite

OFFICIAL = PROFILES["official"]


def score_row(
    task: str,
    prediction: str,
    answers: Sequence[str] | str,
    classes: Sequence[str] | None = None,
    profile: Profile = OFFICIAL,
    suite: Suite = LONGBENCH,
) -> Score:
    """Score one prediction: the maximum of the task's metric over the reference answers, in [0, 1].

    Args:
        task: The task's name.
        prediction: The model's answer, whole.
        answers: The reference answers, or the only one; with none the score is 0, as in the official scorer.
        classes: All classes, for the classification tasks.
        profile: How to score; one that sums over the answers may exceed 1.
        suite: Whose row it is, which decides for a profile that treats LongBench-E otherwise.

    Raises:
        UsageError: There is no such task.
        ValueError: The task's metric cannot use these answers or classes.
    """
    known = suite.task(task)
    text = profile.extraction(suite)(known, prediction)
    several = [answers] if isinstance(answers, str) else answers
    values = list(_values(known.metric, text, several, classes, profile))
    best = max(values, default=0.0)
    total = sum(values) if known.metric in profile.summed else best
    return Score(total, values.index(best) if values else 0, text)


def _values(
    metric: str, text: str, answers: Sequence[str], classes: Sequence[str] | None, profile: Profile
) -> Iterator[float]:
    compare, carry = profile.metric(metric), profile.between.get(metric)
    for answer in answers:
        yield compare(text, answer, classes=classes)
        text = carry(text) if carry else text


def score_rows(
    task: str, rows: Sequence[Prediction], profile: Profile = OFFICIAL, suite: Suite = LONGBENCH
) -> list[Score]:
    """Score all predictions of one task.

    Quirk: the official scorer takes `all_classes` of the file's last row for every row.

    Raises:
        DataError: The task's metric cannot use the answers or classes of a row; the message says which.
    """
    classes = classes_of(task, rows, profile, suite)
    return [_score_at(task, position, row, classes[position], profile, suite) for position, row in enumerate(rows)]


def classes_of(
    task: str, rows: Sequence[Prediction], profile: Profile, suite: Suite = LONGBENCH
) -> list[tuple[str, ...] | None]:
    """The classes that each row is scored with; in a task of the user's own, its own ones."""
    whose = "own" if suite.is_own(task) else profile.classes_of
    shared = {"last": rows[-1:], "first": rows[:1], "own": ()}[whose]
    return [(*shared, row)[0].all_classes for row in rows]


def _score_at(
    task: str, position: int, row: Prediction, classes: Sequence[str] | None, profile: Profile, suite: Suite
) -> Score:
    try:
        return score_row(task, row.pred, row.answers, classes, profile, suite)
    except ValueError as error:
        raise DataError(f"{task}, line {row.line or position + 1}: {error}") from None
