"""Scoring what lies on disk: a run directory, or any folder of official-format predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from longbench_eval.errors import DataError
from longbench_eval.manifest import MANIFEST, load_manifest
from longbench_eval.predictions import Prediction, read_predictions
from longbench_eval.scoring.census import digest_of, expected_digests, tell_suite
from longbench_eval.scoring.profiles import get_profile
from longbench_eval.scoring.summary import Summary, summarize
from longbench_eval.signature import Signature
from longbench_eval.tasks import TASKS, Suite, get_suite


@dataclass(frozen=True, slots=True)
class Scored:
    """Predictions read from disk and what is known of how they were made."""

    suite: Suite
    signature: Signature
    files: Mapping[str, Sequence[Prediction]]
    warnings: tuple[str, ...] = ()


def score(path: str | Path, profile: str = "official") -> Summary:
    """Score a run directory or a folder of official-format predictions.

    Args:
        path: A run directory, its `predictions/`, any folder with one JSONL file a task, or one such file.
        profile: A name in `PROFILES`.

    Raises:
        DataError: There are no predictions, or a line is broken.
        UsageError: There is no such profile.
    """
    chosen, found = get_profile(profile), read_folder(Path(path))
    return summarize(found.signature, found.suite, found.files, chosen, found.warnings)


def read_folder(path: Path) -> Scored:
    """Read predictions and tell what they are: by the manifest of a run, else by their rows."""
    run = next((p for p in (path, path.parent) if (p / MANIFEST).is_file()), None) if path.is_dir() else None
    folder = path / "predictions" if (path / "predictions").is_dir() else path
    paths = find_files(folder)
    files = {task: read_predictions(file) for task, file in paths.items()}
    return _read_run(run, files) if run else _read_foreign(paths, files)


def find_files(folder: Path) -> dict[str, Path]:
    """Predictions files by task, in the order of the task table.

    The names that circulate are `TASK.jsonl`, `TASK_e.jsonl` and `TASK<suffix>.jsonl`.

    Raises:
        DataError: The folder is missing, holds none, or two for one task.
    """
    candidates = [folder] if folder.is_file() else sorted(folder.glob("*.jsonl"))
    found: dict[str, Path] = {}
    for file in candidates:
        task = task_of(file.stem)
        if task in found:
            raise DataError(f"{file.name} and {found[task].name} both hold {task}; score them in folders of their own.")
        if task:
            found[task] = file
    if not found:
        raise DataError(
            f"{str(folder)!r} holds no predictions: expected one file a task, such as qasper.jsonl, or a run."
        )
    return {task: found[task] for task in TASKS if task in found}


def task_of(stem: str) -> str | None:
    """The task a file is named after: the longest name that the stem begins with, up to no letter or digit."""
    fitting = [t for t in TASKS if stem.startswith(t) and not stem[len(t) : len(t) + 1].isalnum()]
    return max(fitting, key=len, default=None)


def _read_run(run: Path, files: Mapping[str, Sequence[Prediction]]) -> Scored:
    manifest = load_manifest(run)
    return Scored(get_suite(manifest.suite), manifest.signature, files, manifest.warnings)


def _read_foreign(paths: Mapping[str, Path], files: Mapping[str, Sequence[Prediction]]) -> Scored:
    named_e = all(path.stem.endswith("_e") for path in paths.values())
    suite, known = tell_suite(files, named_e)
    foreign = [task for task in files if task not in suite.tasks]
    warnings = [] if known else ["no row is LongBench's (by answers and length): these are not LongBench scores"]
    if foreign:
        warnings.append(f"not part of {suite.name}, left out: {', '.join(foreign)}")
    kept = {task: rows for task, rows in files.items() if task in suite.tasks}
    data = "answers-agree" if all(_all_known(suite, task, rows) for task, rows in kept.items()) else "unproved"
    return Scored(suite, Signature(suite.name, {"tasks": str(len(kept)), "data": data}), kept, tuple(warnings))


def _all_known(suite: Suite, task: str, rows: Sequence[Prediction]) -> bool:
    expected = set(expected_digests(suite, task) or ())
    return all(digest_of(row) in expected for row in rows)
