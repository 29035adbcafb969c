"""Scoring what lies on disk: a run directory, or any folder of official-format predictions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from longbench_eval.manifest import MANIFEST, load_manifest
from longbench_eval.own.recorded import own_choice, own_notice, recorded_digests, suite_of
from longbench_eval.predictions import Prediction, read_predictions, read_unfinished
from longbench_eval.scoring.census import Census
from longbench_eval.scoring.locate import find_files, named_e, row_files
from longbench_eval.scoring.profiles import get_profile
from longbench_eval.scoring.summarize import summarize
from longbench_eval.scoring.summary import Summary
from longbench_eval.scoring.telling import tell_suite
from longbench_eval.signature import Signature
from longbench_eval.tasks import Suite

if TYPE_CHECKING:
    from longbench_eval.own import OwnTask

    OwnTasks = Sequence[OwnTask | Path | str]


@dataclass(frozen=True, slots=True)
class Submission:
    """Predictions as they were found, and what is known of how they were made; `run` is theirs, if they are of one."""

    suite: Suite
    signature: Signature
    files: Mapping[str, Sequence[Prediction]]
    warnings: tuple[str, ...] = ()
    censuses: Mapping[str, Census] | None = None
    run: Path | None = None


def score(
    path: str | Path, profile: str = "official", *, strip_thinking: bool = False, own_tasks: OwnTasks = ()
) -> Summary:
    """Score a run directory or a folder of official-format predictions.

    Args:
        path: A run directory, its `predictions/`, any folder with one JSONL file a task, or one such file.
        profile: A name in `PROFILES`.
        strip_thinking: Score only what follows a recorded thought; one without an end leaves an empty answer.
        own_tasks: Tasks of the user's own, or the files that describe them; a run knows its own without them, and is
            scored by these where it has them too.

    Raises:
        DataError: There are no predictions, or a line is broken.
        RunError: The run's manifest cannot be read.
        UsageError: There is no such profile.
    """
    return score_profiles(path, [profile], strip_thinking=strip_thinking, own_tasks=own_tasks)[0]


def score_profiles(
    path: str | Path, profiles: Sequence[str], *, strip_thinking: bool = False, own_tasks: OwnTasks = ()
) -> list[Summary]:
    """Score the same predictions under several profiles; see `score`."""
    chosen = [get_profile(name) for name in profiles]
    found = read_folder(Path(path), strip_thinking=strip_thinking, own_tasks=own_tasks)
    return [
        summarize(found.signature, found.suite, found.files, profile, found.warnings, found.censuses)
        for profile in chosen
    ]


def read_folder(path: Path, *, strip_thinking: bool = False, own_tasks: OwnTasks = ()) -> Submission:
    """Read predictions and tell what they are: by the manifest of a run, else by their rows."""
    found = _read(path, _load(own_tasks))
    if not strip_thinking:
        return found
    return replace(found, files={task: [row.without_thinking() for row in rows] for task, rows in found.files.items()})


def _load(own_tasks: OwnTasks) -> Sequence[OwnTask]:
    if not own_tasks:
        return ()
    from longbench_eval.own import load_tasks

    return load_tasks(own_tasks)


def _read(path: Path, own: Sequence[OwnTask]) -> Submission:
    run = _run_of(path)
    folder = path / "predictions" if (path / "predictions").is_dir() else path
    return _read_run(run, folder, own) if run else _read_foreign(folder, own)


def _run_of(path: Path) -> Path | None:
    """The run directory that a path is, or is inside the predictions of."""
    place = path.absolute()
    above = [folder.parent for folder in (place, place.parent) if folder.name == "predictions"]
    return next((run for run in (path, *above) if (run / MANIFEST).is_file()), None)


def _read_run(run: Path, folder: Path, own: Sequence[OwnTask]) -> Submission:
    """Read a run, also one that was killed or is still going on."""
    manifest = load_manifest(run)
    recorded = suite_of(manifest)
    tasks = {task.name: task for task in recorded.own} | {one.task.name: one.task for one in own}
    paths = find_files(folder, tuple(tasks))
    read = {task: read_unfinished(path) for task, path in paths.items()}
    torn = [
        f"the last line of {str(paths[task])!r} is torn and left out; running the run again repairs it"
        for task, file in read.items()
        if file.torn
    ]
    files = {task: file.rows for task, file in read.items()}
    signature = manifest.signature
    if own:
        digests = recorded_digests(manifest) | {one.task.name: one.digest for one in own}
        signature = Signature(signature.suite, {**signature.choices, **own_choice(digests)})
    suite = recorded.with_own(tuple(tasks.values()))
    return Submission(suite, signature, files, (*manifest.warnings, *torn), run=run)


def _read_foreign(folder: Path, own: Sequence[OwnTask]) -> Submission:
    mine = {one.task.name: one for one in own}
    paths = find_files(folder, tuple(mine))
    files = {task: read_predictions(path) for task, path in paths.items()}
    theirs = {task: rows for task, rows in files.items() if task not in mine}
    suite, censuses, doubt = tell_suite(theirs, bool(theirs) and named_e({task: paths[task] for task in theirs}))
    official = {task: rows for task, rows in theirs.items() if task in suite.tasks}
    kept = official | {task: rows for task, rows in files.items() if task in mine}
    left_out = [path.name for path in row_files(folder) if path not in {paths[task] for task in kept}]
    warnings = (doubt, _unknown_rows(official, censuses), _left_out(suite, left_out), *_about(mine, kept))
    digests = {name: one.digest for name, one in mine.items() if name in kept}
    choices = {"tasks": str(len(official)), **own_choice(digests), "data": _proof(official, censuses)}
    whole = suite.with_own([one.task for one in own])
    return Submission(whole, Signature(suite.name, choices), kept, tuple(filter(None, warnings)), censuses)


def _proof(official: Mapping[str, object], censuses: Mapping[str, Census]) -> str:
    if not official:
        return "own"
    return "answers-agree" if all(census.proved for census in censuses.values()) else "unproved"


def _about(own: Mapping[str, object], kept: Mapping[str, object]) -> Iterator[str]:
    """What there is to say of the user's own tasks."""
    if here := [name for name in own if name in kept]:
        yield own_notice(here)
    if lacking := [f"{name}.jsonl" for name in own if name not in kept]:
        yield f"no predictions of your own task: there is no {', '.join(lacking)}"


def _unknown_rows(files: Mapping[str, Sequence[Prediction]], censuses: Mapping[str, Census]) -> str:
    unknown = [task for task, rows in files.items() if rows and not censuses[task].found]
    if not unknown:
        return ""
    whose = "" if len(unknown) == len(files) else f" of {', '.join(unknown)}"
    return f"no row{whose} is LongBench's (by answers and length): these are not LongBench scores"


def _left_out(suite: Suite, names: Sequence[str]) -> str:
    return f"no task of {suite.name}, left out: {', '.join(map(repr, names))}" if names else ""
