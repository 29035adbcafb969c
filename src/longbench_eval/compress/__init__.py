"""What may happen to a row's context before it is asked: nothing, left out, retrieved from, or summarized."""

from longbench_eval.compress.change import Changed, ContextChange, Preparation
from longbench_eval.compress.choose import open_change, select_tasks

__all__ = ["Changed", "ContextChange", "Preparation", "open_change", "select_tasks"]
