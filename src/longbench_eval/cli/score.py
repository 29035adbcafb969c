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
    rows: Annotated[bool, typer.Option("--rows", help="With --json: every row's score too.")] = False,
    json: options.Json = False,
) -> None:
    """Score predictions that lie on disk. No model is needed."""
    from longbench_eval.scoring import PROFILES, score_profiles

    profiles = list(PROFILES) if profile == ALL else [profile]
    scored = [score_profiles(path, profiles) for path in paths]
    if json:
        from json import dumps

        shapes = [_shape(summaries, profile, rows) for summaries in scored]
        print(dumps(shapes[0] if len(shapes) == 1 else shapes, ensure_ascii=False))
        return
    for path, summaries in zip(paths, scored, strict=True):
        if len(paths) > 1:
            print(f"\n{path}")
        _print(summaries)


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
