"""`longbench-eval demo`."""

from __future__ import annotations

from pathlib import Path

import click

from longbench_eval.cli import options


@click.command()
@click.option("--model", metavar="KIND:NAME", default="smollm2", help=f"{options.MODEL_HELP}  [default: smollm2]")
@options.out
def demo(model: str, out: Path | None) -> None:
    """Try the installation: two rows of our own a task."""
    from longbench_eval.cli.run import carry_out
    from longbench_eval.runs import RunSettings

    carry_out(model, RunSettings(suite="demo", out=out))
