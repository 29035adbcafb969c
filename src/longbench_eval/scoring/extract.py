"""The part of a prediction that is scored."""

from __future__ import annotations

from longbench_eval.tasks import Task


def first_line(prediction: str) -> str:
    r"""Drop leading newlines and everything from the next newline on (scorer of eval.py, few-shot tasks)."""
    return prediction.lstrip("\n").split("\n")[0]


def extract(task: Task, prediction: str) -> str:
    """Return what the official scorer hands to the task's metric.

    `code_sim` chooses its line itself, because it must see the whole prediction to do so.
    """
    return first_line(prediction) if task.first_line else prediction
