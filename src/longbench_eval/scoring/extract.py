"""The part of a prediction that is compared: what each scorer hands to its metric."""

from __future__ import annotations

from collections.abc import Callable

from longbench_eval.metrics.segment import cut
from longbench_eval.tasks import Task

Extraction = Callable[[Task, str], str]


def first_line(prediction: str) -> str:
    r"""Drop leading newlines and everything from the next newline on (scorer of eval.py, few-shot tasks)."""
    return prediction.lstrip("\n").split("\n")[0]


def extract_official(task: Task, prediction: str) -> str:
    """The first line for few-shot tasks, else all of it: `code_sim` chooses its line itself."""
    return first_line(prediction) if task.first_line else prediction


def extract_lm_eval(task: Task, prediction: str) -> str:
    """What lm-eval's generation keeps, stripped, but for code.

    Its few-shot tasks stop generating at a newline, so that an answer which begins with one is empty. Its code metric
    passes over blank lines, which the official one takes as the (empty) line.
    """
    if task.metric == "code_sim":
        return "\n".join(line for line in prediction.split("\n") if line.strip())
    return (prediction.split("\n")[0] if task.first_line else prediction).strip()


def extract_kvpress(task: Task, prediction: str) -> str:
    """The official part of a prediction that has lost its leading white space, code its indentation."""
    return extract_official(task, prediction.lstrip())


def recut(text: str) -> str:
    """Cut Chinese text into words with spaces between, which is then cut again."""
    return " ".join(cut(text))
