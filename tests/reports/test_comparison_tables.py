"""Tables of comparisons: what is bold, what is marked, and that names are nothing but text."""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from longbench_eval.comparison import Comparison, Effect, Item, Side
from longbench_eval.comparison.records import Verdict
from longbench_eval.reports.bars import bar
from longbench_eval.reports.comparison import check_format, paste, print_comparison, stars, verdict_line
from longbench_eval.reports.grid import latex_text, markdown_text
from longbench_eval.signature import Signature
from longbench_eval.stats import Interval, Resampling
from longbench_eval.tasks import TASKS, get_suite

NASTY = "50%_of|<b>*a*</b>\\ & #1 `x` {y}"


def item(name, kind, scores, ps, n=200):
    effects = tuple(
        Effect(
            score - scores[0],
            Interval(score - scores[0] - 10.5, score - scores[0] + 10.5, 5.2),
            p,
            p,
            90,
            100,
            10,
            14.6,
        )
        for score, p in zip(scores[1:], ps, strict=True)
    )
    return Item(name, kind, n, n, scores, tuple(Interval(s - 3, s + 3, 1.5) for s in scores), effects)


def made(names=("base", "new"), scores=(60.0, 48.5), p=0.004):
    several = [p] * (len(names) - 1)
    items = [item(task, "task", scores, several) for task in TASKS]
    items += [item("few-shot", "category", scores, several, 1150), item("All", "average", scores, several, 4750)]
    items += [Item("ZH", "average", 0, 0, withheld=("vcsum has 3 of 200 rows in B",))]
    sides = tuple(Side(x, name, Path(name), "longbench|v:1") for x, name in zip("ABCDEFGHI", names, strict=False))
    signature = Signature("longbench", {"compare": "paired"})
    suite = get_suite("longbench")
    return Comparison(signature, suite, "official", Resampling(), sides, tuple(items), "All", ("a note",))


def printed(comparison, **options):
    console = Console(width=80, file=io.StringIO(), highlight=False, markup=False, **options)
    print_comparison(comparison, console)
    return console.file.getvalue()


@pytest.mark.parametrize("names", [("base", "new"), ("one", "two", "three")])
def test_the_terminal_needs_80_columns_and_cuts_nothing(names):
    out = printed(made(names, (60.0, 48.5, 51.25)[: len(names)]))
    table = [line for line in out.splitlines() if "|" not in line]
    assert max(map(len, table)) <= 80
    assert all(any(line.startswith(task) for line in table) for task in TASKS)
    assert "-11.50**" in out
    assert "[-22.00,-1.00]" in out
    assert "90/100/10" in out
    assert "not formed: ZH (vcsum has 3 of 200 rows in B)" in out
    assert "A = " + names[0] in out
    assert "longbench|compare:paired|v:" in out


def test_many_runs_take_several_tables_of_80_columns():
    comparison = made(tuple("abcdefghi"), (60.0, *range(40, 48)), 0.0001)
    assert len(comparison.sides) == 9
    out = printed(comparison)
    assert max(len(line) for line in out.splitlines() if "|" not in line) <= 80
    heads = [line.split() for line in out.splitlines() if line.split()[:1] == ["n"] and "=" not in line]
    assert heads == [["n", *"ABCDEF"], ["n", *"AGHI"]]


def test_colours_can_be_turned_off(monkeypatch):
    assert "\x1b[" in printed(made(), force_terminal=True, color_system="standard")
    monkeypatch.setenv("NO_COLOR", "1")
    coloured = re.findall(r"\x1b\[([\d;]*)m", printed(made(), force_terminal=True, color_system="standard"))
    assert not [code for code in coloured if set(code.split(";")) & {"31", "32", "33"}]


def test_markdown_is_a_table_with_the_best_in_bold():
    lines = paste(made(), "markdown").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len({line.count("|") for line in rows}) == 1
    assert rows[0] == "|  | base | new | difference | 95% interval | p | win/tie/loss |"
    assert "| trec | **60.00** | 48.50 | -11.50\\*\\* | \\[-22.00,-1.00\\] | .004 | 90/100/10 |" in rows
    assert "- A = base: `longbench|v:1`" in lines


