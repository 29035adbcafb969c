"""`longbench-eval score`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from longbench_eval.cli import options

if TYPE_CHECKING:
    from rich.console import Console

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
@click.option("--cut", is_flag=True, help="What the length limit cut out, and the scores of cut and other rows apart.")
@click.option("--without-noise", is_flag=True, help="Beside each score the one without rows known to be wrong.")
@options.own_tasks
@options.json
def score(
    paths: tuple[Path, ...],
    profile: str,
    rows: bool,
    strip_thinking: bool,
    own_tasks: tuple[Path, ...],
    as_json: bool,
    **given: Any,
) -> None:
    """Score predictions that lie on disk. No model is needed.

    PATH is a run directory or a folder of official-format predictions.
    """
    from longbench_eval.scoring import PROFILES, score_profiles

    apart, sure = Apart(given.pop("cut"), given.pop("without_noise")), given
    _check(rows=rows and not as_json, several=profile == ALL and not as_json, **sure)
    if rows and not as_json:
        _print_rows(paths, profile, strip_thinking, own_tasks)
        return
    profiles = list(PROFILES) if profile == ALL else [profile]
    scored = [score_profiles(path, profiles, strip_thinking=strip_thinking, own_tasks=own_tasks) for path in paths]
    if sure["intervals"]:
        scored = [_with_intervals(summaries, sure["seed"] or 0) for summaries in scored]
    if as_json:
        shapes = [_shape(summaries, profile, rows, apart) for summaries in scored]
        options.print_json(shapes[0] if len(shapes) == 1 else shapes)
        return
    for path, summaries in zip(paths, scored, strict=True):
        if len(paths) > 1:
            print(f"\n{path}")
        _print(summaries, apart)


class Apart(NamedTuple):
    """Which rows are set apart."""

    cut: bool
    noise: bool


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


def _shape(summaries: list[Summary], profile: str, rows: bool, apart: Apart) -> dict[str, Any]:
    """One object for one profile; for all of them, an object by name."""
    shapes = {summary.profile: _shape_of(summary, rows, apart) for summary in summaries}
    return shapes if profile == ALL else shapes[profile]


def _shape_of(summary: Summary, rows: bool, apart: Apart) -> dict[str, Any]:
    shape = summary.to_json(rows=rows)
    for name, task in {**shape["tasks"], **shape.get("own_tasks", {})}.items() if apart.cut else ():
        task.update(summary.tasks[name].cut_json())
    if apart.noise:
        from longbench_eval.scoring.noise import without_noise

        without_noise(summary).add_to(shape)
    return shape


def _print(summaries: list[Summary], apart: Apart) -> None:
    from longbench_eval.reports import print_profiles, print_summary

    if len(summaries) > 1:
        print_profiles(summaries, options.stdout())
    else:
        print_summary(summaries[0], options.stdout())
    for summary in summaries if any(apart) else ():
        _print_apart(summary, apart, f"\n{summary.profile}:" if len(summaries) > 1 else "", options.stdout())


def _print_apart(summary: Summary, apart: Apart, heading: str, console: Console) -> None:
    """Further tables, each under a heading."""
    from longbench_eval.reports.apart import print_cuts, print_without_noise

    for asked, show in ((apart.cut, print_cuts), (apart.noise, print_without_noise)):
        if asked:
            print(heading)
            show(summary, console)
