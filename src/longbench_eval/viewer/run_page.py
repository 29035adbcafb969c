"""What the page of one run shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from longbench_eval.errors import LongBenchError
from longbench_eval.manifest import Manifest
from longbench_eval.own.recorded import suite_of
from longbench_eval.tasks import TASKS, Task
from longbench_eval.viewer.cards import Card, manifest_of, scores_of
from longbench_eval.viewer.finding import Found

_FIRST = re.compile(r"\bfirst: line (\d+)\b|\bthe first in line (\d+)\b")


def run_page(found: Found, card: Card) -> dict[str, Any]:
    """Everything that a run's page shows."""
    summary = card.summary or {}
    manifest, _ = manifest_of(found)
    scores = scores_of(summary)
    return {
        **card.to_json(),
        "path": str(found.path),
        "warnings": [_warning("", text) for text in summary.get("warnings", ())],
        "withheld": summary.get("withheld") or {},
        "categories": summary.get("categories") or {},
        "flat_averages": summary.get("flat_averages") or {},
        "tasks": [_task(found, task, scores.get(task.name)) for task in _tasks(found, manifest, scores)],
        "settings": manifest.settings if manifest else None,
        "invocations": list(manifest.invocations)[-20:] if manifest else [],
        "evidence": manifest.evidence if manifest else None,
    }


def _tasks(found: Found, manifest: Manifest | None, scores: Mapping[str, Any]) -> list[Task]:
    """The tasks there is something of, the user's own after the official ones."""
    own: tuple[Task, ...] = ()
    if manifest:
        with suppress(LongBenchError):
            own = suite_of(manifest).own
    return [task for task in (*TASKS.values(), *own) if task.name in found.files or task.name in scores]


def _task(found: Found, task: Task, summary: Mapping[str, Any] | None) -> dict[str, Any]:
    name, known = task.name, dict(summary or {})
    facts = {"task": name, "category": task.category, "language": task.language, "metric": task.metric}
    warnings = [_warning(name, text) for text in known.pop("warnings", ())]
    return {**facts, **known, "warnings": warnings, "here": name in found.files}


def _warning(task: str, text: str) -> dict[str, Any]:
    """A warning, and the row that it names."""
    first = _FIRST.search(text)
    return {"task": task, "text": text, "line": int(first[1] or first[2]) if first else None}
