"""The 21 tasks of LongBench and the suites made of them: the one place for every fact about a task.

Source: the LongBench paper (arXiv 2308.14508) and `config/` of its code at commit 2e00731; where they disagree the code
decides. The table in the docs is generated from this one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from json import loads
from typing import Any, Literal

from longbench_eval.errors import UsageError, unknown_name

Category = Literal["single-doc QA", "multi-doc QA", "summarization", "few-shot", "synthetic", "code"]
Language = Literal["en", "zh", "code"]

CATEGORIES: tuple[Category, ...] = (
    "single-doc QA",
    "multi-doc QA",
    "summarization",
    "few-shot",
    "synthetic",
    "code",
)
BUCKETS = ("0-4k", "4-8k", "8k+")


@dataclass(frozen=True, slots=True)
class Task:
    """One task and how it is asked and scored.

    Attributes:
        name: The official name, e.g. `"2wikimqa"`.
        category: One of `CATEGORIES`; of a task of the user's own, whatever they wrote.
        language: `"en"`, `"zh"`, or `"code"`.
        metric: The name of its metric in `longbench_eval.metrics`.
        max_new_tokens: The official cap on the answer, in tokens.
        chat: Whether the official protocol puts the prompt into the model's chat template.
        first_line: Whether only the first line of the answer is scored.
        rows: Number of rows in LongBench.
        bucket_rows: Rows of LongBench-E with a length below 4,000, below 8,000, and above; None when not part of it.
        newline_stop: Whether a newline ends the answer (samsum).
    """

    name: str
    category: Category | str
    language: Language
    metric: str
    max_new_tokens: int
    chat: bool = True
    first_line: bool = False
    rows: int = 200
    bucket_rows: tuple[int, int, int] | None = None
    newline_stop: bool = False


_EVEN = (100, 100, 100)

_TABLE = (
    Task("narrativeqa", "single-doc QA", "en", "qa_f1", 128),
    Task("qasper", "single-doc QA", "en", "qa_f1", 128, bucket_rows=(100, 100, 24)),
    Task("multifieldqa_en", "single-doc QA", "en", "qa_f1", 64, rows=150, bucket_rows=(67, 70, 13)),
    Task("multifieldqa_zh", "single-doc QA", "zh", "qa_f1_zh", 64),
    Task("hotpotqa", "multi-doc QA", "en", "qa_f1", 32, bucket_rows=_EVEN),
    Task("2wikimqa", "multi-doc QA", "en", "qa_f1", 32, bucket_rows=_EVEN),
    Task("musique", "multi-doc QA", "en", "qa_f1", 32),
    Task("dureader", "multi-doc QA", "zh", "rouge_zh", 128),
    Task("gov_report", "summarization", "en", "rouge", 512, bucket_rows=_EVEN),
    Task("qmsum", "summarization", "en", "rouge", 512),
    Task("multi_news", "summarization", "en", "rouge", 512, bucket_rows=(100, 100, 94)),
    Task("vcsum", "summarization", "zh", "rouge_zh", 512),
    Task("trec", "few-shot", "en", "classification", 64, chat=False, first_line=True, bucket_rows=_EVEN),
    Task("triviaqa", "few-shot", "en", "qa_f1", 32, chat=False, first_line=True, bucket_rows=_EVEN),
    Task("samsum", "few-shot", "en", "rouge", 128, chat=False, first_line=True, bucket_rows=_EVEN, newline_stop=True),
    Task("lsht", "few-shot", "zh", "classification", 64, chat=False, first_line=True),
    Task("passage_count", "synthetic", "en", "count", 32, bucket_rows=_EVEN),
    Task("passage_retrieval_en", "synthetic", "en", "retrieval", 32, bucket_rows=_EVEN),
    Task("passage_retrieval_zh", "synthetic", "zh", "retrieval_zh", 32),
    Task("lcc", "code", "code", "code_sim", 64, chat=False, rows=500, bucket_rows=_EVEN),
    Task("repobench-p", "code", "code", "code_sim", 64, chat=False, rows=500, bucket_rows=_EVEN),
)

TASKS: Mapping[str, Task] = {task.name: task for task in _TABLE}


def get_task(name: str) -> Task:
    """Return the task of that official name.

    Raises:
        UsageError: There is none; the nearest name is offered.
    """
    if name not in TASKS:
        raise unknown_name("task", name, TASKS, "longbench-eval tasks")
    return TASKS[name]


@dataclass(frozen=True, slots=True)
class Suite:
    """A set of tasks and rows that is evaluated and averaged together.

    Attributes:
        name: What `--suite` takes.
        about: One line for people.
        tasks: Names of official tasks, in the order they are run and printed.
        file_suffix: What follows the task's name in its file's name.
        counts: Expected number of rows per task.
        row_numbers: Which rows of each file belong to the suite; None for all.
        caps: Caps on the answers in tokens where they are not the official ones.
        is_longbench: Whether its scores are LongBench scores.
        own: Tasks of the user's own, evaluated beside its tasks and part of no average.
    """

    name: str
    about: str
    tasks: tuple[str, ...]
    counts: Mapping[str, int]
    file_suffix: str = ""
    row_numbers: Mapping[str, Sequence[int]] | None = field(default=None, repr=False)
    caps: Mapping[str, int] | None = field(default=None, repr=False)
    is_longbench: bool = True
    own: tuple[Task, ...] = ()

    def with_own(self, tasks: Sequence[Task]) -> Suite:
        """The same with these tasks of the user's own, in place of any it had."""
        official = {name: self.counts[name] for name in self.tasks}
        return replace(self, own=tuple(tasks), counts=official | {task.name: task.rows for task in tasks})

    @property
    def all_tasks(self) -> tuple[str, ...]:
        """Its tasks, and the user's own after them."""
        return (*self.tasks, *(task.name for task in self.own))

    def is_own(self, name: str) -> bool:
        """Whether that is a task of the user's own."""
        return any(task.name == name for task in self.own)

    def task(self, name: str) -> Task:
        """How a task is asked and scored: one of the 21, or the user's own.

        Raises:
            UsageError: There is none; the nearest name is offered.
        """
        own = next((task for task in self.own if task.name == name), None)
        if own is None and name not in TASKS:
            raise unknown_name("task", name, [*TASKS, *self.all_tasks[len(self.tasks) :]], "longbench-eval tasks")
        return own or TASKS[name]

    @property
    def has_buckets(self) -> bool:
        """Whether scores are reported by length, as LongBench-E does."""
        return self.file_suffix == "_e"

    def file_name(self, task: str) -> str:
        """The name of the task's data file."""
        return f"{task}{self.file_suffix}.jsonl"

    def cap(self, task: str) -> int:
        """The most new tokens an answer to this task may have."""
        return self.caps[task] if self.caps and task in self.caps else self.task(task).max_new_tokens

    def select(self, names: Sequence[str] | None) -> tuple[str, ...]:
        """Check task names and return them in the suite's order; None means all.

        Raises:
            UsageError: A name is unknown, or not part of this suite.
        """
        known = ", ".join(self.all_tasks)
        if names is None:
            return self.all_tasks
        if not names:
            raise UsageError(f"No task is named. The suite {self.name!r} has {known}.")
        for name in names:
            if self.task(name).name not in self.all_tasks:
                raise UsageError(f"The suite {self.name!r} has no task {name!r}; leave it out, or take of: {known}.")
        return tuple(task for task in self.all_tasks if task in names)


