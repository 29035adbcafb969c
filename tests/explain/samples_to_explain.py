"""Predictions whose rows score this and that, and files of scores for them."""

import json
from pathlib import Path
from random import Random

WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "juniper"]


def answered(random, number):
    """A question-answering row: some right words, some wrong ones, now and then nothing right."""
    answer = random.sample(WORDS, random.randint(2, 8))
    right = random.sample(answer, random.randint(0, len(answer)))
    return " ".join(right + ["wrong"] * random.randint(0, 4)) or "none", [" ".join(answer)]


def row(pred, answers, length, classes=None):
    return {"pred": pred, "answers": answers, "all_classes": classes, "length": length}


def qa_rows(n=200, seed=1, step=50):
    random = Random(seed)
    return [row(*answered(random, i), step * i + 7) for i in range(n)]


def again(rows, seed=2):
    """Other predictions for the same rows."""
    random = Random(seed)
    return [{**one, "pred": " ".join(random.sample(WORDS, 4))} for one in rows]


def code_rows(n=60, seed=3):
    """Lines that difflib and Levenshtein judge differently."""
    random = Random(seed)
    lines = [" ".join(random.choices(WORDS, k=6)) for _ in range(n)]
    return [row(" ".join(random.sample(line.split(), 6)), [line], 10 * i) for i, line in enumerate(lines)]


def write_predictions(folder: Path, files: dict[str, list[dict]]) -> Path:
    """Files by stem, e.g. `qasper` or `qasper_e`."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem, rows in files.items():
        (folder / f"{stem}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return folder


def write_result(path: Path, scores) -> Path:
    path.write_text(scores if isinstance(scores, str) else json.dumps(scores), encoding="utf-8")
    return path
