"""What `doctor` found, on the terminal."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.table import Table
from rich.text import Text

from longbench_eval.doctor import Finding, Report

_STYLES = {"ok": "green", "notice": "yellow", "problem": "bold red"}


def print_report(report: Report, console: Console) -> None:
    """Print one line a finding, its remedy below it, and how many problems there are."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("check", overflow="fold")
    table.add_column("", no_wrap=True)
    table.add_column("found", overflow="fold", ratio=1)
    for finding in report.findings:
        table.add_row(finding.check, Text(finding.level, style=_STYLES[finding.level]), _told(finding))
    console.print(table)
    console.print(Text(_headline(report), style="bold"))


def _told(finding: Finding) -> Text:
    text = Text(_printable(finding.message))
    return text.append(f"\n-> {_printable(finding.remedy)}", style="bold") if finding.remedy else text


def _printable(text: str) -> str:
    """What a server says may hold anything; control characters do not reach the terminal."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _headline(report: Report) -> str:
    counts = Counter(finding.level for finding in report.findings)
    notices = f", {counts['notice']} notices" if counts["notice"] > 1 else ", 1 notice" if counts["notice"] else ""
    if report.healthy:
        return f"no problem{notices}"
    return f"{counts['problem']} problem{'s' if counts['problem'] > 1 else ''}{notices}: mend before the run"
