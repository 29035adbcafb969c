"""`longbench-eval score`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from longbench_eval.cli import options


def score(
    paths: Annotated[list[Path], typer.Argument(help="Run directories or folders of official-format predictions.")],
    profile: Annotated[str, typer.Option("--profile", help="official or official-levenshtein.")] = "official",
    rows: Annotated[bool, typer.Option("--rows", help="With --json: every row's score too.")] = False,
    json: options.Json = False,
) -> None:
    """Score predictions that lie on disk. No model is needed."""
    from longbench_eval.scoring import score as score_path

    summaries = [score_path(path, profile) for path in paths]
    if json:
        from json import dumps

        shapes = [summary.to_json(rows=rows) for summary in summaries]
        print(dumps(shapes[0] if len(shapes) == 1 else shapes, ensure_ascii=False))
        return
    from longbench_eval.reports import print_summary

    for path, summary in zip(paths, summaries, strict=True):
        if len(paths) > 1:
            print(f"\n{path}")
        print_summary(summary, options.stdout())
