"""One prediction against its reference answers."""

from __future__ import annotations

from collections.abc import Sequence

from longbench_eval.predictions import Prediction
from longbench_eval.records import Score
from longbench_eval.scoring.extract import extract
from longbench_eval.scoring.profiles import PROFILES, Profile
from longbench_eval.tasks import get_task

OFFICIAL = PROFILES["official"]


def score_row(
    task: str,
    prediction: str,
    answers: Sequence[str],
    classes: Sequence[str] | None = None,
    profile: Profile = OFFICIAL,
) -> Score:
    """Score one prediction: the maximum of the task's metric over the reference answers, in [0, 1].

    Args:
        task: The task's name.
        prediction: The model's answer, whole.
        answers: The reference answers; with none the score is 0, as in the official scorer.
        classes: All classes, for the classification tasks.
        profile: How to score.
    """
    metric = profile.metric(get_task(task).metric)
    extracted = extract(get_task(task), prediction)
    best, index = 0.0, 0
    for i, answer in enumerate(answers):
        value = metric(extracted, answer, classes=classes)
        if value > best:
            best, index = value, i
    return Score(best, index, extracted)


def score_rows(task: str, rows: Sequence[Prediction], profile: Profile = OFFICIAL) -> list[Score]:
    """Score all predictions of one task.

    Quirk: the official scorer takes `all_classes` of the file's last row for every row.
    """
    classes = rows[-1].all_classes if rows else None
    return [score_row(task, row.pred, row.answers, classes, profile) for row in rows]
