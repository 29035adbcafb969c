"""What the page of one run shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from longbench_eval.tasks import TASKS, Suite
from longbench_eval.viewer.cards import Card, manifest_of, scores_of
from longbench_eval.viewer.finding import Found

_FIRST = re.compile(r"\bfirst: line (\d+)\b|\bthe first in line (\d+)\b")


def run_page(found: Found, card: Card, suite: Suite) -> dict[str, Any]:
    """Everything that a run's page shows."""
    summary = card.summary or {}
    scored = scores_of(summary)
    manifest, _ = manifest_of(found)
    names = (name for name in (*TASKS, *(own.name for own in suite.own)) if name in {*found.files, *scored})
    return {
        **card.to_json(),
        "path": str(found.path),
        "warnings": [_warning("", text) for text in summary.get("warnings", ())],
        "withheld": summary.get("withheld") or {},
        "categories": summary.get("categories") or {},
        "flat_averages": summary.get("flat_averages") or {},
        "tasks": [_task(found, suite, name, scored.get(name)) for name in names],
        "settings": manifest.settings if manifest else None,
        "invocations": list(manifest.invocations)[-20:] if manifest else [],
        "evidence": manifest.evidence if manifest else None,
    }


def _task(found: Found, suite: Suite, name: str, summary: Mapping[str, Any] | None) -> dict[str, Any]:
    task, known = suite.task(name), dict(summary or {})
    category = f"your own: {task.category}" if suite.is_own(name) else task.category
    facts = {"task": name, "category": category, "language": task.language, "metric": task.metric}
    warnings = [_warning(name, text) for text in known.pop("warnings", ())]
    return {**facts, **known, "warnings": warnings, "here": name in found.files}


def _warning(task: str, text: str) -> dict[str, Any]:
    """A warning, and the row that it names."""
    first = _FIRST.search(text)
    return {"task": task, "text": text, "line": int(first[1] or first[2]) if first else None}
