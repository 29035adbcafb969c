"""Tasks of the user's own, in LongBench's row format: evaluated beside the 21, part of none of their averages."""

from longbench_eval.own.load import OwnTask, load_task, load_tasks

__all__ = ["OwnTask", "load_task", "load_tasks"]
