"""The command line: one thin file a command, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import contextlib
import io
import sys

USAGE_EXIT = 2  # what click exits with on unknown options; ours is 1 for every mistake of the user


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 the user's mistake, 3 done but some rows failed, 4 worse."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError, OSError):  # a row may hold what the terminal cannot show
                stream.reconfigure(errors="backslashreplace")
    try:
        from longbench_eval.cli.root import app

        app()
    except KeyboardInterrupt:
        sys.exit("Interrupted.")
    except SystemExit as leaving:
        sys.exit(1 if leaving.code == USAGE_EXIT else leaving.code)
