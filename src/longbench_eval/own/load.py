"""Reading the TOML file that describes a task of the user's own, and the rows it names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from longbench_eval.dataset.examples import Examples, examples_of
from longbench_eval.dataset.lines import HashedLines
from longbench_eval.dataset.load import Rows
from longbench_eval.dataset.rows import Place, Row, parse_rows, unique_ids
from longbench_eval.dataset.templates import check_template
from longbench_eval.errors import DataError, UsageError
from longbench_eval.metrics import METRICS
from longbench_eval.own.fields import FIELDS, Field, check_kinds, make_task, values_of
from longbench_eval.records import Example
from longbench_eval.tasks import LONGBENCH, Suite, Task

_FILE_FIELDS: Mapping[str, Field] = {
    "name": Field(str, "a name of your own, such as 'contracts'"),
    "template": Field(str, "the prompt, with {context} and {input}", optional=True),
    "template_file": Field(str, "the path of the prompt's file, relative to this one", optional=True),
    "data": Field(str, "the path of the rows' JSONL file, relative to this one"),
    **FIELDS,
}
_REMEDY = "Mend that line; a row is {input, context, answers}, and may have length, all_classes and _id."


@dataclass(frozen=True, slots=True)
class OwnTask:
    """A task of the user's own with everything it takes to run it, as `load_task` made it.

    Attributes:
        task: How it is asked and scored.
        template: The prompt, with the fields `{context}` and `{input}`.
        rows: Its rows.
        source: The TOML file.
    """

    task: Task
    template: str
    rows: Rows
    source: Path

    @property
    def examples(self) -> Examples:
        """Its rows, in file order."""
        return self.rows.examples

    @property
    def identity(self) -> dict[str, Any]:
        """What makes this task this task, rows apart; part of a run's identity."""
        return {**values_of(self.task), "template_sha256": sha256(self.template.encode("utf-8")).hexdigest()}

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that stand for all of it, rows included; in the signature."""
        whole = json.dumps([self.task.name, self.identity, self.rows.sha256], sort_keys=True)
        return sha256(whole.encode("utf-8")).hexdigest()[:12]

    def to_record(self) -> dict[str, Any]:
        """What a run's manifest keeps of it, so that its predictions can be scored without the TOML file."""
        task = {**values_of(self.task), "rows": self.task.rows}
        return {"task": task, "template": self.template, "digest": self.digest}


def load_tasks(tasks: Sequence[OwnTask | Path | str]) -> tuple[OwnTask, ...]:
    """Load several, by name; those that are loaded already stay as they are.

    Raises:
        UsageError: Two have the same name, to a file system that ignores case.
    """
    loaded = [task if isinstance(task, OwnTask) else load_task(task) for task in tasks]
    sources: dict[str, Path] = {}
    for one in loaded:
        name = one.task.name.lower()
        if name in sources:
            raise UsageError(f"{sources[name]} and {one.source} both describe a task {name!r}; rename one of them.")
        sources[name] = one.source
    return tuple(sorted(loaded, key=lambda one: one.task.name))


def load_task(path: Path | str) -> OwnTask:
    """Read a task of the user's own, and all its rows.

    Args:
        path: A TOML file with `name`, `template` (or `template_file`), `data`, `metric` and `max_new_tokens`; and
            `category`, `language`, `chat`, `first_line` and `newline_stop` where the defaults do not fit.

    Raises:
        UsageError: The file is missing or no TOML, or a field is unknown, missing or impossible.
        DataError: The rows or the template cannot be used; the message says which and why.
    """
    source = Path(path).expanduser()
    given = _read_toml(source)
    check_kinds(given, _FILE_FIELDS, str(source))
    template = _template(given, source)
    values = {name: given[name] for name in FIELDS if name in given}
    task = make_task(given["name"], values, 0, str(source))
    rows = _read_rows(source.parent / Path(given["data"]).expanduser(), task)
    _check_fields_are_asked(template, rows.examples, source)
    return OwnTask(replace(task, rows=len(rows.examples)), template, rows, source)


def _read_toml(source: Path) -> dict[str, Any]:
    import tomllib

    text = _read_text(source, "a task's TOML file", UsageError)
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{source} is no TOML: {error}. Texts stand in quotes, such as metric = 'qa_f1'.") from None


def _read_text(path: Path, what: str, kind: type[UsageError] | type[DataError]) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise kind(f"{path} cannot be read ({error.strerror or error}); expected {what}.") from None
    except UnicodeDecodeError as error:
        raise kind(f"{path}: byte {error.start} (from 0) is not UTF-8; expected {what} in UTF-8.") from None


def _template(given: Mapping[str, Any], source: Path) -> str:
    if ("template" in given) == ("template_file" in given):
        found = "both" if "template" in given else "neither"
        raise UsageError(f"{source} has {found} of template and template_file; expected one of them.")
    if "template" in given:
        return str(given["template"])
    text = _read_text(source.parent / Path(given["template_file"]).expanduser(), "a prompt template", DataError)
    # Editors end a file with a newline; a prompt that ends with one is another prompt.
    return text.removesuffix("\n")


def _read_rows(path: Path, task: Task) -> Rows:
    suite = LONGBENCH.with_own([task])
    try:
        with path.open("rb") as stream:
            lines = HashedLines(stream)
            rows = list(parse_rows(lines, task.name, str(path), suite, _REMEDY))
    except OSError as error:
        raise DataError(
            f"{path} cannot be read ({error.strerror or error}); expected the rows of {task.name}."
        ) from None
    if not rows:
        raise DataError(f"{path} holds no rows; expected a JSON object with input, context and answers a line.")
    for row in rows:
        _check_answers(row, task, str(path))
    examples = unique_ids(rows, str(path), trusted=False, remedy=_REMEDY)
    detail = f"{len(examples)} rows of {path.name}"
    return Rows(task.name, _kept_or_reread(path, rows, examples, suite), "own", lines.sha256, detail)


def _kept_or_reread(path: Path, rows: Sequence[Row], examples: Sequence[Example], suite: Suite) -> Examples:
    if not path.is_file():  # a pipe gives its rows once
        return Examples.held(examples)
    file = path.absolute()  # it is opened later, when the working directory may be another
    return examples_of(rows, examples, lambda: file.open("rb"), str(path), suite)


def _check_answers(row: Row, task: Task, file: str) -> None:
    """Answers that the metric cannot use are told now, not after the model has answered everything."""
    try:
        for answer in row.example.answers:
            METRICS[task.metric]("", answer, classes=row.example.all_classes)
    except ValueError as error:
        raise Place(file, row.line, "Mend that line, or take another metric.").error(str(error)) from None


def _check_fields_are_asked(template: str, examples: Sequence[Example], source: Path) -> None:
    """A row's context or input that the template has no place for would never reach the model."""
    there = check_template(f"{source}: the template", template)
    for field in ("context", "input"):
        if field not in there and any(getattr(example, field) for example in examples):
            raise UsageError(
                f"{source}: the template has no {{{field}}}, but rows have one; write {{{field}}} into it."
            )
