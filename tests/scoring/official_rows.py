"""Predictions that look like the official ones: all rows of a task of a suite, and facts that prove them.

As in the real files, LongBench and LongBench-E share the rows of multifieldqa_en, in another order, and some of samsum.
"""

import json
from functools import cache

from longbench_eval.dataset.official import row_digest
from longbench_eval.predictions import parse_prediction
from longbench_eval.tasks import TASKS, get_suite

GOLD = {
    "retrieval": "Paragraph {}",
    "retrieval_zh": "段落{}",
    "count": "{}",
    "classification": "right",
    "qa_f1_zh": "第{}个答案",
    "rouge_zh": "第{}个答案",
    "code_sim": "x = {}",
}


def record(task, number, length, pred=None):
    """A line of a predictions file, right unless `pred` says otherwise."""
    metric = TASKS[task].metric
    answer = GOLD.get(metric, "answer {}").format(number)
    classes = ["wrong", "right"] if metric == "classification" else None
    return {"pred": answer if pred is None else pred, "answers": [answer], "all_classes": classes, "length": length}


@cache
def _records(task, suite):
    even = suite == "longbench-e"
    if even and task == "multifieldqa_en":
        plain = _records(task, "longbench")
        return [plain[(37 * i) % 150] for i in range(150)]
    rows = [record(task, i, 60 * i + even) for i in range(get_suite(suite).counts[task])]
    if even and task == "samsum":
        rows[:2] = _records(task, "longbench")[50:70:10]
    return rows


def records(task, suite="longbench"):
    """All rows of a task, each with the right prediction."""
    return [dict(row) for row in _records(task, suite)]


def predictions(rows):
    """Records as they are read from a file."""
    return [parse_prediction(json.dumps(row).encode(), "row") for row in rows]


@cache
def digests(stem):
    """Stands for `official_digests`."""
    task, suite = (stem.removesuffix("_e"), "longbench-e") if stem.endswith("_e") else (stem, "longbench")
    return tuple(row_digest(row["answers"], row["length"]) for row in _records(task, suite))


def write(folder, files, suffix=""):
    """Write records by task as one file each, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for task, rows in files.items():
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        (folder / f"{task}{suffix}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    return folder
