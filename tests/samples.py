"""Synthetic rows in LongBench's format, and models that answer them."""

import hashlib
import json
from pathlib import Path

from longbench_eval import Request

TASKS_USED = ("qasper", "multifieldqa_zh", "samsum")
ROWS_A_TASK = 40


def rows_of(task: str, n: int = ROWS_A_TASK) -> list[dict]:
    """Rows of which every third shares its context with the one three before it."""
    return [
        {
            "input": f"question {i} of {task}?",
            "context": f"context {i % 3} of {task}: the answers are here. 上下文",
            "answers": [f"answer {i}"],
            "length": 1000 * i,
            "dataset": task,
            "language": "en",
            "all_classes": None,
            "_id": hashlib.sha256(f"{task} {i}".encode()).hexdigest()[:48],
        }
        for i in range(n)
    ]


def write_rows(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def write_sample_data(folder: Path, tasks: tuple[str, ...] = TASKS_USED, n: int = ROWS_A_TASK) -> Path:
    """A data folder with its own templates."""
    for task in tasks:
        write_rows(folder / "data" / f"{task}.jsonl", rows_of(task, n))
    templates = dict.fromkeys(tasks, "Read.\n{context}\nAsk: {input}\nSay:")
    (folder / "config").mkdir()
    (folder / "config" / "dataset2prompt.json").write_text(json.dumps(templates), encoding="utf-8")
    return folder


def options(data: Path) -> list:
    """What a command needs to run over these rows."""
    return ["--tasks", ",".join(TASKS_USED), "--data", data, "--allow-unofficial"]


def answer_by_hash(request: Request) -> str:
    """A different answer to every prompt, of one to five words, some of them in two lines."""
    digest = hashlib.sha256(request.prompt.text.encode()).hexdigest()
    return " ".join(digest[:k] for k in range(1, 2 + int(digest[0], 16) % 5)) + "\n tail é 中"[: int(digest[1], 16)]
