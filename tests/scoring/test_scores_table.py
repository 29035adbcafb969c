import io
import re

import pytest
from official_rows import predictions, records
from rich.console import Console

from longbench_eval.reports import print_summary
from longbench_eval.scoring import PROFILES, summarize
from longbench_eval.signature import Signature
from longbench_eval.tasks import CATEGORIES, get_suite

COLOR = re.compile(r"\x1b\[[\d;]*?\b(3[0-7]|9[0-7])m")

pytestmark = pytest.mark.usefixtures("facts")


def summary_of(suite, rows_of=lambda rows: rows, warnings=()):
    files = {task: predictions(rows_of(records(task, suite))) for task in get_suite(suite).tasks}
    return summarize(Signature(suite, {"data": "official"}), get_suite(suite), files, PROFILES["official"], warnings)


def busy(rows):
    """Rows of every kind, so that every column is filled, and more of them than expected."""
    failed = {"pred": "", "error": "x"}
    return [row | failed for row in rows] + [
        row | {"pred": " ", "finish_reason": "length", "truncation": {}} for row in rows
    ]


def shown(summary, width=80, **options):
    console = Console(file=io.StringIO(), width=width, highlight=False, **options)
    print_summary(summary, console)
    return console.file.getvalue()


def table_of(text):
    """The cells of each line up to the first that is no table's."""
    return [line.split() for line in text.splitlines()]


@pytest.mark.parametrize("rows_of", [lambda rows: rows, busy, lambda rows: rows[1:3]], ids=["whole", "busy", "few"])
@pytest.mark.parametrize("suite", ["longbench", "longbench-e"])
def test_it_fits_80_columns_and_shortens_nothing(suite, rows_of):
    text = shown(summary_of(suite, rows_of))
    tables, _, _ = text.partition("\naverages withheld")
    lines = tables.splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in text
    tasks = get_suite(suite).tasks
    assert [line.split()[0] for line in lines[1 : len(tasks) + 1]] == list(tasks), "a line each, with its whole name"
    signature = text.splitlines()[-1]
    assert signature.startswith(f"{suite}|data:official|profile:official|edit:difflib|v:"), "never wrapped"


@pytest.mark.parametrize("suite", ["longbench", "longbench-e"])
def test_on_a_narrow_terminal_names_are_folded_not_cut(suite):
    text = shown(summary_of(suite), width=50)
    assert "…" not in text
    first_column = "".join(line[:20].split(" ")[0] for line in text.splitlines())
    for task in get_suite(suite).tasks:
        assert task in first_column


def test_a_whole_longbench():
    lines = table_of(shown(summary_of("longbench")))
    assert lines[0] == ["task", "n", "score", "failed", "truncated", "empty", "capped"]
    assert lines[1] == ["narrativeqa", "200", "100.00"]
    averages = [[*category.split(), "100.00"] for category in CATEGORIES]
    assert lines[22:] == [
        [],
        ["average", "score"],
        *averages,
        ["EN", "100.00"],
        ["ZH", "100.00"],
        ["All", "100.00"],
        lines[-1],
    ]


def test_a_whole_longbench_e_ends_with_the_averages_by_length():
    lines = table_of(shown(summary_of("longbench-e")))
    assert lines[0] == ["task", "n", "0-4k", "4-8k", "8k+", "failed", "truncated", "empty", "capped"]
    assert lines[1] == ["qasper", "224", "100.00", "100.00", "100.00"]
    assert lines[14:17] == [["average", "100.00", "100.00", "100.00"], [], lines[16]]


def test_a_whole_longbench_e_has_its_curve_over_lengths():
    lines = table_of(
        shown(summary_of("longbench-e", lambda rows: rows[:200] + [row | {"pred": ""} for row in rows[200:]]))
    )
    assert lines[16] == ["from", "short", "to", "long", "0-4k", "8k+", "drop", "drop", "in", "%"]
    assert lines[17] == ["qasper", "100.00", "73.33", "26.67", "26.7%"], (
        "rows 134 to 223 are long, 24 of these 90 wrong"
    )
    assert [line[0] for line in lines[17:30]] == list(get_suite("longbench-e").tasks)
    assert [line[:-4] for line in lines[30:37]] == [*(c.split() for c in CATEGORIES), ["average"]]


def test_what_is_withheld_is_said_in_one_line():
    text = shown(summary_of("longbench", lambda rows: rows if len(rows) == 200 else rows[1:]), width=1000)
    reasons = "multifieldqa_en has 149 of 150 rows; lcc has 499 of 500 rows; repobench-p has 499 of 500 rows"
    assert f"\naverages withheld (-): {reasons}\n" in text
    assert re.search(r"^narrativeqa +200 +100\.00 *$", text, re.MULTILINE)
    assert re.search(r"^lcc +499/500 +100\.00 *$", text, re.MULTILINE)
    assert re.search(r"^single-doc QA +-\n", text, re.MULTILINE)
    assert re.search(r"^ZH +-\n", text, re.MULTILINE)


def test_where_no_average_is_there_is_no_table_of_them():
    text = shown(summary_of("longbench", lambda rows: rows[1:]), width=1000)
    assert re.search(r"\naverages withheld \(-\): narrativeqa has 199 of 200 rows; (.*; ){4}and 16 more\n", text)
    assert "summarization" not in text


def test_longbench_e_withholds_by_length():
    text = shown(summary_of("longbench-e", lambda rows: rows if len(rows) == 224 else rows[1:]), width=1000)
    assert re.search(r"\naverages withheld \(-\): multifieldqa_en has 149 of 150 rows; (.*; ){4}and 7 more\n", text)
    assert "averaged by length" not in text


def test_what_happened_to_rows_and_warnings_are_there():
    text = shown(summary_of("longbench", busy, warnings=["[bold] is no markup"]), width=1000)
    assert re.search(r"^qasper +400/200 +0\.00 +200 +200 +200 +200$", text, re.MULTILINE)
    assert "\nwarning: [bold] is no markup\nwarning: narrativeqa: 200 rows have no answer; " in text


def test_no_color_is_respected(monkeypatch):
    summary = summary_of("longbench", lambda rows: rows[:2])
    terminal = {"force_terminal": True, "color_system": "truecolor", "legacy_windows": False}
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert COLOR.search(shown(summary, **terminal))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not COLOR.search(shown(summary, **terminal))
    assert "\x1b" not in shown(summary), "and a file gets no escapes at all"
