"""Row by row: what was compared with what, and what the score rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longbench_eval.metrics.evidence import explain_match
from longbench_eval.predictions import Prediction
from longbench_eval.records import Score
from longbench_eval.scoring.folder import read_folder
from longbench_eval.scoring.profiles import Profile, get_profile
from longbench_eval.scoring.rows import classes_of, score_rows
from longbench_eval.tasks import Task

if TYPE_CHECKING:
    from longbench_eval.own import OwnTask


def rows_with_evidence(
    path: str | Path,
    profile: str = "official",
    *,
    strip_thinking: bool = False,
    own_tasks: Sequence[OwnTask | Path | str] = (),
) -> Iterator[dict[str, Any]]:
    """Score predictions that lie on disk, and yield a record a row, in file order.

    A record has `task`, `line` (from 1), `_id` where there is one, `score` in [0, 1], `extracted` (what was compared),
    `answer` (the reference answer that gave the score) and `evidence`: for F1 the shared words with their counts, for
    ROUGE-L the words on the common subsequences, for retrieval and counting the numbers found, for classification the
    classes found, for code the line compared and its similarity.

    Args:
        path: As for `score`.
        profile: A name in `PROFILES`.
        strip_thinking: As for `score`.
        own_tasks: As for `score`.

    Raises:
        DataError: There are no predictions, or a line is broken.
        UsageError: There is no such profile.
    """
    chosen = get_profile(profile)
    found = read_folder(Path(path), strip_thinking=strip_thinking, own_tasks=own_tasks)
    for task, rows in found.files.items():
        classes, known = classes_of(task, rows, chosen, found.suite), found.suite.task(task)
        scores = score_rows(task, rows, chosen, found.suite)
        yield from (_record(known, *scored, chosen) for scored in zip(rows, classes, scores, strict=True))


def _record(
    task: Task, row: Prediction, classes: tuple[str, ...] | None, score: Score, profile: Profile
) -> dict[str, Any]:
    record: dict[str, Any] = {"task": task.name, "line": row.line, "_id": row.id, "score": score.value}
    record |= {"extracted": score.extracted, "answer": None, "evidence": None}
    if row.answers:
        answer = row.answers[score.answer_index]
        match = explain_match(profile.replaced.get(task.metric, task.metric), score.extracted, answer, classes)
        record |= {"answer": answer, "evidence": asdict(match)}
    return record
