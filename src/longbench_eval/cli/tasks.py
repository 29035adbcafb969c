"""`longbench-eval tasks`."""

from __future__ import annotations

import click

from longbench_eval.cli import options


@click.command()
@click.option("--suites", is_flag=True, help="List the suites instead.")
@click.option("--markdown", is_flag=True, help="Print the table of the docs.")
@options.json
def tasks(suites: bool, markdown: bool, as_json: bool) -> None:
    """List the 21 tasks: how each is asked and scored."""
    from longbench_eval.reports import listings

    if as_json:
        options.print_json(listings.suites_json() if suites else listings.tasks_json())
    elif markdown:
        print(listings.tasks_markdown(), end="")
    else:
        options.stdout().print(listings.suites_table() if suites else listings.tasks_table())
