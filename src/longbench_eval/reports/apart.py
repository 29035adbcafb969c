"""Rows set apart: those that were cut to fit, and those that are known to be wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from longbench_eval.dataset.noise import NoiseKind, noise_kinds, noise_rows
from longbench_eval.reports.columns import columns, count, number
from longbench_eval.scoring.averages import two_decimals
from longbench_eval.scoring.cuts import Cuts, all_cuts
from longbench_eval.scoring.noise import QuietTask, without_noise
from longbench_eval.scoring.summary import Summary
from longbench_eval.tasks import Suite

_CUT_HEADS = (
    "task",
    "cut",
    "tokens\nlost",
    "score\nof cut",
    "of\nothers",
    "answer\nlost",
    "in\nboth",
    "in the\nrest",
    "no-\nwhere",
    "un-\ntold",
)
_CUT_NOTE = (
    "answer lost: it stood only in the part that was cut; in both: also in the rest; nowhere: in no part as it is "
    "worded; untold: it is no passage of the text, or was not recorded"
)


def print_cuts(summary: Summary, console: Console) -> None:
    """Print for each task how many rows were cut, what was lost, and the scores of cut and other rows."""
    cuts = all_cuts(summary)
    if not cuts:
        console.print(Text("what was cut is not on record: only runs of this package say"))
        return
    console.print(_cuts_table(cuts))
    console.print(Text(_CUT_NOTE, style="dim"))


def _cuts_table(cuts: Mapping[str, Cuts]) -> Table:
    return columns(_CUT_HEADS, [_cut_row(task, one) for task, one in cuts.items()], gap=1)


def _cut_row(task: str, one: Cuts) -> list[str]:
    answers = one.answers
    places = (answers.lost, answers.both, answers.kept, answers.nowhere, answers.untold)
    scores = (number(one.value), number(one.uncut_value))
    return [task, f"{one.rows}/{one.n}", count(one.tokens_lost), *scores, *map(count, places)]


def print_without_noise(summary: Summary, console: Console) -> None:
    """Print scores beside those without the rows that are known to be wrong or impossible, and how many these are."""
    quiet = without_noise(summary)
    if not quiet.left_out:
        console.print(Text("no row of these is known to be wrong or impossible"))
        return
    tasks = [row for name, task in quiet.tasks.items() if task.left_out for row in _noise_rows(summary, name, task)]
    averages = [[name, "", *_beside(_of(summary, name), part.value)] for name, part in quiet.averages.items()]
    console.print(columns(("noise", "left out", "score", "without noise"), [*tasks, *averages]))


def _noise_rows(summary: Summary, name: str, quiet: QuietTask) -> Iterator[list[str]]:
    task, left_out = summary.tasks[name], str(quiet.left_out)
    if task.buckets is None or quiet.buckets is None:
        yield [name, left_out, *_beside(task.value, quiet.value)]
        return
    for bucket, value in quiet.buckets.items():
        yield [f"{name} {bucket}", left_out, *_beside(task.buckets[bucket], value)]
        left_out = ""


def _of(summary: Summary, name: str) -> float | None:
    return (summary.bucket_averages or summary.all_averages)[name].value


def _beside(value: float | None, quiet: float | None) -> tuple[str, str]:
    return number(two_decimals(value)), number(two_decimals(quiet))


def noise_table(suites: Sequence[Suite]) -> Table:
    """The rows that are known to be wrong or impossible, a line for each kind and file."""
    lines = [(kind, suite, task) for kind in noise_kinds() for suite in suites for task in suite.tasks]
    rows = [
        [kind.kind, suite.file_name(task).removesuffix(".jsonl"), numbers, "yes" if kind.left_out else "no"]
        for kind, suite, task in lines
        if (numbers := _numbers(kind, suite, task))
    ]
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), pad_edge=False)
    for head in ("kind", "file", "rows", "left out"):
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _numbers(kind: NoiseKind, suite: Suite, task: str) -> str:
    return ", ".join(str(number) for number, kinds in noise_rows(suite, task).items() if kind in kinds)
