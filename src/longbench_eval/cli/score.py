"""`longbench-eval score`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from longbench_eval.cli import options

if TYPE_CHECKING:
    from longbench_eval.scoring import Summary

ALL = "all"
PROFILE_HELP = "official (the default), official-levenshtein, lm-eval, opencompass, kvpress; or all, side by side."


@click.command()
@click.argument("paths", metavar="PATH...", type=options.FILE, nargs=-1, required=True)
@click.option("--profile", default="official", help=PROFILE_HELP)
@click.option("--rows", is_flag=True, help="A JSON line a row, with evidence; with --json, its score.")
@click.option("--intervals", is_flag=True, help="How sure the scores are: bootstrap intervals, standard errors.")
@click.option("--seed", type=int, help="Of the intervals; 0 by default.")
@click.option("--strip-thinking", is_flag=True, help="Score only what follows a recorded thought (<think>...</think>).")
@options.own_tasks
@options.json
def score(
    paths: tuple[Path, ...],
    profile: str,
    rows: bool,
    strip_thinking: bool,
    own_tasks: tuple[Path, ...],
    as_json: bool,
    **sure: Any,
) -> None:
    """Score predictions that lie on disk. No model is needed.

    PATH is a run directory or a folder of official-format predictions.
    """
    from longbench_eval.scoring import PROFILES, score_profiles

    _check(rows=rows and not as_json, several=profile == ALL and not as_json, **sure)
    if rows and not as_json:
        _print_rows(paths, profile, strip_thinking, own_tasks)
        return
    profiles = list(PROFILES) if profile == ALL else [profile]
    scored = [score_profiles(path, profiles, strip_thinking=strip_thinking, own_tasks=own_tasks) for path in paths]
    if sure["intervals"]:
        scored = [_with_intervals(summaries, sure["seed"] or 0) for summaries in scored]
    if as_json:
        shapes = [_shape(summaries, profile, rows) for summaries in scored]
        options.print_json(shapes[0] if len(shapes) == 1 else shapes)
        return
    for path, summaries in zip(paths, scored, strict=True):
        if len(paths) > 1:
            print(f"\n{path}")
        _print(summaries)


def _check(*, rows: bool, several: bool, intervals: bool, seed: int | None) -> None:
    """Intervals stand in the table of one profile, and in JSON."""
    from longbench_eval.errors import UsageError

    if intervals and several:
        raise UsageError("Profiles side by side have no room for --intervals: name one profile, or add --json.")
    if intervals and rows:
        raise UsageError("--rows prints rows, which have no intervals: leave out --intervals, or add --json.")
    if seed is not None and not intervals:
        raise UsageError(f"--seed {seed} is for intervals: add --intervals.")


def _with_intervals(summaries: list[Summary], seed: int) -> list[Summary]:
    from longbench_eval.scoring.intervals import with_intervals
    from longbench_eval.stats import Resampling

    return [with_intervals(summary, Resampling(seed=seed)) for summary in summaries]


def _print_rows(paths: tuple[Path, ...], profile: str, strip_thinking: bool, own_tasks: tuple[Path, ...]) -> None:
    from longbench_eval.errors import UsageError
    from longbench_eval.files import json_line
    from longbench_eval.scoring.evidence import rows_with_evidence

    if profile == ALL:
        raise UsageError("--rows shows the evidence of one profile: name one instead of 'all', or add --json.")
    for path in paths:
        for record in rows_with_evidence(path, profile, strip_thinking=strip_thinking, own_tasks=own_tasks):
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
