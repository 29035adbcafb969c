"""How a run was made, as far as it is on record, and how to make it again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from longbench_eval.manifest import Manifest
from longbench_eval.reports.html.read import Reported
from longbench_eval.runs import RunSettings

# Settings and the options that give them; what has another name is told here.
_SKIPPED = {"out"}
_OPTIONS = {"timeout_s": "--timeout"}
_LONGEST = 400


def setup(run: Reported) -> list[dict[str, Any]]:
    """Groups of facts, each a title and pairs of a name and a value."""
    if run.manifest is None:
        return []
    manifest, evidence = run.manifest, run.manifest.evidence
    identity = {name: value for name, value in manifest.identity.items() if name not in ("data", "tasks", "model")}
    last: Mapping[str, Any] = manifest.invocations[-1] if manifest.invocations else {}
    groups = {
        "Model": _dict(evidence.get("model")),
        "Settings that change outputs": identity,
        "Machine": {**_dict(last.get("hardware")), **_dict(last.get("device"))},
        "Versions": _dict(last.get("versions")),
        "Prompt templates": _dict(evidence.get("templates")),
        "When": {"starts": len(manifest.invocations), "first": _first(manifest), "last": last.get("ended_at")},
    }
    shown = {
        title: [(name.replace("_", " "), _value(value)) for name, value in facts.items()]
        for title, facts in groups.items()
    }
    return [{"title": title, "facts": facts} for title, facts in shown.items() if facts]


def _first(manifest: Manifest) -> Any:
    return manifest.invocations[0].get("started_at") if manifest.invocations else None


def _dict(value: Any) -> dict[str, Any]:
    return {str(name): one for name, one in value.items()} if isinstance(value, dict) else {}


def _value(value: Any) -> str:
    if value is None:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def data_rows(run: Reported) -> list[dict[str, str]]:
    """What proves the rows of every task."""
    data = _dict(run.manifest.evidence.get("data")) if run.manifest else {}
    caps = _dict(run.manifest.evidence.get("max_new_tokens")) if run.manifest else {}
    return [
        {
            "task": task,
            "proof": _value(_dict(found).get("proof")),
            "detail": _value(_dict(found).get("detail")),
            "sha256": _value(_dict(found).get("sha256")),
            "cap": _value(caps.get(task)),
        }
        for task, found in data.items()
    ]


def command(run: Reported) -> str:
    """The command that makes the run again, or that scores the predictions as they were."""
    if run.manifest is None:
        return shlex.join(["longbench-eval", "score", str(run.path), "--profile", run.summary.profile])
    return " ".join(["longbench-eval run", *_words(run.manifest)])


def _words(manifest: Manifest) -> Iterator[str]:
    yield from ("--model", shlex.quote(_model(manifest)))
    usual, settings = RunSettings(), dict(manifest.settings)
    for part in ("server", "transformers"):
        given = _dict(settings.pop(part, {}))
        yield from _given(given, {name: getattr(getattr(usual, part), name, None) for name in given})
    yield from _given(settings, {name: getattr(usual, name, None) for name in settings})


def _model(manifest: Manifest) -> str:
    known = _dict(manifest.evidence.get("model"))
    kind, name = str(known.get("kind", "")), str(known.get("name", ""))
    return name if kind == "llama.cpp" and ".gguf" not in name else f"{kind}:{name}"


def _given(values: Mapping[str, Any], usual: Mapping[str, Any]) -> Iterator[str]:
    """The options that differ from their defaults."""
    for name, value in values.items():
        if value is None or value == usual.get(name) or name in _SKIPPED or isinstance(value, dict):
            continue
        option = _OPTIONS.get(name, "--" + name.replace("_", "-"))
        if isinstance(value, bool):
            yield from (option,) if value else ()
        else:
            yield from (option, _quoted(value))


def _quoted(value: Any) -> str:
    return shlex.quote(",".join(map(str, value)) if isinstance(value, list) else str(value))
