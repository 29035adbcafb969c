"""Scoring what lies on disk: a run directory, or any folder of official-format predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from longbench_eval.manifest import MANIFEST, load_manifest
from longbench_eval.predictions import Prediction, read_predictions, read_unfinished
from longbench_eval.scoring.census import Census
from longbench_eval.scoring.locate import find_files, named_e, row_files
from longbench_eval.scoring.profiles import get_profile
from longbench_eval.scoring.summarize import summarize
from longbench_eval.scoring.summary import Summary
from longbench_eval.scoring.telling import tell_suite
from longbench_eval.signature import Signature
from longbench_eval.tasks import Suite, get_suite


@dataclass(frozen=True, slots=True)
class Submission:
    """Predictions as they were found, and what is known of how they were made; `run` is theirs, if they are of one."""

    suite: Suite
    signature: Signature
    files: Mapping[str, Sequence[Prediction]]
    warnings: tuple[str, ...] = ()
    censuses: Mapping[str, Census] | None = None
    run: Path | None = None


def score(path: str | Path, profile: str = "official", *, strip_thinking: bool = False) -> Summary:
    """Score a run directory or a folder of official-format predictions.

    Args:
        path: A run directory, its `predictions/`, any folder with one JSONL file a task, or one such file.
        profile: A name in `PROFILES`.
        strip_thinking: Score only what follows a recorded thought; one without an end leaves an empty answer.

    Raises:
        DataError: There are no predictions, or a line is broken.
        RunError: The run's manifest cannot be read.
        UsageError: There is no such profile.
    """
    return score_profiles(path, [profile], strip_thinking=strip_thinking)[0]


def score_profiles(path: str | Path, profiles: Sequence[str], *, strip_thinking: bool = False) -> list[Summary]:
    """Score the same predictions under several profiles; see `score`."""
    chosen, found = [get_profile(name) for name in profiles], read_folder(Path(path), strip_thinking=strip_thinking)
    return [
        summarize(found.signature, found.suite, found.files, profile, found.warnings, found.censuses)
        for profile in chosen
    ]


def read_folder(path: Path, *, strip_thinking: bool = False) -> Submission:
    """Read predictions and tell what they are: by the manifest of a run, else by their rows."""
    found = _read(path)
    if not strip_thinking:
        return found
    return replace(found, files={task: [row.without_thinking() for row in rows] for task, rows in found.files.items()})


def _read(path: Path) -> Submission:
    run = _run_of(path)
    folder = path / "predictions" if (path / "predictions").is_dir() else path
    paths = find_files(folder)
    return _read_run(run, paths) if run else _read_foreign(folder, paths)


def _run_of(path: Path) -> Path | None:
    """The run directory that a path is, or is inside the predictions of."""
    place = path.absolute()
    above = [folder.parent for folder in (place, place.parent) if folder.name == "predictions"]
    return next((run for run in (path, *above) if (run / MANIFEST).is_file()), None)


def _read_run(run: Path, paths: Mapping[str, Path]) -> Submission:
    """Read a run, also one that was killed or is still going on."""
    manifest = load_manifest(run)
    read = {task: read_unfinished(path) for task, path in paths.items()}
    torn = [
        f"the last line of {str(paths[task])!r} is torn and left out; running the run again repairs it"
        for task, file in read.items()
        if file.torn
    ]
    files = {task: file.rows for task, file in read.items()}
    return Submission(get_suite(manifest.suite), manifest.signature, files, (*manifest.warnings, *torn), run=run)


def _read_foreign(folder: Path, paths: Mapping[str, Path]) -> Submission:
    files = {task: read_predictions(path) for task, path in paths.items()}
    suite, censuses, doubt = tell_suite(files, named_e(paths))
    kept = {task: rows for task, rows in files.items() if task in suite.tasks}
    data = "answers-agree" if all(census.proved for census in censuses.values()) else "unproved"
    signature = Signature(suite.name, {"tasks": str(len(kept)), "data": data})
    left_out = [path.name for path in row_files(folder) if path not in {paths[task] for task in kept}]
    warnings = (doubt, _unknown_rows(kept, censuses), _left_out(suite, left_out))
    return Submission(suite, signature, kept, tuple(filter(None, warnings)), censuses)


def _unknown_rows(files: Mapping[str, Sequence[Prediction]], censuses: Mapping[str, Census]) -> str:
    unknown = [task for task, rows in files.items() if rows and not censuses[task].found]
    if not unknown:
        return ""
    whose = "" if len(unknown) == len(files) else f" of {', '.join(unknown)}"
    return f"no row{whose} is LongBench's (by answers and length): these are not LongBench scores"


def _left_out(suite: Suite, names: Sequence[str]) -> str:
    return f"no task of {suite.name}, left out: {', '.join(map(repr, names))}" if names else ""
