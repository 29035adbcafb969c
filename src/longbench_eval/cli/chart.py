"""`longbench-eval chart`."""

from __future__ import annotations

from pathlib import Path

import click

from longbench_eval.cli import options


@click.command()
@click.argument("kind")
@click.argument("paths", metavar="RUN...", type=options.FILE, nargs=-1, required=True)
@click.option("--out", type=options.FILE, required=True, help="The file: .svg, .png, .pdf, or .json (Vega-Lite).")
@click.option("--look", default="light", help="light (the default) or dark.")
@click.option("--width", type=int, default=680, help="In pixels; 680 by default.")
@click.option("--profile", default="official", help="How to score; see `score`.")
def chart(kind: str, paths: tuple[Path, ...], out: Path, look: str, width: int, profile: str) -> None:
    """Draw one chart of runs.

    KIND is radar, bars, tasks, length, distribution, context, budget (score against M), or cost. RUN is a run directory
    or a folder of official-format predictions.
    """
    from longbench_eval.charts import KINDS, Frame, draw, save
    from longbench_eval.charts.save import form_of
    from longbench_eval.errors import UsageError, unknown_name
    from longbench_eval.reports.html.read import ReportSettings, read_runs

    form_of(out)
    if kind not in KINDS:
        raise unknown_name("chart", kind, KINDS)
    if not 200 <= width <= 4000:
        raise UsageError(f"--width is {width}; expected 200 to 4000 pixels.")
    runs = read_runs(paths, ReportSettings(profile))
    save(draw(kind, {run.name: run.summary for run in runs}, Frame(width, look)), out)
    print(out)
