"""Rows of LongBench that are known to be wrong or impossible: which, and why.

Row numbers are data, with the rule that each kind was found by in the tests; digests of answers and length find the
rows in files that have no ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from json import loads
from typing import Any

from longbench_eval.dataset.official import official_digests
from longbench_eval.tasks import Suite


@dataclass(frozen=True, slots=True)
class NoiseKind:
    """One way in which rows are wrong.

    Attributes:
        kind: Its name.
        why: What is wrong with them.
        left_out: Whether `score --without-noise` leaves them out; not those that lose next to nothing.
        rows: Row numbers, from 0, by file stem, e.g. `"qasper_e"`.
    """

    kind: str
    why: str
    left_out: bool
    rows: Mapping[str, tuple[int, ...]]


@cache
def noise_kinds() -> tuple[NoiseKind, ...]:
    """Every kind that is known."""
    stored = loads((files("longbench_eval.dataset.official") / "noise.json").read_text("utf-8"))
    return tuple(
        NoiseKind(one["kind"], one["why"], one["left_out"], {stem: tuple(rows) for stem, rows in one["rows"].items()})
        for one in stored
    )


def noise_rows(suite: Suite, task: str) -> dict[int, tuple[NoiseKind, ...]]:
    """The noisy rows of a task by their numbers in its file; of MiniLongBench, those it has."""
    if not suite.is_longbench:
        return {}
    stem = suite.file_name(task).removesuffix(".jsonl")
    chosen = None if suite.row_numbers is None else set(suite.row_numbers[task])
    numbers = sorted({number for kind in noise_kinds() for number in kind.rows.get(stem, ())})
    return {
        number: tuple(kind for kind in noise_kinds() if number in kind.rows.get(stem, ()))
        for number in numbers
        if chosen is None or number in chosen
    }


def noise_json(suites: Sequence[Suite]) -> dict[str, Any]:
    """The kinds and their rows, for programs: `data noise --json`."""
    return {
        "kinds": [{"kind": one.kind, "why": one.why, "left_out": one.left_out} for one in noise_kinds()],
        "rows": [
            {
                "kind": kind.kind,
                "suite": suite.name,
                "task": task,
                "row": number,
                "digest": _digest(suite, task, number),
            }
            for suite in suites
            for task in suite.tasks
            for number, kinds in noise_rows(suite, task).items()
            for kind in kinds
        ],
    }


def _digest(suite: Suite, task: str, number: int) -> str:
    return official_digests(suite.file_name(task).removesuffix(".jsonl"))[number]
