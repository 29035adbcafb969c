"""`scores.jsonl`: row scores as a run stores them, and reading them back where they belong to the predictions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from longbench_eval.predictions import Prediction
from longbench_eval.records import Score
from longbench_eval.scoring.profiles import Profile
from longbench_eval.scoring.summary import Summary
from longbench_eval.version import __version__

SCORES = "scores.jsonl"


def score_lines(summary: Summary) -> Iterator[Mapping[str, Any]]:
    """A record a row: its score, what it rests on, and a hash of what was scored, and how."""
    how = _how(summary.profile)
    for task in summary.tasks.values():
        classes = task.rows[-1].all_classes if task.rows else None
        for row, score in zip(task.rows, task.scores, strict=True):
            line = {"task": task.task, "_id": row.id, "score": score.value}
            evidence = {"answer_index": score.answer_index, "extracted": score.extracted}
            yield {**line, **evidence, "scored_sha256": _scored(row, classes, how)}


def read_stored(run: Path, files: Mapping[str, Sequence[Prediction]], profile: Profile) -> dict[str, list[Score]]:
    """The stored scores of the tasks whose every prediction was scored by this version under this profile."""
    lines = _lines(run / SCORES)
    stored = {task: _of_task(task, rows, lines, _how(profile.name)) for task, rows in files.items()}
    return {task: scores for task, scores in stored.items() if scores is not None}


def _how(profile: str) -> str:
    return f"{profile} {__version__}"


def _scored(row: Prediction, classes: Sequence[str] | None, how: str) -> str:
    """Hash all that a score depends on: the classes of the file's last row, as officially, or the row's own."""
    own = [] if row.all_classes == classes else [row.all_classes]
    content = [row.pred, list(row.answers), classes and list(classes), how, *own]
    return hashlib.sha256(json.dumps(content).encode("ascii")).hexdigest()


def _of_task(
    task: str, rows: Sequence[Prediction], lines: Mapping[tuple[str, str], Score], how: str
) -> list[Score] | None:
    classes = rows[-1].all_classes if rows else None
    found = [lines.get((task, _scored(row, classes, how))) for row in rows]
    return None if None in found else [score for score in found if score is not None]


def _lines(path: Path) -> dict[tuple[str, str], Score]:
    """Scores by task and by the hash of what was scored; a line that is no such record is passed over."""
    found: dict[tuple[str, str], Score] = {}
    data = path.read_bytes() if path.is_file() else b""
    for line in data.split(b"\n"):
        try:
            record = json.loads(line)
            score = Score(float(record["score"]), int(record["answer_index"]), str(record["extracted"]))
            if isfinite(score.value) and score.value >= 0:
                found[str(record["task"]), str(record["scored_sha256"])] = score
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            continue
    return found
