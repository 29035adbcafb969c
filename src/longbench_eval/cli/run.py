"""`longbench-eval run`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from longbench_eval.cli import options

if TYPE_CHECKING:
    from pathlib import Path

    from longbench_eval.runs import RunPair, RunSettings
    from longbench_eval.scoring import Summary

ROWS_FAILED_EXIT = 3


@click.command("run", cls=options.Command)
@options.model
@options.suite
@options.tasks
@options.own_tasks
@options.limit
@options.shard
@options.rows
@options.out
@options.prompting
@options.deterministic
@options.context
@click.option("--with-baseline", is_flag=True, help="Run with and without documents (or --compress), and compare.")
@options.server
@options.pace
@options.computation
@options.checkpoint
@options.json
def run(model: str, with_baseline: bool, as_json: bool, **given: Any) -> None:
    """Evaluate a model. Running the same command again finishes what is left."""
    (carry_out_pair if with_baseline else carry_out)(model, options.settings_of(given), as_json=as_json)


def carry_out(model: str, settings: RunSettings, *, as_json: bool = False) -> None:
    """Run, print the table (or JSON), and exit with 3 when rows failed."""
    from longbench_eval.generate.progress import for_stream
    from longbench_eval.runs import run as run_settings

    result = run_settings(model, settings, progress=for_stream())
    print_result(result.directory, result.summary, as_json)
    if not as_json:
        print_report(result.directory)
    if result.summary.failed:
        click.get_current_context().exit(ROWS_FAILED_EXIT)


def carry_out_pair(model: str, settings: RunSettings, *, as_json: bool = False) -> None:
    """Run with the documents as they are and then as the settings say, and print both side by side."""
    from longbench_eval.generate.progress import for_stream
    from longbench_eval.runs import run_with_baseline

    pair = run_with_baseline(model, settings, progress=for_stream())
    if as_json:
        _print_pair_json(pair)
    else:
        from longbench_eval.reports import print_contrast

        print_contrast(pair.baseline.summary, pair.changed.summary, options.stdout())
        print(f"runs: {pair.baseline.directory} {pair.changed.directory}")
        print_report(pair.baseline.directory, pair.changed.directory)
    if pair.baseline.summary.failed or pair.changed.summary.failed:
        click.get_current_context().exit(ROWS_FAILED_EXIT)


def _print_pair_json(pair: RunPair) -> None:
    from longbench_eval.reports.contexts import contrast

    runs = {"baseline": pair.baseline, "changed": pair.changed}
    shape = {name: {"run": str(one.directory), **one.summary.to_json(counts=True)} for name, one in runs.items()}
    tasks = [line.to_json() for line in contrast(pair.baseline.summary, pair.changed.summary)]
    options.print_json({**shape, "tasks": tasks})


def print_result(directory: Path, summary: Summary, as_json: bool) -> None:
    """Print a run's scores and where it lies."""
    if as_json:
        options.print_json({"run": str(directory), **summary.to_json(counts=True)})
        return
    from longbench_eval.reports import print_summary

    print_summary(summary, options.stdout())
    print(f"run: {directory}")


def print_report(*runs: Path, folder: Path | None = None) -> None:
    """Write a report of runs, or say how to get it; they are done whether or not this works.

    It goes into the folder, or into the last run.
    """
    from longbench_eval.errors import LongBenchError, UsageError
    from longbench_eval.reports.html import write_report

    try:
        print(f"report: {write_report(runs, (folder or runs[-1]) / 'report.html')}")
    except UsageError as error:
        print(f"no report: {error}")
    except (LongBenchError, OSError) as error:
        again = f"longbench-eval report {' '.join(map(str, runs))}"
        print(f"no report: {error} The scores above stand; `{again}` tries again.")
