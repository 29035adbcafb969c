"""Write the parts of the docs that come from the code; with `--check`, fail when one is stale.

Generated parts stand between `<!-- generated: NAME -->` and `<!-- end -->`, or are whole files.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from longbench_eval.cli.root import app
from longbench_eval.reports.listings import suites_markdown, tasks_markdown

DOCS = Path(__file__).parent
COMMANDS = ("demo", "run", "prompt", "score", "explain", "view", "tasks", "data pull", "data verify", "data ls")
COMMANDS += ("models ls", "models pull", "runs ls", "runs rm")
PART = re.compile(r"(<!-- generated: (?P<name>[\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def help_text(command: str) -> str:
    """What `longbench-eval COMMAND --help` prints, at 80 columns."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        app([*command.split(), "--help"], prog_name="longbench-eval")
    return re.sub(r"[ \t]+$", "", said.getvalue(), flags=re.MULTILINE).strip()


def command_line() -> str:
    """All help texts."""
    parts = [f"## {command or 'longbench-eval'}\n\n```text\n{help_text(command)}\n```\n" for command in ("", *COMMANDS)]
    return "\n" + "\n".join(parts)


PARTS = {"tasks": tasks_markdown, "suites": suites_markdown, "command-line": command_line}


def fresh(text: str) -> str:
    """The same text with its generated parts made anew."""
    return PART.sub(lambda part: part[1] + PARTS[part["name"]]() + part[3], text)


def stale_files() -> Iterator[tuple[Path, str]]:
    """Files whose generated parts differ from the code, with what they should hold."""
    for path in sorted((*DOCS.glob("*.md"), *DOCS.parent.glob("*.md"))):
        text = path.read_text("utf-8")
        if (new := fresh(text)) != text:
            yield path, new


def main() -> int:
    """Update, or check."""
    os.environ["COLUMNS"] = "80"
    stale = list(stale_files())
    for path, text in stale:
        print(f"{'stale' if '--check' in sys.argv else 'updated'}: {path.relative_to(DOCS.parent)}")
        if "--check" not in sys.argv:
            path.write_text(text, "utf-8")
    if stale and "--check" in sys.argv:
        print("run `make docs`")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
