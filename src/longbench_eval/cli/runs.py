"""`longbench-eval runs`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from longbench_eval.cli import options

DEFAULT = Path("runs")

app = typer.Typer(no_args_is_help=True, help="The runs in a folder: list them, remove them.")


@app.command("ls")
def ls(
    folder: Annotated[Path, typer.Argument(help="The folder that holds run directories.")] = DEFAULT,
    json: options.Json = False,
) -> None:
    """List runs: rows done, overall score, signature."""
    from longbench_eval.runs import list_runs

    # Nothing was run yet: no mistake.
    found = list_runs(folder) if folder != DEFAULT or folder.exists() else []
    if json:
        from json import dumps

        print(dumps([run.to_json() for run in found], ensure_ascii=False))
        return
    if not found:
        print(f"no runs in {folder}")
    for run in found:
        overall = "-" if run.overall is None else f"{run.overall:.2f}"
        planned = "?" if run.planned_rows is None else run.planned_rows
        print(f"{run.path}  {run.rows}/{planned} rows  All {overall}  {run.signature or run.problem}")


@app.command("rm")
def rm(
    runs: Annotated[list[Path], typer.Argument(help="Run directories to delete.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete run directories, after asking; never anything that is not one."""
    from longbench_eval.manifest import load_manifest
    from longbench_eval.runs import remove_run

    for run in runs:
        load_manifest(run)
    for run in runs:
        if yes or typer.confirm(f"Delete {run} for good?"):
            remove_run(run)
            print(f"deleted {run}")
