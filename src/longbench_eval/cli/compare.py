"""`longbench-eval compare`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from longbench_eval.cli import options

if TYPE_CHECKING:
    from longbench_eval.comparison import CompareSettings, Comparison, Verdict

WORSE_EXIT = 4
FAIL_HELP = "Exit 4 when a run is worse than the first by more."
DATA_HELP = "Folder or zip with the rows: tells which share a context, if the runs do not."


@click.command()
@click.argument("paths", metavar="PATH...", type=options.FILE, nargs=-1, required=True)
@click.option("--format", "form", default="terminal", help="terminal (the default), markdown, latex, csv, or json.")
@options.json
@click.option(
    "--fail-if-worse", metavar="POINTS", type=float, help="Exit 4 when a run is worse than the first by more."
)
@click.option("--on", help="What --fail-if-worse looks at: a task, category or average; All by default.")
@click.option("--profile", default="official", help="How to score; see `score`.")
@options.tasks
@click.option("--data", type=options.FILE, help=DATA_HELP)
@click.option("--seed", type=int, default=0, help="Of the resampling; 0 by default.")
@click.option("--level", type=float, default=0.95, help="Of the intervals; 0.95 by default.")
@click.option("--published", is_flag=True, help="Set one run beside published scores instead; see `reference`.")
@click.option("--allow-mismatch", is_flag=True, help="Compare runs on other rows or prompts too; the table says so.")
def compare(
    paths: tuple[Path, ...], form: str, as_json: bool, fail_if_worse: float | None, on: str | None, **given: Any
) -> None:
    """Compare runs with the first one, row by row: differences, intervals, tests.

    PATH is a run directory or a folder of official-format predictions.
    """
    if given.pop("published"):
        _show_published(paths, "json" if as_json else form)
        return
    settings = _settings(**given)
    verdicts = carry_out(paths, settings, "json" if as_json else form, fail_if_worse, on)
    if any(verdict.outcome == "worse" for verdict in verdicts):
        click.get_current_context().exit(WORSE_EXIT)


def _show_published(paths: tuple[Path, ...], form: str) -> None:
    from click.core import ParameterSource

    from longbench_eval.cli.reference import show_beside
    from longbench_eval.errors import UsageError

    context = click.get_current_context()
    given = [name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if others := [name for name in given if name not in ("paths", "form", "as_json", "published")]:
        raise UsageError(f"--{others[0].replace('_', '-')} does not go with --published, which compares no rows.")
    if len(paths) != 1 or form not in ("terminal", "json"):
        raise UsageError(f"--published takes one run, as a table or --json; given: {len(paths)}, as {form}.")
    show_beside(paths[0], as_json=form == "json")


def _settings(*, tasks: str | None, seed: int, level: float, **given: Any) -> CompareSettings:
    from longbench_eval.comparison import CompareSettings
    from longbench_eval.stats import Resampling

    return CompareSettings(tasks=options.names(tasks), resampling=Resampling(seed=seed, level=level), **given)


def carry_out(
    paths: tuple[Path, ...], settings: CompareSettings, form: str, points: float | None, on: str | None
) -> list[Verdict]:
    """Compare, print, and judge; the verdicts are empty without `points`."""
    from longbench_eval.comparison import compare as compare_runs
    from longbench_eval.comparison import judge
    from longbench_eval.comparison.gate import check_points
    from longbench_eval.errors import UsageError
    from longbench_eval.reports.comparison import check_format, verdict_line

    check_format(form)
    if points is None and on is not None:
        raise UsageError(f"--on {on} says what --fail-if-worse looks at; give --fail-if-worse POINTS too.")
    if points is not None:
        check_points(points)
    found = compare_runs(*paths, settings=settings)
    verdicts = [] if points is None else judge(found, points, on)
    _print(found, verdicts, form)
    for verdict in verdicts if form != "json" else ():
        print(verdict_line(verdict), file=sys.stdout if form == "terminal" else sys.stderr)
    return verdicts


def _print(found: Comparison, verdicts: list[Verdict], form: str) -> None:
    from longbench_eval.reports.comparison import paste, print_comparison
    from longbench_eval.reports.contexts import contrast_of, print_memory

    if form == "terminal":
        print_comparison(found, options.stdout())
        if contrasts := contrast_of(found):
            print()
            print_memory(contrasts, options.stdout())
    elif form == "json":
        from dataclasses import asdict

        gate = {"gate": [asdict(verdict) for verdict in verdicts]} if verdicts else {}
        options.print_json({**found.to_json(), **gate})
    else:
        sys.stdout.write(paste(found, form))
