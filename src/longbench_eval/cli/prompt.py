"""`longbench-eval prompt`."""

from __future__ import annotations

import sys
from typing import Any

import click

from longbench_eval.cli import options

MODEL_HELP = "Whose tokenizer, window and chat template; else the whole prompt."
TASKS_HELP = "The tasks of the run, whose longest answer M must leave room for."


@click.command("prompt", cls=options.Command)
@click.argument("task")
@click.argument("row")
@click.option("--model", help=MODEL_HELP)
@options.suite
@click.option("--tasks", help=TASKS_HELP)
@options.own_tasks
@options.rows
@options.prompting
@options.context
@options.server
@options.checkpoint
@click.option("--ids", is_flag=True, help="Print the token ids instead.")
def prompt(task: str, row: str, model: str | None, ids: bool, **given: Any) -> None:
    """Print exactly what would be sent for one row, the cut marked.

    TASK is a task's name; ROW the row's number in the file, from 0, or its _id.
    """
    from longbench_eval.errors import UsageError
    from longbench_eval.runs.preview import marked, preview

    if task not in (options.names(given["tasks"]) or (task,)):
        given["tasks"] += f",{task}"
    settings = options.settings_of(given)
    if model is None and (ids or settings.max_input_tokens is not None):
        raise UsageError("--ids and --max-input-tokens need a tokenizer: add --model.")
    shown, notes = preview(task, row, model, settings)
    for note in notes:
        print(f"warning: {note}", file=sys.stderr)
    print(" ".join(map(str, shown.token_ids or ())) if ids else marked(shown))
