"""`longbench-eval view`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from longbench_eval.cli import options


def view(
    folder: Annotated[
        Path, typer.Argument(help="A run, or a folder with runs or folders of predictions somewhere in it.")
    ] = Path("runs"),
    data: options.Data = None,
    templates: options.Templates = None,
    host: Annotated[
        str, typer.Option("--host", help="The address to listen on; any but loopback asks visitors for a token.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option("--port", help="The port: 8321, or a free one if that is taken; 0 for a free one.")
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    token: Annotated[
        str | None, typer.Option("--token", help="What visitors must know; made and printed where one is needed.")
    ] = None,
) -> None:
    """Show runs in the browser: every row, its prompt and the cut, side by side."""
    from longbench_eval.viewer.serve import Address, open_browser, serve

    def ready(url: str) -> None:
        print(f"{folder} is at {url} (Ctrl-C ends it)", flush=True)
        if not no_open:
            open_browser(url)

    serve(folder, data, templates, Address(host, port, token), ready)
