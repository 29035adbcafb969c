"""The published rows: what is there, and that averages recomputed from the cells are those that were printed."""

import json
from pathlib import Path

import pytest

from longbench_eval.errors import UsageError
from longbench_eval.reference import TABLES, published, sources
from longbench_eval.tasks import BUCKETS, TASKS

SHARED = Path(__file__).parents[3] / "shared" / "reference_scores.json"
PRINTED = 0.1 + 1e-9  # averages are printed to one decimal, and were formed from unrounded scores
ROWS = {table: published(table=table) for table in TABLES}
NAMES = {"en": "EN", "zh": "ZH", "all": "All"}


@pytest.mark.parametrize(
    ("table", "rows", "printed", "why"),
    [
        ("longbench", 27, 31, "24 of the paper's 8 models, 2 of its README, 5 flat means of others"),
        ("longbench-e", 24, 24, "8 models, 3 buckets"),
        ("retrieval", 21, 21, "3 models, 7 settings"),
        ("summarization", 6, 6, "3 models, with and without"),
        ("no-context", 3, 0, "3 models; no averages are printed"),
    ],
)
def test_averages_of_the_cells_are_those_that_were_printed(table, rows, printed, why):
    checks = [
        (row.model, row.setting, name, row.averages[name], value)
        for row in ROWS[table]
        for name, value in (row.printed or {}).items()
    ]
    assert (len(ROWS[table]), len(checks)) == (rows, printed), why
    assert [check for check in checks if abs(check[3] - check[4]) > PRINTED] == []


def test_the_main_table_of_the_paper_prints_24_averages():
    of_paper = [row for row in ROWS["longbench"] if row.source == "paper"]
    assert [sorted(row.printed) for row in of_paper] == [["All", "EN", "ZH"]] * 8


def test_every_row_is_whole_and_has_a_source():
    for row in (row for rows in ROWS.values() for row in rows):
        assert row.scores.keys() <= TASKS.keys()
        assert all(0 <= score <= 100 for score in row.scores.values())
        assert sources()[row.source].where
    keys = [(row.table, row.model, row.setting) for rows in ROWS.values() for row in rows]
    assert len(set(keys)) == len(keys), "rows are told apart by table, model and setting"
    assert {row.setting for row in ROWS["longbench-e"]} == set(BUCKETS)


@pytest.mark.skipif(not SHARED.is_file(), reason="needs the published scores in ../shared")
def test_the_figures_are_those_that_were_collected():
    collected = json.loads(SHARED.read_text("utf-8"))
    tables = ("longbench", "longbench_e", "retrieval_table4", "summ_table5", "no_context_table6")
    for table, name in zip(TABLES, tables, strict=True):
        rows = [row for row in collected[name] if "do not ship" not in row.get("note", "")]
        assert [row["scores"] for row in rows] == [dict(row.scores) for row in ROWS[table]]
        assert [row.get("avg") for row in rows] == [(row.printed or {}).get("average") for row in ROWS[table]]
    overall = [{NAMES[key]: value for key, value in row.get("overall", {}).items()} for row in collected["longbench"]]
    shipped = [
        {name: value for name, value in (row.printed or {}).items() if name != "flat"} for row in ROWS["longbench"]
    ]
    assert [one for one in overall if one] == [one for one in shipped if one]


@pytest.mark.parametrize(
    ("model", "table", "found"),
    [
        ("chatglm2-6b", "longbench", ["ChatGLM2-6B"]),
        ("ChatGLM2", "longbench", ["ChatGLM2-6B", "ChatGLM2-6B-32k"]),
        ("kivi", "longbench", ["LongChat-7b-v1.5-32K (KIVI)", "Mistral-7B-Instruct-v0.2 (KIVI)"]),
        ("xgen", "longbench-e", ["XGen-7B-8k"] * 3),
    ],
)
def test_models_are_found_by_their_names_and_parts_of_them(model, table, found):
    assert [row.model for row in published(model, table)] == found


@pytest.mark.parametrize(
    ("model", "table", "said"),
    [
        ("ChatGPT2-6B", "longbench", "Did you mean"),
        (None, "longbnch", "Did you mean 'longbench'?"),
        ("GPT-4", "no-context", "Known: GPT-3.5"),
    ],
)
def test_unknown_names_are_refused(model, table, said):
    with pytest.raises(UsageError, match="There is no") as error:
        published(model, table)
    assert said in str(error.value)
