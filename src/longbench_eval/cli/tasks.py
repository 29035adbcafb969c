"""`longbench-eval tasks`."""

from __future__ import annotations

from typing import Annotated

import typer

from longbench_eval.cli import options


def tasks(
    suites: Annotated[bool, typer.Option("--suites", help="List the suites instead.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table of the docs.")] = False,
    json: options.Json = False,
) -> None:
    """List the 21 tasks: how each is asked and scored."""
    from longbench_eval.reports import listings

    if json:
        from json import dumps

        print(dumps(listings.suites_json() if suites else listings.tasks_json(), ensure_ascii=False))
    elif markdown:
        print(listings.tasks_markdown(), end="")
    else:
        options.stdout().print(listings.suites_table() if suites else listings.tasks_table())
