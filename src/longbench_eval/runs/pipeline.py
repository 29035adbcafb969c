"""The whole way through: load, render, truncate, generate, extract, score, aggregate."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from longbench_eval.errors import UsageError
from longbench_eval.generate.progress import Progress
from longbench_eval.manifest import Manifest
from longbench_eval.models import CallableModel, Model, open_model
from longbench_eval.models.callable import Generate, Reset
from longbench_eval.models.registry import split_spec
from longbench_eval.own.recorded import OWN_TASKS
from longbench_eval.prompts import adapt_tokenizer
from longbench_eval.runs.collect import Collector
from longbench_eval.runs.directory import open_run
from longbench_eval.runs.finish import finish
from longbench_eval.runs.plan import Inputs, Plan, load_inputs, make_plan, model_options
from longbench_eval.runs.settings import RunSettings
from longbench_eval.scoring import Summary


@dataclass(frozen=True, slots=True)
class RunResult:
    """Where a run lies, and its scores."""

    directory: Path
    summary: Summary


def run(
    model: str | Model | Generate,
    settings: RunSettings = RunSettings(),  # noqa: B008 (frozen)
    *,
    tokenizer: Any = None,
    batch_size: int | None = None,
    reset: Reset | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """Evaluate a model; calling it again finishes what an earlier call left undone.

    Args:
        model: A name such as `"smollm2"` or `"llama.cpp:model.gguf"`, a `Model`, or a function
            `generate(request) -> str`, whose run needs `settings.out`.
        settings: What to ask, and how.
        tokenizer: For a function: the tokenizer of its model.
        batch_size: For a function that takes a list of requests and returns one of answers: how many at most.
        reset: For a function: called before the first request of each context.
        progress: Told of every row; silent by default.

    Raises:
        LongBenchError: With what was given, what was expected, and the remedy. Rows answered before are kept.
    """
    of_function = {"tokenizer": tokenizer, "batch_size": batch_size, "reset": reset}
    check_model(model, of_function, settings)
    inputs = load_inputs(settings)
    with closing(as_model(model, of_function, settings, inputs)) as opened:
        return run_opened(opened, settings, inputs, progress)


def run_opened(model: Model, settings: RunSettings, inputs: Inputs, progress: Progress | None = None) -> RunResult:
    """The same for a model that is loaded and stays so."""
    plan = make_plan(settings, inputs, model)
    with closing(inputs.change), open_run(_place(plan, model), _manifest(plan, model)) as (directory, manifest):
        Collector(plan, model, directory, progress or Progress()).collect(manifest)
        return RunResult(directory.path, finish(directory, manifest))


def check_model(model: object, of_function: Mapping[str, object], settings: RunSettings) -> None:
    """Refuse what cannot be asked, before rows are read."""
    given = [name for name, value in of_function.items() if value is not None]
    if given and (isinstance(model, str) or hasattr(model, "identity")):
        raise UsageError(f"{given[0]}= goes with a function; {model!r} has its own.")
    if isinstance(model, str):
        split_spec(model)
    elif hasattr(model, "identity"):
        return
    elif hasattr(model, "generate") or not callable(model):
        raise UsageError(
            f"A {type(model).__name__} cannot be asked as it is: give a function that takes a request, calls the model "
            "on request.prompt.token_ids, and returns the new text; and give its tokenizer."
        )
    elif settings.out is None:
        raise UsageError(
            "Give a function's run a name: RunSettings(out='runs/my-setting'). What a function does cannot be told "
            "from it, and the answers of another setting must not be taken for this one's."
        )


def as_model(
    model: str | Model | Generate, of_function: Mapping[str, Any], settings: RunSettings, inputs: Inputs
) -> Model:
    """Open a model by its name, or take the one that is given."""
    if isinstance(model, str):
        return open_model(model, model_options(settings, inputs))
    if hasattr(model, "identity"):
        return cast("Model", model)
    tokenizer = adapt_tokenizer(of_function["tokenizer"], settings.chat_setup)
    return CallableModel(model, tokenizer, batch_size=of_function.get("batch_size"), reset=of_function.get("reset"))


def _place(plan: Plan, model: Model) -> Path:
    """The run directory: as named, or after the settings, so that the same command finds its own run again."""
    if plan.settings.out is not None:
        # A function may change the working directory; a command does not, and shows the path as it was named.
        return plan.settings.out.absolute() if isinstance(model, CallableModel) else plan.settings.out
    digest = hashlib.sha256(json.dumps(plan.identity, sort_keys=True).encode()).hexdigest()
    name = "".join(c if c.isalnum() or c in "-._" else "-" for c in model.name)
    return Path("runs") / f"{name}-{plan.inputs.suite.name}-{digest[:6]}"


def _manifest(plan: Plan, model: Model) -> Manifest:
    rows = {
        task: {"proof": found.proof, "sha256": found.sha256, "rows": len(found.examples), "detail": found.detail}
        for task, found in plan.inputs.rows.items()
    }
    evidence = {
        "data": rows,
        "templates": {"sha256": plan.inputs.templates.sha256, "official": plan.inputs.templates.official},
        "model": {"name": model.name, **model.identity(), "window": model.window, "capacity": model.capacity},
        "max_new_tokens": {task: plan.inputs.suite.cap(task) for task in plan.inputs.examples},
        **({} if plan.settings.shard is None else {"places": _places(plan.inputs)}),
        **({OWN_TASKS: {name: own.to_record() for name, own in plan.inputs.own.items()}} if plan.inputs.own else {}),
    }
    suite, settings = plan.inputs.suite.name, plan.settings.to_json()
    return Manifest(suite, plan.identity, plan.signature_choices, settings, plan.warnings, evidence)


def _places(inputs: Inputs) -> dict[str, dict[str, int]]:
    """Where in the data the rows of a part stand, for the merge."""
    places = {}
    for task, examples in inputs.examples.items():
        mine = set(examples.ids)
        places[task] = {id_: at for at, id_ in enumerate(inputs.rows[task].examples.ids) if id_ in mine}
    return places
