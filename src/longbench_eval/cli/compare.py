"""`longbench-eval compare`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longbench_eval.cli import options

if TYPE_CHECKING:
    from longbench_eval.comparison import CompareSettings, Comparison, Verdict

WORSE_EXIT = 4


def compare(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Run directories or folders of predictions; the others are compared with the first."),
    ],
    form: Annotated[str, typer.Option("--format", help="terminal, markdown, latex, csv, or json.")] = "terminal",
    json: options.Json = False,
    fail_if_worse: Annotated[
        float | None,
        typer.Option("--fail-if-worse", metavar="POINTS", help="Exit 4 when a run is worse than the first by more."),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option("--on", help="What --fail-if-worse looks at: a task, category or average; All by default."),
    ] = None,
    profile: Annotated[str, typer.Option("--profile", help="How to score; see `score`.")] = "official",
    tasks: options.Tasks = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Folder or zip with the rows: tells which share a context, if the runs do not."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the resampling.")] = 0,
    level: Annotated[float, typer.Option("--level", help="Of the intervals.")] = 0.95,
    allow_mismatch: Annotated[
        bool, typer.Option("--allow-mismatch", help="Compare runs on other rows or prompts too; the table says so.")
    ] = False,
) -> None:
    """Compare runs with the first one, row by row: differences, intervals, tests."""
    from longbench_eval.comparison import CompareSettings
    from longbench_eval.stats import Resampling

    settings = CompareSettings(
        profile=profile,
        tasks=options.names(tasks),
        data=data,
        allow_mismatch=allow_mismatch,
        resampling=Resampling(seed=seed, level=level),
    )
    verdicts = carry_out(paths, settings, "json" if json else form, fail_if_worse, on)
    if any(verdict.outcome == "worse" for verdict in verdicts):
        raise typer.Exit(WORSE_EXIT)


def carry_out(
    paths: list[Path], settings: CompareSettings, form: str, points: float | None, on: str | None
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

    if form == "terminal":
        print_comparison(found, options.stdout())
    elif form == "json":
        from dataclasses import asdict
        from json import dumps

        gate = {"gate": [asdict(verdict) for verdict in verdicts]} if verdicts else {}
        print(dumps({**found.to_json(), **gate}, ensure_ascii=False))
    else:
        sys.stdout.write(paste(found, form))
