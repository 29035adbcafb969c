"""docs/warnings.md against the code."""

import re
from itertools import groupby
from pathlib import Path

from longbench_eval.scoring.suspicion import DETECTORS, ROW_DETECTORS, detectors

PAGE = (Path(__file__).parents[2] / "docs" / "warnings.md").read_text("utf-8")
TASKS = {
    detectors.ALL: "all",
    detectors.CHAT: "with chat template",
    detectors.FEW_SHOT_AND_CODE: "few-shot, code",
    detectors.QA_AND_SUMMARIES: "QA, summaries",
}


def table():
    lines = ["| kind | is said when | tasks | from | likely cause | remedy |", "|---|---|---|---|---|---|"]
    lines += [line(one.kind, TASKS[one.tasks], share(one.threshold)) for one in DETECTORS]
    lines += [line(one.kind, "all", "one row") for one in ROW_DETECTORS]
    return "\n".join(lines)


def share(threshold):
    return f"{threshold:.0%}" if threshold else "one row"


def line(kind, tasks, least):
    sight = kind.sight.replace("<", "`<").replace(">", ">`")
    name = f"`{kind.slug}`" + (" (notice)" if kind.severity == "notice" else "")
    return f"| {name} | {sight} | {tasks} | {least} | {kind.cause} | {kind.remedy} |"


def test_the_table_is_that_of_the_code():
    assert table() in PAGE, f"paste this into docs/warnings.md:\n\n{table()}"


def test_every_kind_has_a_paragraph_in_the_order_of_the_table():
    slugs = [slug for slug, _ in groupby(one.kind.slug for one in (*DETECTORS, *ROW_DETECTORS))]
    assert re.findall(r"^\*\*`([a-z-]+)`\*\*", PAGE, re.MULTILINE) == slugs
