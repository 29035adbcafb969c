"""`longbench-eval report`."""

from __future__ import annotations

from pathlib import Path

import click

from longbench_eval.cli import options


@click.command()
@click.argument("paths", metavar="RUN...", type=options.FILE, nargs=-1, required=True)
@click.option("--out", type=options.FILE, help="The file; report.html in the run, or in this folder, by default.")
@click.option("--data", type=options.FILE, help="Folder or zip with the rows, to show their questions.")
@click.option("--profile", default="official", help="How to score; see `score`.")
@click.option("--sample", type=int, default=12, help="How many rows of each run are shown; 12 by default.")
@click.option("--seed", type=int, default=0, help="Of the rows drawn and the resampling; 0 by default.")
def report(paths: tuple[Path, ...], out: Path | None, data: Path | None, profile: str, sample: int, seed: int) -> None:
    """Write scores, charts, warnings, set-up and sampled rows into one HTML file.

    RUN is a run directory or a folder of official-format predictions; several are compared with the first.
    """
    from longbench_eval.reports.html import ReportSettings, write_report

    print(write_report(paths, out or _place(paths), ReportSettings(profile, data, sample, seed)))


def _place(paths: tuple[Path, ...]) -> Path:
    """In the run itself, where there is one; never among predictions that another tool made."""
    own = len(paths) == 1 and (paths[0] / "run.json").is_file()
    return paths[0] / "report.html" if own else Path("report.html")
