"""Explaining the scores published for predictions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from longbench_eval.scoring.explain.averages import explain_average
from longbench_eval.scoring.explain.evidence import gather
from longbench_eval.scoring.explain.explanation import Explained, Explanation
from longbench_eval.scoring.explain.judge import Judged, judge
from longbench_eval.scoring.explain.published import Entry, Published, find_result, read_published
from longbench_eval.scoring.explain.written import Numbers
from longbench_eval.scoring.folder import Submission, read_folder


def explain(folder: str | Path, result: str | Path | None = None) -> Explanation:
    """Find the rules that reproduce published scores from the predictions they were published with.

    Args:
        folder: The predictions: a run directory, or a folder with one JSONL file a task.
        result: The published scores; by default `result.json` or `committed.json` beside them or one folder up.

    Raises:
        DataError: There are no predictions or no scores, or a file is broken.
    """
    path = Path(folder)
    found = read_folder(path)
    published = read_published(Path(result) if result else find_result(path), even=found.suite.has_buckets)
    return explain_scores(found, published)


def explain_scores(found: Submission, published: Published) -> Explanation:
    """The same for predictions and scores that were read already."""
    judged = {task: _explain_task(found, task, entry) for task, entry in published.scores.items()}
    unrounded: Mapping[str, Numbers] = {task: one.numbers for task, one in judged.items() if one.numbers is not None}
    scores = {task: entry.committed for task, entry in published.scores.items()}
    return Explanation(
        suite=found.suite.name,
        result=str(published.path),
        tasks={task: one.explained for task, one in judged.items()},
        averages={
            key: explain_average(key, average, found.suite, scores, unrounded)
            for key, average in published.averages.items()
        },
        ignored=published.ignored,
        unpublished=tuple(task for task in found.files if task not in published.scores),
        warnings=found.warnings,
    )


def _explain_task(found: Submission, task: str, entry: Entry) -> Judged:
    rows = found.files.get(task)
    if not rows:
        lack = "its predictions file has no rows" if task in found.files else f"no predictions of it, as {task}.jsonl"
        return Judged(Explained(entry.key, entry.committed, False, None, f"nothing to score: {lack}"), None)
    return judge(entry.key, gather(found.suite, task, rows, entry.committed))
