"""A recorded run: it answers nothing but its own rows."""

from __future__ import annotations

from collections.abc import Iterator

from longbench_eval.doctor.asked import Asked
from longbench_eval.doctor.finding import Finding, notice, ok, problem
from longbench_eval.models.base import Model
from longbench_eval.records import Prompt, Request

# A replay may be told to take its time over every row.
_TRIED_ROWS = 5


def check_replay(model: Model, asked: Asked) -> Iterator[Finding]:
    """Try the first rows of every task asked for."""
    yield ok("model", f"{model.name} is a recorded run; nothing is generated, and nothing costs anything")
    if asked.missing is not None:
        yield notice("data", f"which rows it answers cannot be told: {asked.missing}", "longbench-eval data pull")
        return
    lacking = [task for task in asked.inputs.examples if not _answers(model, asked, task)]
    if not lacking:
        yield ok("rows", "the first rows of every task asked for have recorded answers")
    else:
        have = [task for task in asked.inputs.examples if task not in lacking]
        message = f"no recorded answers to the first rows of {', '.join(lacking)}"
        remedy = (
            f"Ask for those it has: --tasks {','.join(have)}."
            if have
            else "Name the run that was made with these rows."
        )
        yield problem("rows", message, remedy)


def _answers(model: Model, asked: Asked, task: str) -> bool:
    rows = asked.inputs.examples[task][:_TRIED_ROWS]
    requests = [Request(task, Prompt(row.id, "", False, None, None), 1) for row in rows]
    return all(answer.error is None for answer in model.generate(requests))
