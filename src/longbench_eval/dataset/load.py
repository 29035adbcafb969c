"""The rows of a suite, proved or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

from longbench_eval.dataset.examples import Examples, examples_of
from longbench_eval.dataset.official import Facts
from longbench_eval.dataset.rows import unique_ids
from longbench_eval.dataset.sources import Source, open_data
from longbench_eval.dataset.verify import Proof, Verdict, read_task_file
from longbench_eval.errors import DataError, UsageError
from longbench_eval.records import Example
from longbench_eval.tasks import TASKS, Suite, get_suite, get_task


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one task.

    Attributes:
        task: Its name.
        examples: In file order, each with an id of its own; read from the file when they are wanted.
        proof: `official`: the published file, byte for byte. `answers-agree`: other bytes with the published answers
            and lengths. `unofficial`: anything else. `demo`: rows of this package. `own`: of a task of the user's own.
        sha256: Of the whole file with LF line ends.
        detail: What was found, for people.
    """

    task: str
    examples: Examples
    proof: Proof
    sha256: str
    detail: str


def load_rows(
    suite: Suite,
    tasks: Sequence[str],
    data: Path | None = None,
    *,
    allow_unofficial: bool = False,
    facts: Facts | None = None,
) -> dict[str, Rows]:
    """Read and prove all rows of some tasks of a suite.

    Args:
        suite: Decides which files are read, and which of their rows are taken.
        tasks: Names of its tasks.
        data: A folder or a zip; None for what `data pull` fetched (the demo suite brings its own).
        allow_unofficial: Take rows that are not proved, too.
        facts: What to hold the files against, if not the official facts.

    Raises:
        DataError: Files are missing, broken, or not proved.
        UsageError: `data` was given for the demo suite.
    """
    check_data_option(suite, data)
    if not suite.is_longbench:
        return {task: _demo_rows(suite, task) for task in tasks}
    source = open_data(data)
    _require_files(source, suite, tasks)
    return {task: _task_rows(source, suite, task, allow_unofficial, facts) for task in tasks}


def load_examples(
    task: str, suite: str = "longbench", data: Path | str | None = None, *, allow_unofficial: bool = False
) -> tuple[Example, ...]:
    """Read the rows of one task.

    Args:
        task: Its official name.
        suite: `longbench`, `longbench-e`, `minilongbench` or `demo`.
        data: A folder or a zip; None for what `longbench-eval data pull` fetched.
        allow_unofficial: Take rows that are not proved to be LongBench's, too.

    Raises:
        DataError: The file is missing, broken, or not proved.
        UsageError: The task or suite is unknown.
    """
    chosen = get_suite(suite)
    names = chosen.select([get_task(task).name])
    path = None if data is None else Path(data)
    return tuple(load_rows(chosen, names, path, allow_unofficial=allow_unofficial)[task].examples)


def check_data_option(suite: Suite, data: Path | None) -> None:
    """Refuse `--data` for the suite that brings its own rows.

    Raises:
        UsageError: It was given.
    """
    if data is not None and not suite.is_longbench:
        raise UsageError(f"The suite {suite.name!r} brings its own rows; leave out --data, or name another suite.")


def _demo_rows(suite: Suite, task: str) -> Rows:
    resource = files("longbench_eval") / "dataset" / "demo" / suite.file_name(task)
    with resource.open("rb") as stream:
        rows, verdict = read_task_file(task, stream)
    examples = unique_ids(rows, verdict.where, trusted=False)
    return Rows(task, Examples.held(examples), "demo", verdict.sha256, "rows of this package, not LongBench")


def _require_files(source: Source, suite: Suite, tasks: Iterable[str]) -> None:
    """Name every missing file at once, and what can be run instead."""
    here = set(source.stems)
    missing = [suite.file_name(task) for task in tasks if task + suite.file_suffix not in here]
    if not missing:
        return
    present = ",".join(task for task in suite.tasks if task + suite.file_suffix in here)
    instead = f"take those that are there ({present}; a run by --tasks), or " if present else ""
    raise DataError(
        f"{source.path} lacks {', '.join(missing)}: {instead}"
        "fetch all with `longbench-eval data pull` and leave out --data."
    )


def _task_rows(source: Source, suite: Suite, task: str, allow_unofficial: bool, facts: Facts | None) -> Rows:
    stem = task + suite.file_suffix
    stream = source.open(stem)
    if stream is None:
        raise DataError(f"{source.where(stem)} is gone.")
    with stream:
        rows, verdict = read_task_file(stem, stream, where=source.where(stem), facts=facts)
    if not rows:
        raise DataError(f"{verdict.where} holds no rows; LongBench has {verdict.expected_rows}.")
    if verdict.state != "exact" and not allow_unofficial:
        raise _unproved(verdict, source)
    examples = unique_ids(rows, verdict.where, trusted=verdict.state == "exact")
    return _of_suite(suite, task, examples_of(rows, examples, partial(source.open, stem), verdict.where), verdict)


def _unproved(verdict: Verdict, source: Source) -> DataError:
    return DataError(
        f"{verdict.where} is not the official file: {verdict.detail}. "
        "Fetch the official files with `longbench-eval data pull`, or take these with --allow-unofficial, which marks "
        f"the signature. `longbench-eval data verify {source.path}` checks every file."
    )


def _of_suite(suite: Suite, task: str, examples: Examples, verdict: Verdict) -> Rows:
    """Take the rows that belong to the suite, out of the full file or out of one that holds just them."""
    full = TASKS[task].rows
    if suite.row_numbers is None:
        return Rows(task, examples, verdict.proof, verdict.sha256, verdict.detail)
    numbers = suite.row_numbers[task]
    if len(examples) == full:
        return Rows(task, examples.at(numbers), verdict.proof, verdict.sha256, verdict.detail)
    if len(examples) == len(numbers):
        detail = f"a file of {len(numbers)} rows, taken whole; nothing proves that they are {suite.name}'s"
        return Rows(task, examples, "unofficial", verdict.sha256, detail)
    raise DataError(
        f"{verdict.where} has {len(examples)} rows; {suite.name} selects {len(numbers)} from a file of {full}, or "
        f"takes a file of just {len(numbers)} whole. Fetch the full files with `longbench-eval data pull`."
    )
