"""The runs in a folder."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from longbench_eval.errors import RunError
from longbench_eval.manifest import MANIFEST, Manifest, load_manifest
from longbench_eval.runs.directory import RunDirectory, locked


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One line of `runs ls`.

    Attributes:
        path: The run directory.
        rows: How many rows it has.
        planned_rows: Of how many; None where the manifest does not tell.
        overall: The average over all categories, on the 0 to 100 scale, if there is one.
        signature: How the predictions were made; empty for a run that cannot be read.
        problem: Why it cannot be read.
    """

    path: Path
    rows: int
    planned_rows: int | None = None
    overall: float | None = None
    signature: str = ""
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        """One record of `runs ls --json`."""
        return {**asdict(self), "path": str(self.path)}


def list_runs(folder: Path) -> list[RunInfo]:
    """All runs directly under a folder, by name, or the run that the folder is.

    Raises:
        RunError: There is no such folder.
    """
    if not folder.is_dir():
        raise RunError(f"{str(folder)!r} is no folder; expected one that holds run directories.")
    if (folder / MANIFEST).exists():
        return [_info(folder)]
    return [_info(path.parent) for path in sorted(folder.glob(f"*/{MANIFEST}"))]


def _info(run: Path) -> RunInfo:
    rows = RunDirectory(run).kept()
    try:
        manifest = load_manifest(run)
    except RunError as error:
        return RunInfo(run, rows, problem=str(error))
    return RunInfo(run, rows, planned_rows(manifest), _overall(run), str(manifest.signature))


def planned_rows(manifest: Manifest) -> int | None:
    """How many rows a run is to have; None where its manifest does not tell."""
    try:
        return manifest.planned_rows
    except RunError:
        return None


def _overall(run: Path) -> float | None:
    try:
        overall = json.loads((run / "summary.json").read_text("utf-8"))["averages"]["All"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return overall if isinstance(overall, float) else None


def remove_run(run: Path) -> None:
    """Delete a run directory, and nothing that is not one.

    Raises:
        RunError: It is no run directory, or another process writes to it.
    """
    load_manifest(run)
    if run.is_symlink():
        raise RunError(f"{str(run)!r} is a link; remove the run it points to, or the link itself.")
    with locked(run):
        shutil.rmtree(run.resolve())
