"""The short recipe that circulates beside the per-task scorers."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from longbench_eval.errors import UsageError
from longbench_eval.metrics import METRICS
from longbench_eval.scoring.extract import first_line

_METRICS = {"qa": "qa_f1", "summarization": "rouge", "code": "code_sim"}
_FIRST_LINE = frozenset({"fewshot", "code"})


def evaluate(predictions: Sequence[str], golds: Sequence[str | Sequence[str]], task_types: Sequence[str]) -> float:
    """Mean score of predictions by kind of task, in [0, 1].

    This is no LongBench score: there the metric is chosen by task, see `score_row`.

    Args:
        predictions: Answers.
        golds: For each, a reference answer or several, of which the best counts.
        task_types: For each, `qa` (F1), `summarization` (ROUGE-L), `code` (edit similarity, to which a line that looks
            like a comment is empty), or `fewshot` and anything else (exact match but for white space around). Of
            `fewshot` and `code` only the first line counts.

    Raises:
        UsageError: The three differ in length, or are empty.
    """
    if not len(predictions) == len(golds) == len(task_types):
        raise UsageError(
            f"evaluate() needs as many golds and task types as predictions; it got {len(predictions)} predictions, "
            f"{len(golds)} golds and {len(task_types)} task types."
        )
    if not predictions:
        raise UsageError("evaluate() needs at least one prediction.")
    return fsum(map(_score, predictions, golds, task_types)) / len(predictions)


def _score(prediction: str, gold: str | Sequence[str], task_type: str) -> float:
    answers = [gold] if isinstance(gold, str) else gold
    text = first_line(prediction) if task_type in _FIRST_LINE else prediction
    return max((_compare(text, answer, task_type) for answer in answers), default=0.0)


def _compare(text: str, answer: str, task_type: str) -> float:
    if task_type in _METRICS:
        return METRICS[_METRICS[task_type]](text, answer)
    return float(text.strip() == answer.strip())
