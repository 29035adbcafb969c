"""`longbench-eval view`."""

from __future__ import annotations

from pathlib import Path

import click

from longbench_eval.cli import options

HOST_HELP = "The address to listen on; any but loopback asks visitors for a token. 127.0.0.1 by default."
PORT_HELP = "The port: 8321, or a free one if that is taken; 0 for a free one."
TOKEN_HELP = "What visitors must know; made and printed where one is needed."


@click.command()
@click.argument("folder", type=options.FILE, default=Path("runs"))
@options.data
@options.templates
@click.option("--host", default="127.0.0.1", help=HOST_HELP)
@click.option("--port", type=int, help=PORT_HELP)
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
@click.option("--token", help=TOKEN_HELP)
def view(
    folder: Path,
    data: Path | None,
    templates: Path | None,
    host: str,
    port: int | None,
    no_open: bool,
    token: str | None,
) -> None:
    """Show runs in the browser: every row, its prompt and the cut, side by side.

    FOLDER is a run, or has runs or folders of predictions somewhere in it; runs by default.
    """
    from longbench_eval.viewer.serve import Address, open_browser, serve

    def ready(url: str) -> None:
        print(f"{folder} is at {url} (Ctrl-C ends it)", flush=True)
        if not no_open:
            open_browser(url)

    serve(folder, data, templates, Address(host, port, token), ready)
