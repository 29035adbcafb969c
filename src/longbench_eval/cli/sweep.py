"""`longbench-eval sweep`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from longbench_eval.cli import options
from longbench_eval.cli.run import ROWS_FAILED_EXIT, print_report


@click.command("sweep", cls=options.Command)
@options.model
@click.option("--max-input-tokens", metavar="M,M,...", required=True, help="The lengths to cut prompts to, in tokens.")
@click.option("--truncate", metavar="WAY,WAY", help="Where to cut: middle (the default), left, right, or several.")
@options.suite
@options.tasks
@options.own_tasks
@options.limit
@options.shard
@options.rows
@click.option("--out", type=options.FILE, help="Folder for the runs; each under runs/ by default.")
@options.wrapping
@options.deterministic
@options.context
@options.server
@options.pace
@options.computation
@options.checkpoint
@options.json
def sweep(
    model: str, max_input_tokens: str, truncate: str | None, out: Path | None, as_json: bool, **given: Any
) -> None:
    """Score against prompt length: a run for each M, the model loaded once.

    Running the same command again finishes what is left; runs that are done are taken as they are.
    """
    from longbench_eval.generate.progress import for_stream
    from longbench_eval.runs.sweeping import sweep as sweep_settings

    budgets, ways = _numbers(max_input_tokens), options.names(truncate) or ()
    settings = options.settings_of({**given, "out": out})
    done = sweep_settings(model, settings, budgets, ways, progress=for_stream(), announce=_say)
    if as_json:
        options.print_json(done.to_json())
    else:
        from longbench_eval.reports.sweep import print_sweep

        print_sweep(done, options.stdout())
        print_report(*dict.fromkeys(point.result.directory for point in done.points), folder=out)
    if done.failed:
        click.get_current_context().exit(ROWS_FAILED_EXIT)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _numbers(text: str) -> list[int]:
    from longbench_eval.errors import UsageError

    words = options.names(text) or ()
    if not words or not all(word.isdecimal() for word in words):
        raise UsageError(f"--max-input-tokens is {text!r}; expected whole numbers, such as 2000,4000,8000.")
    return [int(word) for word in words]
