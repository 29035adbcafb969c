"""From the rows of a run directory to its scores: the last step of a run, and of a merge."""

from __future__ import annotations

from longbench_eval.manifest import Manifest
from longbench_eval.own.recorded import suite_of
from longbench_eval.runs.directory import RunDirectory
from longbench_eval.scoring import Summary, get_profile, summarize
from longbench_eval.scoring.intervals import with_intervals
from longbench_eval.scoring.stored import SCORES, score_lines


def finish(directory: RunDirectory, manifest: Manifest) -> Summary:
    """Score what is there, and write it beside the rows: `scores.jsonl` and `summary.json`."""
    suite = suite_of(manifest)
    files = directory.read(manifest.identity["tasks"])
    scored = summarize(manifest.signature, suite, files, get_profile("official"), manifest.warnings)
    directory.write_lines(SCORES, score_lines(scored))
    summary = with_intervals(scored)
    directory.write_json("summary.json", summary.to_json(counts=True))
    return summary
