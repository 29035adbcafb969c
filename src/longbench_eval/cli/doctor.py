"""`longbench-eval doctor`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from longbench_eval.cli import options

if TYPE_CHECKING:
    from longbench_eval.doctor import Report


@click.command("doctor", cls=options.Command)
@click.option("--model", metavar="KIND:NAME", help="The model to examine; without one, the installation.")
@click.option("--price", metavar="IN,OUT", help="US dollars a million prompt and new tokens.")
@click.option("--quick", is_flag=True, help="Leave out the one prompt as long as the run's longest.")
@options.suite
@options.tasks
@options.own_tasks
@options.limit
@options.rows
@options.prompting
@options.server
@options.pace
@options.computation
@options.checkpoint
@options.json
def doctor(model: str | None, price: str | None, quick: bool, as_json: bool, **given: Any) -> None:
    """Examine a model, or the installation, before hours are spent. Exit code 1: a problem was found."""
    from longbench_eval.doctor import examine, examine_installation, read_price
    from longbench_eval.errors import UsageError

    settings = options.settings_of(given)
    if model is None and (price is not None or settings.server.base_url is not None or quick):
        raise UsageError("--price, --base-url and --quick are for the examination of a model: add --model KIND:NAME.")
    asked = read_price(price) if price is not None else None
    if model is None:
        _print(examine_installation(settings), as_json)
    else:
        _print(examine(model, settings, price=asked, quick=quick, say=_say), as_json)


def _say(what: str) -> None:
    print(f"{what} ...", file=sys.stderr, flush=True)


def _print(report: Report, as_json: bool) -> None:
    if as_json:
        options.print_json(report.to_json())
    else:
        from longbench_eval.reports.examination import print_report

        print_report(report, options.stdout())
    if not report.healthy:
        click.get_current_context().exit(1)
