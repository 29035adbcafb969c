"""The command line: one thin file a command, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import sys

from longbench_eval.cli.root import app

USAGE_EXIT = 2  # what click exits with on unknown options; ours is 1 for every mistake of the user


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 the user's mistake, 3 done but some rows failed."""
    try:
        app()
    except SystemExit as leaving:
        sys.exit(1 if leaving.code == USAGE_EXIT else leaving.code)
