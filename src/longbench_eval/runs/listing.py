"""The runs in a folder."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longbench_eval.errors import RunError
from longbench_eval.manifest import MANIFEST, Manifest, load_manifest


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One line of `runs ls`: a run, how many rows it has of how many, and its overall score if there is one."""

    path: Path
    manifest: Manifest
    rows: int
    planned_rows: int
    overall: float | None

    def to_json(self) -> dict[str, Any]:
        """One record of `runs ls --json`."""
        counts = {"rows": self.rows, "planned_rows": self.planned_rows, "overall": self.overall}
        return {"path": str(self.path), **counts, "signature": str(self.manifest.signature)}


def list_runs(folder: Path) -> list[RunInfo]:
    """All runs directly under a folder, by name."""
    return [_info(path.parent) for path in sorted(folder.glob(f"*/{MANIFEST}"))]


def _info(run: Path) -> RunInfo:
    manifest = load_manifest(run)
    limit = manifest.identity.get("limit")
    planned = [task["rows"] for task in manifest.evidence.get("data", {}).values()]
    rows = sum(path.read_bytes().count(b"\n") for path in run.glob("predictions/*.jsonl"))
    return RunInfo(run, manifest, rows, sum(min(n, limit or n) for n in planned), _overall(run))


def _overall(run: Path) -> float | None:
    try:
        overall: float | None = json.loads((run / "summary.json").read_text("utf-8"))["averages"]["All"]
    except (OSError, ValueError, KeyError):
        return None
    return overall


def remove_run(run: Path) -> None:
    """Delete a run directory, and nothing that is not one.

    Raises:
        RunError: It is no run directory.
    """
    load_manifest(run)
    if run.is_symlink():
        raise RunError(f"{str(run)!r} is a link; remove the run it points to, or the link itself.")
    shutil.rmtree(run)