def test_latex_is_a_booktabs_table_with_everything_in_its_caption():
    text = paste(made(), "latex")
    assert text.count("\\toprule") == text.count("\\bottomrule") == 1
    assert text.count("\\midrule") == 3, "after the heads, and between tasks, categories and averages"
    assert (
        "passage\\_count & \\textbf{60.00} & 48.50 & $-11.50$$^{**}$ & $[-22.00,-1.00]$ & .004 & 90/100/10 \\\\" in text
    )
    caption = text.split("\\caption{")[1].split("\n")[0]
    assert "N = 4200 rows of 21 tasks" in caption
    assert "\\texttt{longbench\\textbar\\allowbreak{}v:1}" in caption
    assert text.count("{") == text.count("}")


def test_several_runs_are_a_board_and_equal_best_are_all_bold():
    text = paste(made(("x", "y", "z"), (50.0, 60.001, 60.002), 0.5), "markdown")
    assert "| trec | 200 | 50.00 | **60.00** | **60.00** |" in text
    assert "| trec | 200 | 50.00 | 50.00 | 50.00 |" in paste(made(("x", "y", "z"), (50.0,) * 3), "markdown").replace(
        "\\*", ""
    )


def test_csv_has_a_row_for_each_run_and_item():
    rows = list(csv.DictReader(io.StringIO(paste(made(("=1+1", "new")), "csv"))))
    assert len(rows) == 2 * 23
    first, second = rows[:2]
    assert (first["run"], first["difference"]) == ("'=1+1", "")
    assert (float(second["difference"]), float(second["p_adjusted"]), second["wins"]) == (-11.5, 0.004, "90")


def test_names_are_nothing_but_text_in_every_form():
    comparison = made((NASTY, "b"))
    heads = paste(comparison, "markdown").splitlines()[0]
    assert heads.replace("\\|", "").count("|") == 8
    assert "\\<b\\>" in heads
    latex = paste(comparison, "latex")
    assert "50\\%\\_of\\textbar{}$<$b$>$*a*" in latex
    assert next(csv.DictReader(io.StringIO(paste(comparison, "csv"))))["run"] == NASTY
    assert NASTY in printed(comparison).replace("\n", " ")


@pytest.mark.parametrize(("p", "marks"), [(0.05, ""), (0.049, "*"), (0.0099, "**"), (0.0009, "***"), (1, "")])
def test_stars(p, marks):
    assert stars(p) == marks


def test_nothing_is_marked_without_evidence():
    assert "*" not in paste(made(p=0.2), "csv")
    assert "-11.50 |" in paste(made(p=0.2), "markdown")


@pytest.mark.parametrize(
    ("outcome", "points", "text"),
    [
        ("worse", 1.5, "new: worse by more than 1.5 points on All (why)"),
        ("not worse", 0.0, "new: not worse at all on All (why)"),
        ("cannot tell", 2.0, "new: cannot tell whether it is worse by more than 2 points on All (why)"),
    ],
)
def test_verdicts(outcome, points, text):
    assert verdict_line(Verdict("new", "All", points, outcome, "why")) == text


def test_an_unknown_format_offers_the_nearest():
    with pytest.raises(Exception, match="Did you mean 'markdown'"):
        check_format("markdwn")


@pytest.mark.parametrize(
    ("low", "high", "drawn"),
    [
        (0, 0, "░·········"),
        (40, 60, "████░░····"),
        (100, 100, "██████████"),
        (41, 43, "████░·····"),
        (95, 100, "██████████"),
        (0, 100, "░░░░░░░░░░"),
    ],
)
def test_bars(low, high, drawn):
    assert bar(low, high, width=10) == drawn
    assert bar(low, high, width=10, ascii_only=True) == drawn.translate(str.maketrans("█░·", "#-."))


def test_escapes():
    assert markdown_text("a|b\n*c*") == "a\\|b \\*c\\*"
    assert latex_text("--data {x}") == "-{}-data \\{x\\}"


def test_a_missing_power_is_left_out():
    comparison = made()
    items = [replace(one, effects=tuple(replace(e, detectable=None) for e in one.effects)) for one in comparison.items]
    assert "80% power" in printed(comparison)
    assert "80% power" not in printed(replace(comparison, items=tuple(items)))
