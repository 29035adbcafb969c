"""From the rows of a run directory to its scores: the last step of a run, and of a merge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from longbench_eval.manifest import Manifest
from longbench_eval.own.recorded import suite_of
from longbench_eval.runs.directory import RunDirectory
from longbench_eval.scoring import Summary, get_profile, summarize


def finish(directory: RunDirectory, manifest: Manifest) -> Summary:
    """Score what is there, and write it beside the rows: `scores.jsonl` and `summary.json`."""
    suite = suite_of(manifest)
    files = directory.read(manifest.identity["tasks"])
    summary = summarize(manifest.signature, suite, files, get_profile("official"), manifest.warnings)
    directory.write_lines("scores.jsonl", _score_lines(summary))
    directory.write_json("summary.json", summary.to_json(counts=True))
    return summary


def _score_lines(summary: Summary) -> Iterator[Mapping[str, Any]]:
    for task in summary.tasks.values():
        for id_, score in zip(task.ids, task.scores, strict=True):
            line = {"task": task.task, "_id": id_, "score": score.value}
            yield {**line, "answer_index": score.answer_index, "extracted": score.extracted}
