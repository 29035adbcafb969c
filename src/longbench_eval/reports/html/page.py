"""Runs to one self-contained HTML page: no script, no network, nothing that a reader's browser would have to fetch."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from longbench_eval.charts.look import variables
from longbench_eval.charts.parts import missing_extra
from longbench_eval.errors import UsageError
from longbench_eval.files import write_atomic
from longbench_eval.reports.html.read import Reported, ReportSettings, compared, read_runs
from longbench_eval.version import __version__


def write_report(paths: Sequence[Path | str], out: Path, settings: ReportSettings = ReportSettings()) -> Path:  # noqa: B008
    """Write the report of runs.

    Args:
        paths: Run directories, or folders of official-format predictions.
        out: The file; its folder is made.
        settings: How to score, and which rows to show.

    Raises:
        UsageError: The `report` extra is not installed, or a setting is impossible.
        LongBenchError: A run cannot be read.
    """
    write_atomic(out, render_report([Path(path) for path in paths], settings))
    return out


def render_report(paths: Sequence[Path], settings: ReportSettings) -> str:
    """The report as text; see `write_report`."""
    if settings.sample < 0:
        raise UsageError(f"--sample is {settings.sample}; expected a number of rows from 0.")
    try:
        import jinja2
    except ImportError as error:
        raise missing_extra(error.name or "jinja2") from None
    from longbench_eval.reports.html.texts import clean, visible

    loader = jinja2.PackageLoader("longbench_eval.reports.html")
    undefined = jinja2.StrictUndefined
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=undefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["visible"] = visible
    page = environment.get_template("report.html").render(_content(paths, settings))
    return clean(page)


def _content(paths: Sequence[Path], settings: ReportSettings) -> dict[str, Any]:
    from longbench_eval.reports.html.cite import BIBTEX
    from longbench_eval.reports.html.figures import figures
    from longbench_eval.reports.html.versus import versus

    runs, css = read_runs(paths, settings), style()
    comparison, why_not = compared(paths, settings) if len(paths) > 1 else (None, "")
    return {
        "css": css,
        "css_hash": b64encode(hashlib.sha256(css.encode("utf-8")).digest()).decode("ascii"),
        "version": __version__,
        "title": _title(runs),
        "runs": [{**_run(run, settings), "letter": chr(65 + n)} for n, run in enumerate(runs)],
        "versus": versus(comparison) if comparison else None,
        "why_not": why_not,
        "figures": figures(runs),
        "bibtex": BIBTEX,
    }


def _title(runs: Sequence[Reported]) -> str:
    if len(runs) == 1:
        return runs[0].model
    return f"{len(runs)} runs on {runs[0].summary.suite.name}"


def _run(run: Reported, settings: ReportSettings) -> dict[str, Any]:
    from longbench_eval.reports.html import rows, scores, setup

    summary = run.summary
    return {
        "name": run.name,
        "model": run.model,
        "suite": summary.suite.name,
        "about": summary.suite.about,
        "profile": summary.profile,
        "by_length": summary.bucket_averages is not None,
        "rows_total": sum(task.n for task in summary.tasks.values()),
        "tasks_total": len(summary.tasks),
        "headline": scores.headline(summary),
        "groups": scores.groups(summary),
        "counts": {name: scores.COUNTS[name] for name in scores.counted(summary)},
        "never": [about for name, about in scores.COUNTS.items() if name not in scores.counted(summary)],
        "made_here": run.manifest is not None,
        "warnings": scores.warnings(summary),
        "cuts": scores.cuts(summary),
        "records_cuts": scores.records_cuts(summary),
        "signature": str(summary.signature),
        "setup": setup.setup(run),
        "data": setup.data_rows(run),
        "command": setup.command(run),
        "sample": rows.sampled(run, settings),
    }


def style() -> str:
    """The sheet: the viewer's colours and fonts, the charts' colours, and the report's own rules."""
    package = files("longbench_eval")
    shared = (package / "viewer" / "static" / "style.css").read_text("utf-8").split("\n* {", 1)[0]
    own = (package / "reports" / "html" / "templates" / "report.css").read_text("utf-8")
    light, dark = variables("light"), variables("dark")
    charts = f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    paper = f"@media print {{ :root {{ color-scheme: light; {light} }} }}"
    return f"{shared}\n{charts}\n{own}\n{paper}\n"
