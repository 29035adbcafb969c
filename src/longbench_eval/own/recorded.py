"""Finding a run's tasks of the user's own again in its manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from longbench_eval.errors import RunError, UsageError
from longbench_eval.manifest import MANIFEST, Manifest
from longbench_eval.tasks import Suite, get_suite

OWN_TASKS = "own_tasks"


def suite_of(manifest: Manifest) -> Suite:
    """What a run's predictions are measured against: its suite, and the tasks of the user's own that it has.

    Raises:
        RunError: The manifest's record of them is damaged.
    """
    suite = get_suite(manifest.suite)
    if OWN_TASKS not in manifest.evidence:
        return suite
    from longbench_eval.own.fields import make_task

    tasks = []
    for name, record in _records(manifest).items():
        try:
            values = dict(record["task"])
            tasks.append(make_task(name, values, int(values.pop("rows")), MANIFEST))
        except (KeyError, TypeError, ValueError, UsageError) as error:
            raise RunError(f"{MANIFEST} does not tell how the task {name!r} is scored ({error}).") from None
    return suite.with_own(tasks)


def recorded_digests(manifest: Manifest) -> dict[str, str]:
    """What stands for each of them in the signature, by name."""
    return {name: str(record.get("digest")) for name, record in _records(manifest).items()}


def _records(manifest: Manifest) -> Mapping[str, Any]:
    records = manifest.evidence.get(OWN_TASKS, {})
    if not isinstance(records, Mapping) or not all(isinstance(record, Mapping) for record in records.values()):
        raise RunError(f"{MANIFEST} does not tell which tasks of your own the run has.")
    return records


def own_choice(digests: Mapping[str, str]) -> dict[str, str]:
    """The signature's part about tasks of the user's own; nothing where there are none."""
    return {"own": "+".join(f"{name}@{digest}" for name, digest in digests.items())} if digests else {}


def own_notice(names: Iterable[str]) -> str:
    """What a reader of their scores must know."""
    return f"not LongBench's but tasks of your own, in none of its averages: {', '.join(names)}"
