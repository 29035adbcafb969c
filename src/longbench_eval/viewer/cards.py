"""What the list of runs tells: from summary.json where it is up to date, else scored anew."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from longbench_eval.errors import LongBenchError, RunError
from longbench_eval.manifest import Manifest, load_manifest
from longbench_eval.runs.listing import planned_rows
from longbench_eval.scoring import score
from longbench_eval.tasks import TASKS
from longbench_eval.viewer.finding import Found, stamp_of

State = Literal["scored", "stale", "unscored", "broken"]


@dataclass(frozen=True, slots=True)
class Card:
    """One run in the list.

    Attributes:
        name: What links call it.
        kind: `run`, or `folder`: predictions without a manifest, scored as they lie.
        model: The model's name, or the folder's.
        suite: The suite's name; empty while it is not known.
        signature: How the predictions were made and scored; empty while it is not known.
        state: `scored`; `stale`: rows were written since its summary; `unscored`; `broken`: `problem` says why.
        date: When it was last written to, in ISO 8601.
        rows: How many rows it has.
        planned: Of how many, if that is known.
        summary: As `score --json` prints it, with counts; None without scores.
        problem: What is wrong with it.
    """

    name: str
    kind: Literal["run", "folder"]
    model: str
    suite: str
    signature: str
    state: State
    date: str
    rows: int
    planned: int | None
    summary: Mapping[str, Any] | None = None
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        """Its line in the list: of the summary only the scores, and how many warnings there are."""
        shape = {name: value for name, value in asdict(self).items() if name != "summary"}
        return shape | _scores(self.summary or {})


def _scores(summary: Mapping[str, Any]) -> dict[str, Any]:
    tasks = summary.get("tasks", {})
    return {
        "averages": summary.get("bucket_averages") or summary.get("averages") or {},
        "tasks": {name: _task_score(task) for name, task in tasks.items()},
        "warnings": len(summary.get("warnings", ())) + sum(len(task["warnings"]) for task in tasks.values()),
    }


def _task_score(task: Mapping[str, Any]) -> float | None:
    value = task.get("score")
    return value if isinstance(value, int | float) else None


def read_card(found: Found) -> Card:
    """What can be told without scoring: a few milliseconds a run."""
    manifest, problem = manifest_of(found)
    summary = _read_summary(found.path / "summary.json") if found.is_run else None
    problem = problem or found.problem
    state: State = "unscored" if summary is None else "stale" if _outdated(found) else "scored"
    return Card(
        name=found.name,
        kind="run" if found.is_run else "folder",
        model=_model(manifest) or found.name.rsplit("/", 1)[-1],
        suite=manifest.suite if manifest else "",
        signature=(summary or {}).get("signature") or (str(manifest.signature) if manifest else ""),
        state="broken" if problem else state,
        date=_date(manifest) or _newest(found),
        rows=sum(task["n"] for task in scores_of(summary).values()) if summary and state == "scored" else _count(found),
        planned=planned_rows(manifest) if manifest else None,
        summary=summary,
        problem=problem,
    )


def scores_of(summary: Mapping[str, Any]) -> dict[str, Any]:
    """The scores of all tasks, the user's own too."""
    return {**summary.get("tasks", {}), **summary.get("own_tasks", {})}


def score_card(found: Found, card: Card) -> Card:
    """The same with scores made now, as `longbench-eval score` makes them."""
    if not found.files:
        return replace(card, problem=card.problem or "it has no rows yet")
    try:
        summary = score(found.path)
    except (LongBenchError, OSError) as error:
        return replace(card, state="broken", problem=card.problem or str(error))
    expected = sum(task.expected_n for task in summary.tasks.values())
    return replace(
        card,
        suite=summary.suite.name,
        signature=str(summary.signature),
        state="scored",
        rows=sum(task.n for task in summary.tasks.values()),
        planned=card.planned if found.is_run else expected,
        summary=summary.to_json(counts=True),
    )


def manifest_of(found: Found) -> tuple[Manifest | None, str]:
    """A run's manifest, or why it cannot be read."""
    try:
        return (load_manifest(found.path) if found.is_run else None), ""
    except (RunError, OSError) as error:
        return None, str(error)


def _model(manifest: Manifest | None) -> str:
    model = manifest.evidence.get("model") if manifest else None
    name = model.get("name") if isinstance(model, Mapping) else None
    return name if isinstance(name, str) else ""


def _date(manifest: Manifest | None) -> str:
    last = manifest.invocations[-1] if manifest and manifest.invocations else {}
    date = (last.get("ended_at") or last.get("started_at")) if isinstance(last, Mapping) else None
    return date if isinstance(date, str) else ""


def _newest(found: Found) -> str:
    newest = max((stamp_of(path)[0] for path in found.files.values()), default=0)
    return datetime.fromtimestamp(newest / 1e9, UTC).isoformat(timespec="seconds") if newest else ""


def _outdated(found: Found) -> bool:
    written = stamp_of(found.path / "summary.json")[0]
    return any(stamp_of(path)[0] > written for path in found.files.values())


def _count(found: Found) -> int:
    return sum(_newlines(path) for path in found.files.values())


def _newlines(path: Path) -> int:
    try:
        with path.open("rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    except OSError:
        return 0


def _read_summary(path: Path) -> Mapping[str, Any] | None:
    """A summary of the shape that runs write; None for any other, which is then made anew."""
    try:
        shape = json.loads(path.read_text("utf-8"))
        return shape if _is_summary(shape) else None
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None


def _is_summary(shape: Mapping[str, Any]) -> bool:
    return (
        isinstance(shape["signature"], str)
        and all(isinstance(task["n"], int) and _are_texts(task["warnings"]) for task in scores_of(shape).values())
        and shape["tasks"].keys() <= TASKS.keys()
        and _are_texts(shape["warnings"])
        and all(isinstance(shape.get(name) or {}, dict) for name in ("averages", "bucket_averages", "categories"))
    )


def _are_texts(values: Sequence[Any]) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
