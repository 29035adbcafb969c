"""`longbench-eval score`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longbench_eval.cli import options

if TYPE_CHECKING:
    from longbench_eval.scoring import Summary

ALL = "all"


def score(
    paths: Annotated[list[Path], typer.Argument(help="Run directories or folders of official-format predictions.")],
    profile: Annotated[
        str,
        typer.Option(
            "--profile",
            help="official, official-levenshtein, lm-eval, opencompass, kvpress; or all, side by side.",
        ),
    ] = "official",
    rows: Annotated[
        bool, typer.Option("--rows", help="A JSON line a row, with evidence; with --json, its score.")
    ] = False,
    intervals: Annotated[
        bool, typer.Option("--intervals", help="How sure the scores are: bootstrap intervals, standard errors.")
    ] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="Of the intervals; 0 by default.")] = None,
    json: options.Json = False,
) -> None:
    """Score predictions that lie on disk. No model is needed."""
    from longbench_eval.scoring import PROFILES, score_profiles

    _check(rows=rows and not json, intervals=intervals, seed=seed)
    if rows and not json:
        _print_rows(paths, profile)
        return
    profiles = list(PROFILES) if profile == ALL else [profile]
    scored = [score_profiles(path, profiles) for path in paths]
    if intervals:
        scored = [_with_intervals(summaries, seed or 0) for summaries in scored]
    if json:
        from json import dumps

        shapes = [_shape(summaries, profile, rows) for summaries in scored]
        print(dumps(shapes[0] if len(shapes) == 1 else shapes, ensure_ascii=False))
        return
    for path, summaries in zip(paths, scored, strict=True):
        if len(paths) > 1:
            print(f"\n{path}")
        _print(summaries)


def _check(*, rows: bool, intervals: bool, seed: int | None) -> None:
    from longbench_eval.errors import UsageError

    if intervals and rows:
        raise UsageError("--rows prints rows, which have no intervals: leave out --intervals, or add --json.")
    if seed is not None and not intervals:
        raise UsageError(f"--seed {seed} is for intervals: add --intervals.")


def _with_intervals(summaries: list[Summary], seed: int) -> list[Summary]:
    from longbench_eval.scoring.intervals import with_intervals
    from longbench_eval.stats import Resampling

    return [with_intervals(summary, Resampling(seed=seed)) for summary in summaries]


def _print_rows(paths: list[Path], profile: str) -> None:
    import sys

    from longbench_eval.errors import UsageError
    from longbench_eval.files import json_line
    from longbench_eval.scoring.evidence import rows_with_evidence

    if profile == ALL:
        raise UsageError("--rows shows the evidence of one profile: name one instead of 'all', or add --json.")
    for path in paths:
        for record in rows_with_evidence(path, profile):
            sys.stdout.buffer.write(json_line({"path": str(path), **record}).encode("utf-8"))


def _shape(summaries: list[Summary], profile: str, rows: bool) -> dict[str, Any]:
    """One object for one profile; for all of them, an object by name."""
    shapes = {summary.profile: summary.to_json(rows=rows) for summary in summaries}
    return shapes if profile == ALL else shapes[profile]


def _print(summaries: list[Summary]) -> None:
    from longbench_eval.reports import print_profiles, print_summary

    if len(summaries) > 1:
        print_profiles(summaries, options.stdout())
    else:
        print_summary(summaries[0], options.stdout())
