"""The demo suite's files keep what its readers and its prefix cache rely on; they are read as plain JSON here."""

import json
import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

DEMO = Path(__file__).parents[2] / "src" / "longbench_eval" / "dataset" / "demo"
EXTRACTIVE = (
    "narrativeqa",
    "qasper",
    "multifieldqa_en",
    "multifieldqa_zh",
    "hotpotqa",
    "2wikimqa",
    "musique",
    "triviaqa",
)
FREE_TEXT = ("dureader", "gov_report", "qmsum", "multi_news", "vcsum", "samsum")
CLASSIFIED = ("trec", "lsht")
RETRIEVAL = {"passage_retrieval_en": "Paragraph {}: ", "passage_retrieval_zh": "段落{}："}
CODE = ("lcc", "repobench-p")
TASKS = (*EXTRACTIVE, *FREE_TEXT, *CLASSIFIED, "passage_count", *RETRIEVAL, *CODE)
CHINESE = ("multifieldqa_zh", "dureader", "vcsum", "lsht", "passage_retrieval_zh")
SHARED_CONTEXT = ("narrativeqa", "qasper", "multifieldqa_en", "multifieldqa_zh", "qmsum", "repobench-p")

Row = dict[str, Any]
FIELDS = {
    "input": str,
    "context": str,
    "answers": list,
    "length": int,
    "dataset": str,
    "language": str,
    "all_classes": list | None,
    "_id": str,
}


def rows_of(task: str) -> list[Row]:
    text = (DEMO / f"{task}.jsonl").read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text[:-1].split("\n")]


def table(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((DEMO / name).read_text(encoding="utf-8"))
    return loaded


def rows_in(*tasks: str) -> pytest.MarkDecorator:
    chosen = [pytest.param(row, id=f"{task}-{n}") for task in tasks for n, row in enumerate(rows_of(task), start=1)]
    return pytest.mark.parametrize("row", chosen)


def test_every_task_has_two_rows_a_template_and_a_cap() -> None:
    assert len(TASKS) == 21
    assert {path.stem for path in DEMO.glob("*.jsonl")} == set(TASKS)
    assert table("templates.json").keys() == table("caps.json").keys() == set(TASKS)
    assert {task: len(rows_of(task)) for task in TASKS} == dict.fromkeys(TASKS, 2)


def test_ids_are_distinct() -> None:
    assert len({row["_id"] for task in TASKS for row in rows_of(task)}) == 2 * len(TASKS)


def test_caps_are_short() -> None:
    assert all(type(cap) is int and 0 < cap <= 96 for cap in table("caps.json").values())


@pytest.mark.parametrize("task", TASKS)
def test_template_uses_the_context_then_the_input(task: str) -> None:
    fields = [name for _, name, _, _ in Formatter().parse(table("templates.json")[task]) if name is not None]
    has_input = any(row["input"] for row in rows_of(task))
    # The context comes first, so that rows which share one share the start of their prompts.
    assert fields == (["context", "input"] if has_input else ["context"])


@rows_in(*TASKS)
def test_row_is_a_longbench_row(row: Row) -> None:
    assert row.keys() == FIELDS.keys()
    assert all(isinstance(row[name], kind) for name, kind in FIELDS.items())
    assert row["answers"]
    assert all(isinstance(answer, str) and answer.strip() for answer in row["answers"])
    assert re.fullmatch(r"[0-9a-f]{48}", row["_id"])
    assert not any(text.count("\r") for text in (row["input"], row["context"], *row["answers"]))


@rows_in(*TASKS)
def test_context_is_small_and_its_length_is_counted(row: Row) -> None:
    task, context, question = row["dataset"], row["context"], row["input"]
    if task in CHINESE:
        assert row["language"] == "zh"
        assert 180 <= len(context) <= 500
        assert row["length"] == len(context) + len(question)
    else:
        assert row["language"] in (("python", "java") if task in CODE else ("en",))
        assert 800 <= len(context) <= 3_000
        assert row["length"] == len(context.split()) + len(question.split())


@pytest.mark.parametrize("task", TASKS)
def test_contexts_are_shared_where_longbench_shares_them(task: str) -> None:
    first, second = rows_of(task)
    assert (first["context"] == second["context"]) == (task in SHARED_CONTEXT)
    assert (first["context"], first["input"]) != (second["context"], second["input"])
    assert first["all_classes"] == second["all_classes"]


@rows_in(*EXTRACTIVE)
def test_answer_stands_in_the_text(row: Row) -> None:
    # A triviaqa row carries its own passage in `input`; its context holds the worked examples.
    text = row["input"] if row["dataset"] == "triviaqa" else row["context"]
    assert row["answers"][0] in text


@rows_in(*CLASSIFIED)
def test_gold_is_the_only_class_it_names_and_the_examples_show_all(row: Row) -> None:
    (gold,) = row["answers"]
    assert [name for name in row["all_classes"] if name in gold] == [gold]
    assert all(name in row["context"] for name in row["all_classes"])


@rows_in(*(task for task in TASKS if task not in CLASSIFIED))
def test_other_tasks_have_no_classes(row: Row) -> None:
    assert row["all_classes"] is None


@rows_in("passage_count")
def test_gold_is_the_number_of_distinct_paragraphs(row: Row) -> None:
    paragraphs = [part.split(": ", 1)[1] for part in row["context"].split("\n\n")]
    assert row["answers"] == [str(len(set(paragraphs)))]
    assert len(set(paragraphs)) < len(paragraphs)


@rows_in(*RETRIEVAL)
def test_gold_paragraph_exists_once(row: Row) -> None:
    (gold,) = row["answers"]
    label = RETRIEVAL[row["dataset"]].format(re.findall(r"\d+", gold)[0])
    assert label.startswith(gold)
    assert row["context"].count(label) == 1


@rows_in(*CODE)
def test_code_answer_is_one_line_the_metric_can_read(row: Row) -> None:
    (gold,) = row["answers"]
    assert not any(mark in gold for mark in ("#", "//", "`", "\n"))
    code = row["input"] or row["context"]
    # The model writes the line break itself, which the metric strips: small models lose the thread after a bare one.
    assert code == code.rstrip()
    assert gold not in code


@rows_in("trec", "triviaqa", "samsum", "lsht")
def test_prompt_ends_where_the_model_goes_on(row: Row) -> None:
    assert row["input"].endswith((":", "："))
    assert "\n" not in row["answers"][0]
