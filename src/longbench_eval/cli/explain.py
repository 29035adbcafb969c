"""`longbench-eval explain`."""

from __future__ import annotations

from pathlib import Path

import click

from longbench_eval.cli import options


@click.command()
@click.argument("folder", type=options.FILE)
@click.option(
    "--result", type=options.FILE, help="The published scores; by default result.json there or one folder up."
)
@options.json
def explain(folder: Path, result: Path | None, as_json: bool) -> None:
    """Find the rules that reproduce the scores published for predictions.

    FOLDER is a run directory or a folder of official-format predictions.
    """
    from longbench_eval.scoring.explain import explain as explain_folder

    explanation = explain_folder(folder, result)
    if as_json:
        options.print_json(explanation.to_json())
        return
    from longbench_eval.reports import print_explanation

    print_explanation(explanation, options.stdout())
