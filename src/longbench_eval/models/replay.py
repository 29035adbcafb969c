"""Answers from a recorded run: for tests, and to go through a run again without its model."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from time import sleep
from typing import Any, cast, get_args

from longbench_eval.errors import ModelError
from longbench_eval.files import json_line
from longbench_eval.models.base import ModelOptions, NewlineStop, PrefixReuse
from longbench_eval.predictions import Prediction, read_predictions
from longbench_eval.records import Completion, Failure, FinishReason, Request

_DELAY = re.compile(r"(?P<path>.*),delay=(?P<delay>\d+(?:\.\d+)?)", re.DOTALL)


class ReplayModel:
    """Looks each row up by task and `_id` in a run's predictions.

    Args:
        run: A run directory, or its `predictions/`.
        delay_s: Seconds to wait before each answer.
    """

    tokenizer = None
    window = None
    capacity = None
    newline_stop: NewlineStop = "none"
    prefix_reuse: PrefixReuse = "off"

    def __init__(self, run: Path, delay_s: float = 0.0) -> None:
        folder = run / "predictions" if (run / "predictions").is_dir() else run
        self.name = f"replay-{run.resolve().name}"
        self._delay_s = delay_s
        self._rows = {(file.stem, row.id): row for file in sorted(folder.glob("*.jsonl")) for row in _rows(file)}
        if not self._rows:
            raise ModelError(f"{str(run)!r} holds no predictions to replay: expected a run directory.")

    def identity(self) -> Mapping[str, Any]:
        """The answers themselves, by hash; delays change none."""
        digest = hashlib.sha256()
        for (task, id_), row in sorted(self._rows.items()):
            digest.update(json_line([task, id_, row.pred]).encode("utf-8"))
        return {"kind": "replay", "name": self.name, "sha256": digest.hexdigest()}

    def versions(self) -> Mapping[str, str]:
        """None."""
        return {}

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answer in order."""
        return map(self._answer, requests)

    def _answer(self, request: Request) -> Completion:
        sleep(self._delay_s)
        row = self._rows.get((request.task, request.example_id))
        if row is None:
            failure = Failure("model", f"the replayed run has no answer to {request.task} {request.example_id}")
            return Completion(request.example_id, "", error=failure)
        counts = _count(row.extra.get("prompt_tokens")), _count(row.extra.get("completion_tokens"))
        return Completion(request.example_id, row.pred, _reason(row), *counts, latency_s=self._delay_s)

    def close(self) -> None:
        """Nothing to free."""


def _reason(row: Prediction) -> FinishReason:
    found: str = row.extra.get("finish_reason") or "unknown"
    return cast("FinishReason", found) if found in get_args(FinishReason) else "unknown"


def _count(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _rows(file: Path) -> Iterator[Prediction]:
    for row in read_predictions(file):
        if row.id is None:
            raise ModelError(f"{file.name} has rows without _id, so they cannot be replayed; `score` can score them.")
        if not row.failed:
            yield row


def open_replay(name: str, options: ModelOptions) -> ReplayModel:
    """Open `RUN` or `RUN,delay=SECONDS`."""
    match = _DELAY.fullmatch(name)
    path, delay = (match["path"], float(match["delay"])) if match else (name, 0.0)
    return ReplayModel(Path(path).expanduser(), delay)
