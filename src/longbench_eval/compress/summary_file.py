"""The summaries of a run, a line each as they are made: `summaries.jsonl` in its directory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from longbench_eval.files import json_line, write_atomic
from longbench_eval.records import Completion

SUMMARIES = "summaries.jsonl"


def key_of(part: str) -> str:
    """The name of a part's summary: the hash of its text."""
    return hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest()


class SummaryFile:
    """What was summarized so far.

    Args:
        folder: The run directory.
        model: The identity of the model that summarizes; what another one wrote does not count.
    """

    def __init__(self, folder: Path, model: Mapping[str, Any]) -> None:
        self._path = folder / SUMMARIES
        self._model = key_of(json.dumps(model, sort_keys=True))
        self.texts = {record["part_sha256"]: record["summary"] for record in self._read()}

    def _read(self) -> Iterator[dict[str, str]]:
        """The lines that were written to their end; a torn one is dropped, and its part is asked again."""
        if not self._path.exists():
            return
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            write_atomic(self._path, whole)
        for line in whole.splitlines():
            record = _record(line)
            if record is not None and record["model_sha256"] == self._model:
                yield record

    def add(self, completion: Completion) -> None:
        """Write one summary; a failure leaves no line."""
        if completion.error is not None:
            return
        record = {
            "part_sha256": completion.example_id,
            "summary": completion.text,
            "model_sha256": self._model,
            "prompt_tokens": completion.prompt_tokens,
            "completion_tokens": completion.completion_tokens,
            "finish_reason": completion.finish_reason,
        }
        with self._path.open("ab") as file:
            file.write(json_line(record).encode("utf-8"))
        self.texts[completion.example_id] = completion.text


def _record(line: bytes) -> dict[str, str] | None:
    """A line's record; None for what was damaged."""
    try:
        record = json.loads(line)
        wanted = [record[key] for key in ("part_sha256", "summary", "model_sha256")]
    except (ValueError, KeyError, TypeError):
        return None
    return record if all(isinstance(value, str) for value in wanted) else None
