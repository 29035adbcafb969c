"""`longbench-eval demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from longbench_eval.cli import options


def demo(
    model: options.Model = "smollm2",
    out: Annotated[Path | None, typer.Option("--out", help="The run directory; under runs/ by default.")] = None,
) -> None:
    """Try the installation: two rows of our own a task."""
    from longbench_eval.cli.run import carry_out
    from longbench_eval.runs import RunSettings

    carry_out(model, RunSettings(suite="demo", out=out))
