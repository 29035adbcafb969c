"""Joining the parts of a run that was split with `--shard`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from longbench_eval.errors import RunError
from longbench_eval.manifest import Manifest, load_manifest
from longbench_eval.predictions import parse_prediction
from longbench_eval.runs.directory import TIMINGS, RunDirectory, differing_fields, open_run
from longbench_eval.runs.finish import finish
from longbench_eval.runs.shards import Shard, parse_shard
from longbench_eval.scoring import Summary


class Part(NamedTuple):
    """One of the runs to be joined."""

    path: Path
    manifest: Manifest
    shard: Shard


class Merged(NamedTuple):
    """The whole run, its scores, and how many of its rows no part has yet."""

    path: Path
    summary: Summary
    missing: int


def merge_runs(paths: Sequence[Path], out: Path) -> Merged:
    """Join parts into a run directory that is the same as if one machine had run it.

    Parts may be unfinished, or absent: the run that was split, without `--shard` and with `--out` as here, asks what
    is missing.

    Args:
        paths: Run directories made with `--shard`.
        out: The run directory to make.

    Raises:
        RunError: Something is no part of the same run, or `out` is there already.
    """
    parts = _check([_read(path) for path in paths])
    if out.exists() and any(out.iterdir()):
        raise RunError(f"{str(out)!r} is not empty; name a new folder with --out.")
    manifest = _joined([part.manifest for part in parts])
    with open_run(out, manifest) as (directory, _):
        rows = sum(_join_task(directory, task, parts) for task in manifest.identity["tasks"])
        timings = b"".join((part.path / TIMINGS).read_bytes() for part in parts if (part.path / TIMINGS).exists())
        (directory.path / TIMINGS).write_bytes(timings)
        manifest.save(directory.path)
        return Merged(out, finish(directory, manifest), manifest.planned_rows - rows)


def _read(path: Path) -> Part:
    manifest = load_manifest(path)
    shard = manifest.identity.get("shard")
    if shard is None:
        raise RunError(f"{str(path)!r} is a whole run; only parts made with --shard can be merged.")
    return Part(path, manifest, parse_shard(shard))


def _check(parts: Sequence[Part]) -> list[Part]:
    """The parts in their order, each once, and all of one run."""
    first, seen = parts[0], dict[int, Path]()
    for part in parts:
        whole, other = ({**p.manifest.identity, "shard": p.shard.of} for p in (first, part))
        if differing := differing_fields(whole, other):
            raise RunError(f"{str(part.path)!r} is part of another run than {str(first.path)!r} ({differing}).")
        if part.shard.number in seen:
            twice = f"{str(seen[part.shard.number])!r} and {str(part.path)!r}"
            raise RunError(f"{twice} are both part {part.shard} of the run.")
        seen[part.shard.number] = part.path
    return sorted(parts, key=lambda part: part.shard)


def _joined(manifests: Sequence[Manifest]) -> Manifest:
    """The manifest of the whole run, with every start of every part on record."""
    first = manifests[0]
    return replace(
        first,
        identity={**first.identity, "shard": None},
        signature_choices=_without(first.signature_choices, "shard"),
        settings={**first.settings, "shard": None, "out": None},
        evidence=_without(first.evidence, "places"),
        invocations=tuple(start for manifest in manifests for start in manifest.invocations),
    )


def _without(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != name}


def _join_task(directory: RunDirectory, task: str, parts: Sequence[Part]) -> int:
    """Write a task's rows in the order of the data; how many there are."""
    placed: dict[int, bytes] = {}
    for part in parts:
        places, path = part.manifest.evidence["places"][task], part.path / "predictions" / f"{task}.jsonl"
        lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
        for number, line in enumerate(lines, 1):
            row = parse_prediction(line, f"{path}, line {number}")
            if row.id in places:
                placed[places[row.id]] = line
    directory.write_rows(task, [placed[place] for place in sorted(placed)])
    return len(placed)
