"""A run with contexts changed, and its baseline: the same rows with their documents as they are."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from longbench_eval.compress import ContextChange, select_tasks
from longbench_eval.generate.progress import Progress
from longbench_eval.models import Model
from longbench_eval.models.callable import Generate
from longbench_eval.runs.pipeline import RunResult, as_model, check_model, run_opened
from longbench_eval.runs.plan import load_inputs
from longbench_eval.runs.settings import RunSettings
from longbench_eval.tasks import get_suite


@dataclass(frozen=True, slots=True)
class RunPair:
    """Two runs over the same rows.

    Attributes:
        baseline: With the documents as they are.
        changed: Without them, or with what a compression left.
    """

    baseline: RunResult
    changed: RunResult


def run_with_baseline(
    model: str | Model | Generate,
    settings: RunSettings,
    *,
    tokenizer: Any = None,
    progress: Progress | None = None,
) -> RunPair:
    """Make both runs, the baseline first, with one loaded model.

    Args:
        model: As for `run`.
        settings: Of the changed run; where they change nothing, it is asked without documents. `out` names the
            baseline; the other run lies beside it, as `NAME-no-context` or, say, `NAME-bm25-200-7`, so that several
            changes share one baseline.
        tokenizer: As for `run`.
        progress: As for `run`.

    Raises:
        LongBenchError: As `run` does. Calling it again finishes what is left of either run.
    """
    of_function = {"tokenizer": tokenizer}
    check_model(model, of_function, settings)
    settings.check()
    changed = settings if settings.compress else replace(settings, no_context=True)
    changed = replace(changed, tasks=select_tasks(changed, get_suite(settings.suite)))
    plain = replace(changed, no_context=False, compress=None)
    inputs = load_inputs(changed)
    with closing(as_model(model, of_function, plain, inputs)) as opened:
        baseline = run_opened(opened, plain, replace(inputs, change=ContextChange()), progress)
        changed = replace(changed, out=_beside(baseline.directory, inputs.change))
        return RunPair(baseline, run_opened(opened, changed, inputs, progress))


def _beside(baseline: Path, change: ContextChange) -> Path:
    """Where the changed run lies: named after the baseline and the change."""
    what = "no-context" if change.name == "none" else re.sub(r"[^\w.-]+", "-", change.name).strip("-")
    place = baseline if baseline.name not in ("", "..") else baseline.resolve()
    return place.with_name(f"{place.name}-{what}")