def _mini_rows() -> Mapping[str, Sequence[int]]:
    """MiniLongBench's row numbers by task, from 0, in the order of the files (arXiv 2505.19959)."""
    rows: Mapping[str, Sequence[int]] = _resource("official/minilongbench.json")
    return rows


def _resource(name: str) -> Any:
    return loads((files("longbench_eval") / "dataset" / name).read_text("utf-8"))


def _longbench() -> Suite:
    return Suite("longbench", "all 21 tasks", tuple(TASKS), {t.name: t.rows for t in TASKS.values()})


def _longbench_e() -> Suite:
    counts = {t.name: sum(t.bucket_rows) for t in TASKS.values() if t.bucket_rows}
    return Suite("longbench-e", "13 tasks, even lengths", tuple(counts), counts, file_suffix="_e")


def _minilongbench() -> Suite:
    rows = _mini_rows()
    counts = {task: len(rows[task]) for task in TASKS}
    return Suite("minilongbench", "237 rows that stand for all", tuple(TASKS), counts, row_numbers=rows)


def _demo() -> Suite:
    about = "two rows of our own a task, to try an installation; not LongBench scores"
    caps: Mapping[str, int] = _resource("demo/caps.json")
    return Suite("demo", about, tuple(TASKS), dict.fromkeys(TASKS, 2), caps=caps, is_longbench=False)


_SUITES = {"longbench": _longbench, "longbench-e": _longbench_e, "minilongbench": _minilongbench, "demo": _demo}
SUITE_NAMES = tuple(_SUITES)


@cache
def get_suite(name: str) -> Suite:
    """Return the suite of that name: `longbench`, `longbench-e`, `minilongbench` or `demo`.

    Raises:
        UsageError: There is none; the nearest name is offered.
    """
    if name not in _SUITES:
        raise unknown_name("suite", name, _SUITES, "longbench-eval tasks --suites")
    return _SUITES[name]()


LONGBENCH = get_suite("longbench")
