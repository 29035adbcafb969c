"""Generation into a run directory: every row that is not there yet, and nothing lost whatever happens."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from longbench_eval import hardware
from longbench_eval.compress import Preparation
from longbench_eval.errors import LongBenchError
from longbench_eval.generate import Ahead, answer, settle
from longbench_eval.generate.progress import Progress
from longbench_eval.manifest import Manifest
from longbench_eval.models.base import Model, breaker_of, serving_of
from longbench_eval.predictions import to_record
from longbench_eval.records import Completion, Example, Request
from longbench_eval.runs.directory import RunDirectory
from longbench_eval.runs.plan import Plan
from longbench_eval.version import __version__

# Prompts that wait for the model, beside those it is at.
_AHEAD = 16


class Collector:
    """Asks a model what a plan says and appends the answers to a run directory."""

    def __init__(self, plan: Plan, model: Model, directory: RunDirectory, progress: Progress) -> None:
        self._plan, self._model, self._directory, self._progress = plan, model, directory, progress
        self._rows = 0

    def collect(self, manifest: Manifest) -> None:
        """Go through all tasks; the manifest records this start of the run.

        Raises:
            ModelError: The model failed again and again.
            KeyboardInterrupt: With a note on what is kept, as all of these: an `OSError` (a full disk), a `DataError`
                (a data file was changed meanwhile).
        """
        examples = self._plan.inputs.examples
        done = {task: self._directory.repair(task) for task in examples}
        total, before = sum(map(len, examples.values())), sum(map(len, done.values()))
        for warning in self._plan.warnings:
            self._progress.note(warning)
        record = self._begin(manifest)
        try:
            self._prepare_contexts()
            with self._progress.over(total, before):
                for tasks in self._streams():
                    self._collect(tasks, done)
        except (KeyboardInterrupt, OSError, LongBenchError) as error:
            error.add_note(f"{self._directory.kept()} of {total} rows are kept in {self._directory.path}.")
            raise
        self._end(manifest, record)

    def _prepare_contexts(self) -> None:
        inputs, path = self._plan.inputs, self._directory.path
        inputs.change.prepare(Preparation(self._model, self._plan.policy, inputs.examples, path, self._progress))

    def _streams(self) -> list[list[str]]:
        """All tasks in one stream of requests, so that the model never runs dry between two.

        Answers come back by the id of their row: where tasks share ids, each is a stream of its own.
        """
        examples = self._plan.inputs.examples
        ids = [id_ for task in examples for id_ in examples[task].ids]
        return [list(examples)] if len(set(ids)) == len(ids) else [[task] for task in examples]

    def _collect(self, tasks: Sequence[str], done: Mapping[str, frozenset[str]]) -> None:
        left = {task: set(self._plan.inputs.examples[task].ids) - done[task] for task in tasks}
        asked: dict[str, tuple[Example, Request]] = {}
        self._sort(task for task in tasks if not left[task])
        depth = _AHEAD + serving_of(self._model).lanes
        with Ahead(self._ask(left, asked), depth, breaker_of(self._model)) as requests:
            for completion in answer(self._model, requests):
                example, request = asked.pop(completion.example_id)
                self._keep(example, request, completion)
                left[request.task].remove(example.id)
                self._sort([request.task] if not left[request.task] else [])

    def _ask(self, left: Mapping[str, Container[str]], asked: dict[str, tuple[Example, Request]]) -> Iterator[Request]:
        """Hand out requests, remembering those whose answer is still to come."""
        for task in left:
            for example, request in self._plan.requests(self._model, task, left[task]):
                asked[example.id] = example, request
                yield request

    def _keep(self, example: Example, request: Request, completion: Completion) -> None:
        task, prompt = request.task, completion.sent or request.prompt
        suite, tokenizer = self._plan.inputs.suite, self._model.tokenizer
        settled = settle(task, prompt, suite.cap(task), completion, tokenizer, suite)
        prompt_sha256 = hashlib.sha256(prompt.text.encode("utf-8")).hexdigest()
        record = to_record(example, prompt, prompt_sha256, settled, request.changed)
        self._directory.append(task, record, _timing(task, settled))
        self._rows += 1
        self._progress.row(task, settled)

    def _sort(self, tasks: Iterable[str]) -> None:
        for task in tasks:
            self._directory.sort(task, self._plan.inputs.examples[task].ids)

    def _begin(self, manifest: Manifest) -> dict[str, Any]:
        record = {
            "started_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "versions": {"longbench-eval": __version__, **self._model.versions()},
            "hardware": hardware.describe(),
        }
        manifest.with_invocation(record).save(self._directory.path)
        return record

    def _end(self, manifest: Manifest, record: dict[str, Any]) -> None:
        ended = {"ended_at": datetime.now(UTC).isoformat(timespec="seconds"), "rows": self._rows}
        manifest.with_invocation({**record, **ended}).save(self._directory.path)


def _timing(task: str, completion: Completion) -> dict[str, Any]:
    return {
        "task": task,
        "_id": completion.example_id,
        "finished_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "latency_s": round(completion.latency_s, 4),
        "prompt_tokens": completion.prompt_tokens,
        "completion_tokens": completion.completion_tokens,
        "cached_tokens": completion.cached_tokens,
        "retries": completion.retries,
    }
