"""LongBench scores for any model: one command, the official number, the evidence for it.

The stages, each usable alone: `load_examples` -> `build_prompt` -> `Model.generate` -> `score_row` -> `summarize`;
`run` goes through all of them, `score` starts from predictions on disk, `evaluate` is the short recipe.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from longbench_eval.version import __version__

if TYPE_CHECKING:
    from longbench_eval.comparison import CompareSettings, Comparison, compare
    from longbench_eval.dataset import load_examples
    from longbench_eval.errors import LongBenchError
    from longbench_eval.metrics import METRICS
    from longbench_eval.models import CallableModel, Model, open_model
    from longbench_eval.own import OwnTask, load_task
    from longbench_eval.prompts import PromptPolicy, build_prompt
    from longbench_eval.records import Completion, Example, Failure, Prompt, Request, Score
    from longbench_eval.reference import published, set_beside
    from longbench_eval.runs import RunPair, RunResult, RunSettings, Sweep, run, run_with_baseline, sweep
    from longbench_eval.scoring import Summary, evaluate, score, score_row
    from longbench_eval.scoring.explain import explain
    from longbench_eval.tasks import TASKS, Task, get_suite

# Names are imported when they are first used, so that the command line starts at once.
_HOMES = {
    "comparison": ("Comparison", "CompareSettings", "compare"),
    "dataset": ("load_examples",),
    "errors": ("LongBenchError",),
    "metrics": ("METRICS",),
    "models": ("CallableModel", "Model", "open_model"),
    "own": ("OwnTask", "load_task"),
    "prompts": ("PromptPolicy", "build_prompt"),
    "records": ("Completion", "Example", "Failure", "Prompt", "Request", "Score"),
    "reference": ("published", "set_beside"),
    "runs": ("RunPair", "RunResult", "RunSettings", "Sweep", "run", "run_with_baseline", "sweep"),
    "scoring": ("Summary", "evaluate", "score", "score_row"),
    "scoring.explain": ("explain",),
    "tasks": ("TASKS", "Task", "get_suite"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "METRICS",
    "TASKS",
    "CallableModel",
    "CompareSettings",
    "Comparison",
    "Completion",
    "Example",
    "Failure",
    "LongBenchError",
    "Model",
    "OwnTask",
    "Prompt",
    "PromptPolicy",
    "Request",
    "RunPair",
    "RunResult",
    "RunSettings",
    "Score",
    "Summary",
    "Sweep",
    "Task",
    "__version__",
    "build_prompt",
    "compare",
    "evaluate",
    "explain",
    "get_suite",
    "load_examples",
    "load_task",
    "open_model",
    "published",
    "run",
    "run_with_baseline",
    "score",
    "score_row",
    "set_beside",
    "sweep",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'longbench_eval' has no attribute {name!r}")
    return getattr(import_module(f"longbench_eval.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
