"""`longbench-eval runs`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from longbench_eval.cli import options
from longbench_eval.cli.run import ROWS_FAILED_EXIT, print_report, print_result

DEFAULT = Path("runs")


@click.group()
def runs() -> None:
    """The runs in a folder: list them, join parts, remove them."""


@runs.command("ls")
@click.argument("folder", type=options.FILE, default=DEFAULT)
@options.json
def ls(folder: Path, as_json: bool) -> None:
    """List runs: rows done, overall score, signature.

    FOLDER holds run directories; runs by default.
    """
    from longbench_eval.runs import list_runs

    # Nothing was run yet: no mistake.
    found = list_runs(folder) if folder != DEFAULT or folder.exists() else []
    if as_json:
        options.print_json([run.to_json() for run in found])
        return
    if not found:
        print(f"no runs in {folder}")
    for run in found:
        overall = "-" if run.overall is None else f"{run.overall:.2f}"
        planned = "?" if run.planned_rows is None else run.planned_rows
        print(f"{run.path}  {run.rows}/{planned} rows  All {overall}  {run.signature or run.problem}")


@runs.command("merge")
@click.argument("parts", metavar="PART...", type=options.FILE, nargs=-1, required=True)
@click.option("--out", type=options.FILE, required=True, help="The run directory to make.")
@options.json
def merge(parts: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Join the parts of a run that was split with --shard.

    PART is a run directory. What no part has is asked by the same run without --shard and with this --out.
    """
    from longbench_eval.runs.merge import merge_runs

    merged = merge_runs(parts, out)
    print_result(merged.path, merged.summary, as_json)
    if not as_json:
        print_report(merged.path)
    if merged.missing:
        print(f"{merged.missing} rows are missing: run it without --shard and with --out {out}", file=sys.stderr)
        click.get_current_context().exit(ROWS_FAILED_EXIT)


@runs.command("rm")
@click.argument("directories", metavar="RUN...", type=options.FILE, nargs=-1, required=True)
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
def rm(directories: tuple[Path, ...], yes: bool) -> None:
    """Delete run directories, after asking; never anything that is not one."""
    from longbench_eval.manifest import load_manifest
    from longbench_eval.runs import remove_run

    for run in directories:
        load_manifest(run)
    for run in directories:
        if yes or click.confirm(f"Delete {run} for good?"):
            remove_run(run)
            print(f"deleted {run}")
