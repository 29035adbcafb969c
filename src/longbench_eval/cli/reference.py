"""`longbench-eval reference`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from longbench_eval.cli import options

TABLE_HELP = "longbench (the default), longbench-e, retrieval, summarization, or no-context."


@click.command()
@click.argument("model", required=False)
@click.option("--table", default="longbench", help=TABLE_HELP)
@click.option("--beside", type=options.FILE, metavar="RUN", help="Set a run, or a folder of predictions, beside them.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@options.json
def reference(model: str | None, table: str, beside: Path | None, markdown: bool, as_json: bool) -> None:
    """List published scores and where they stand, or set a run beside them.

    MODEL is a model's name or a part of it: then every task is shown. A run is set beside MODEL, or else beside the
    models that are nearest to it.
    """
    if beside is not None:
        _beside(beside, model, as_json, {"--table": table != "longbench", "--markdown": markdown})
        return
    from longbench_eval.reference import published, sources

    rows = published(model, table)
    if as_json:
        used = {row.source: sources()[row.source] for row in rows}
        options.print_json({"rows": [row.to_json() for row in rows], "sources": _shapes(used)}, indent=1)
        return
    from longbench_eval.reports.reference import print_published, published_markdown

    by_task = model is not None
    if markdown:
        print(published_markdown(rows, by_task=by_task), end="")
    else:
        print_published(rows, options.stdout(), by_task=by_task)


def _shapes(records: dict[str, Any]) -> dict[str, Any]:
    from dataclasses import asdict

    return {key: asdict(record) for key, record in records.items()}


def _beside(path: Path, model: str | None, as_json: bool, unfit: dict[str, bool]) -> None:
    from longbench_eval.errors import UsageError

    if names := [name for name, given in unfit.items() if given]:
        raise UsageError(f"{names[0]} does not go with --beside: the run's suite says which table it is set beside.")
    show_beside(path, model, as_json=as_json)


def show_beside(path: Path, model: str | None = None, *, as_json: bool = False) -> None:
    """Print a run beside published scores; `compare RUN --published` does so too."""
    from longbench_eval.reference import set_beside
    from longbench_eval.scoring import score

    found = set_beside(score(path), model)
    if as_json:
        options.print_json(found.to_json(), indent=1)
        return
    from longbench_eval.reports.reference import print_beside

    print_beside(found, options.stdout())
