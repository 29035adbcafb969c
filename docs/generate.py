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

import click

from longbench_eval.cli.root import app
from longbench_eval.reports.listings import suites_markdown, tasks_markdown

DOCS = Path(__file__).parent
PART = re.compile(r"(<!-- generated: (?P<name>[\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def help_text(command: str) -> str:
    """What `longbench-eval COMMAND --help` prints, at 80 columns."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        app([*command.split(), "--help"], prog_name="longbench-eval")
    return re.sub(r"[ \t]+$", "", said.getvalue(), flags=re.MULTILINE).strip()


def commands(group: click.Group, path: str = "") -> Iterator[str]:
    """All commands under a group, by the words that call them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ")
        else:
            yield path + name


def command_line() -> str:
    """All help texts."""
    names = ("", *commands(app))
    parts = [f"## {name or 'longbench-eval'}\n\n```text\n{help_text(name)}\n```\n" for name in names]
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
