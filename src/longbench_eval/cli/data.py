"""`longbench-eval data`: fetch the files, prove them, list them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from longbench_eval.cli import options

if TYPE_CHECKING:
    from longbench_eval.dataset.verify import Verdict


@click.group()
def data() -> None:
    """Fetch, verify and list the LongBench files."""


files = click.argument("path", required=False, type=options.FILE)


@data.command("pull")
@click.option("--to", type=options.FILE, metavar="DIR", help="Where to put the files; default: the cache folder.")
@click.option("--repository", metavar="ORG/NAME", help="Dataset repository; default: both its names.")
def pull(to: Path | None, repository: str | None) -> None:
    """Fetch the official task files and templates, checked by hash; run again to go on."""
    from longbench_eval.dataset import pull as pulling

    done = pulling.pull(to, repository=repository, progress=click.echo)
    fetched = sum(item.state == "fetched" for item in done)
    print(f"{len(done)} files in place: {fetched} fetched, {len(done) - fetched} already there and right.")


@data.command("verify")
@files
@click.option("--suite", default="all", help="Whose files to check: longbench, longbench-e or all (the default).")
@options.json
def verify(path: Path | None, suite: str, as_json: bool) -> None:
    """Say of each file whether it is LongBench's; exit 1 when one that is there is not.

    PATH is a folder or zip; by default what `data pull` fetched.
    """
    from longbench_eval.dataset import verify as verifying

    suites = verifying.ALL_SUITES if suite == "all" else (suite,)
    verdicts = verifying.verify(path, suites)
    templates = _templates(path)
    if as_json:
        options.print_json({"files": [_as_json(verdict) for verdict in verdicts], "templates": templates}, indent=1)
    else:
        _print_table(("file", "state", "detail"), ((v.stem, v.state, v.detail) for v in verdicts))
        print(f"templates: {templates['state']}" + (f" ({templates['where']})" if templates["where"] else ""))
    if any(item == "different" for item in [*(v.state for v in verdicts), templates["state"]]):
        click.get_current_context().exit(1)


@data.command("ls")
@files
@options.json
def list_files(path: Path | None, as_json: bool) -> None:
    """List the files that are there: rows, size, and what they proved to be.

    PATH is a folder or zip; by default what `data pull` fetched.
    """
    from longbench_eval.dataset import verify as verifying

    verdicts = [verdict for verdict in verifying.verify(path) if verdict.state != "absent"]
    if as_json:
        options.print_json({"files": [_as_json(verdict) for verdict in verdicts]}, indent=1)
    else:
        cells = ((v.stem, f"{v.rows:,}", f"{v.size / 1e6:.1f} MB", v.proof) for v in verdicts)
        _print_table(("file", "rows", "size", "proof"), cells)


@data.command("noise")
@click.option("--suite", help="Of one suite: longbench, longbench-e or minilongbench; by default of the first two.")
@options.json
def noise(suite: str | None, as_json: bool) -> None:
    """List the rows that are known to be wrong or impossible, and why; `score --without-noise` leaves most out."""
    from longbench_eval.dataset.noise import noise_json, noise_kinds
    from longbench_eval.tasks import get_suite

    suites = [get_suite(name) for name in ((suite,) if suite else ("longbench", "longbench-e"))]
    if as_json:
        options.print_json(noise_json(suites), indent=1)
        return
    from longbench_eval.reports.apart import noise_table

    console = options.stdout()
    console.print(noise_table(suites))
    for kind in noise_kinds():
        console.print(f"{kind.kind}: {kind.why}")


def _as_json(verdict: Verdict) -> dict[str, Any]:
    return {**asdict(verdict), "proof": verdict.proof}


def _templates(path: Path | None) -> dict[str, str]:
    """What the template file near the data proved to be."""
    from longbench_eval.dataset.official import TEMPLATES_SHA256
    from longbench_eval.dataset.templates import find_templates, templates_hash

    found = find_templates(path)
    if found is None:
        return {"state": "absent", "where": "", "sha256": ""}
    where, raw = found
    sha256 = templates_hash(raw)
    return {"state": "exact" if sha256 == TEMPLATES_SHA256 else "different", "where": where, "sha256": sha256}


def _print_table(titles: Iterable[str], rows: Iterable[tuple[str, ...]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(*titles, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    Console(markup=False, highlight=False).print(table)
