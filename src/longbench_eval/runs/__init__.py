"""Runs: settings, the directory that holds one, and going through it from rows to scores."""

from longbench_eval.runs.listing import RunInfo, list_runs, remove_run
from longbench_eval.runs.pair import RunPair, run_with_baseline
from longbench_eval.runs.pipeline import RunResult, run
from longbench_eval.runs.settings import RunSettings
from longbench_eval.runs.sweeping import Sweep, SweepPoint, sweep

__all__ = [
    "RunInfo",
    "RunPair",
    "RunResult",
    "RunSettings",
    "Sweep",
    "SweepPoint",
    "list_runs",
    "remove_run",
    "run",
    "run_with_baseline",
    "sweep",
]
