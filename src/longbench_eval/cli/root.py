"""The root command, its subcommands, and how errors are told."""

from __future__ import annotations

import errno
import shlex
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from longbench_eval.cli import data, demo, explain, models, prompt, run, runs, score, tasks, view
from longbench_eval.errors import LongBenchError
from longbench_eval.version import __version__

_DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Root(TyperGroup):
    """Turns what goes wrong on purpose into one message and exit code 1; anything else is a bug and shows itself."""

    def invoke(self, ctx: Any) -> Any:
        """Run the subcommand."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except (LongBenchError, OSError, KeyboardInterrupt) as error:
            print(
                f"\n{message_of(error)}" if isinstance(error, KeyboardInterrupt) else message_of(error), file=sys.stderr
            )
            raise typer.Exit(1) from None


def message_of(error: BaseException) -> str:
    """One message: what went wrong, and what remains."""
    notes = " ".join(getattr(error, "__notes__", ()))
    if isinstance(error, KeyboardInterrupt):
        again = shlex.join(["longbench-eval", *sys.argv[1:]])
        return f"Interrupted. {notes or 'What was done is kept.'} Go on with: {again}"
    text = _os_message(error) if isinstance(error, OSError) else str(error)
    return f"Error: {text}{' ' + notes if notes else ''}"


def _os_message(error: OSError) -> str:
    where = f" while writing {error.filename!r}" if error.filename else ""
    if error.errno in _DISK_FULL:
        return f"No space is left on the disk{where}. Free some and run the same command again."
    return f"{error.strerror or error}{': ' + repr(error.filename) if error.filename else ''}."


app = typer.Typer(
    cls=Root,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="LongBench scores for any model: the official number, with the evidence for it.",
)
app.command("demo")(demo.demo)
app.command("run")(run.run)
app.command("prompt")(prompt.prompt)
app.command("score")(score.score)
app.command("explain")(explain.explain)
app.command("view")(view.view)
app.command("tasks")(tasks.tasks)
app.add_typer(data.app, name="data")
app.add_typer(models.app, name="models")
app.add_typer(runs.app, name="runs")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"longbench-eval {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """LongBench scores for any model: the official number, with the evidence for it."""
