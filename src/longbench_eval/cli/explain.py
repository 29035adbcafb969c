"""`longbench-eval explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from longbench_eval.cli import options


def explain(
    folder: Annotated[Path, typer.Argument(help="A run directory or a folder of official-format predictions.")],
    result: Annotated[
        Path | None,
        typer.Option("--result", help="The published scores; by default result.json there or one folder up."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Find the rules that reproduce the scores published for predictions."""
    from longbench_eval.scoring.explain import explain as explain_folder

    explanation = explain_folder(folder, result)
    if json:
        from json import dumps

        print(dumps(explanation.to_json(), ensure_ascii=False))
        return
    from longbench_eval.reports import print_explanation

    print_explanation(explanation, options.stdout())
