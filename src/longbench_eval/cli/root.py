"""The root command, its subcommands, and how errors are told."""

from __future__ import annotations

import errno
import shlex
import sys
from importlib import import_module
from typing import Any

import click

from longbench_eval.errors import LongBenchError
from longbench_eval.version import __version__

# In the order of the help. Each is an attribute of the module of the same name, which is imported when it is asked for.
COMMANDS = (
    "demo",
    "run",
    "sweep",
    "doctor",
    "prompt",
    "score",
    "compare",
    "report",
    "chart",
    "reference",
    "explain",
    "view",
    "tasks",
    "data",
    "models",
    "runs",
)
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Root(click.Group):
    """Turns what goes wrong on purpose into one message and exit code 1; anything else is a bug and shows itself."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import only what is asked for: a command starts as fast as its own part allows."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"longbench_eval.cli.{cmd_name}"), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except (LongBenchError, OSError, KeyboardInterrupt) as error:
            print(
                f"\n{message_of(error)}" if isinstance(error, KeyboardInterrupt) else message_of(error), file=sys.stderr
            )
            ctx.exit(1)


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


@click.group(cls=Root)
@click.version_option(__version__, message="longbench-eval %(version)s", help="Print the version.")
def app() -> None:
    """LongBench scores for any model: the official number, with the evidence for it."""
