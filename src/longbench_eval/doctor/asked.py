"""What the run would ask: its rows, or, where they are not here, what is published of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from longbench_eval.dataset import load_rows
from longbench_eval.dataset.examples import Examples
from longbench_eval.dataset.official import official_files
from longbench_eval.dataset.templates import Templates
from longbench_eval.errors import DataError, UsageError
from longbench_eval.models.base import Model
from longbench_eval.own import load_tasks
from longbench_eval.prompts import Budget, PromptPolicy, wants_chat
from longbench_eval.prompts.build import wrap_overhead
from longbench_eval.prompts.tokenizer import Tokenizer
from longbench_eval.records import Example
from longbench_eval.runs.plan import Inputs, choose_budget, load_inputs, make_policy, thinking_tokens
from longbench_eval.runs.settings import RunSettings
from longbench_eval.tasks import TASKS, Language, Suite, get_suite

SAMPLED_ROWS = 4
# Where no tokenizer is known.
_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """The rows asked for, and why they cannot be read, if they cannot."""

    inputs: Inputs
    missing: DataError | None = None

    @property
    def suite(self) -> Suite:
        """The suite."""
        return self.inputs.suite


@dataclass(frozen=True, slots=True)
class TaskSize:
    """How much one task is.

    Attributes:
        rows: Requests.
        prompt_tokens: Of all of them, after M is applied, template included.
        longest: Of the longest one.
        cap: The most new tokens of one answer.
    """

    rows: int
    prompt_tokens: float
    longest: int
    cap: int


def look_at_rows(settings: RunSettings) -> Asked:
    """Read the rows and templates that a run with these settings would read.

    Raises:
        UsageError: A setting is impossible.
    """
    settings.check()
    own = [own.task for own in load_tasks(settings.own_tasks)]
    suite = get_suite(settings.suite).with_own(own)
    tasks = suite.select(settings.tasks)
    try:
        return Asked(load_inputs(settings))
    except DataError as error:
        return Asked(Inputs(suite, dict.fromkeys(tasks, Examples.held(())), {}, Templates({}, "", False, "")), error)


def try_budget(settings: RunSettings, asked: Asked, model: Model) -> Budget | UsageError | None:
    """M as the run would choose it, or why there is none."""
    try:
        return choose_budget(settings, asked.inputs, model)
    except UsageError as error:
        return error


class Size(NamedTuple):
    """Tokens that a chat template adds to a prompt, and a thought to its answer."""

    prompt: int
    answer: int


def sizes(
    settings: RunSettings, asked: Asked, model: Model, budget: Budget | UsageError | None
) -> Mapping[str, TaskSize]:
    """How much each task is for this model.

    Raises:
        UsageError: The settings forbid what the model needs.
    """
    policy = make_policy(settings, budget if isinstance(budget, Budget) else None, model)
    chat = Size(wrap_overhead(model.tokenizer) if model.tokenizer else 0, thinking_tokens(settings, model))
    return dict(_sizes(settings, asked, policy, model.tokenizer, chat))


def _sizes(
    settings: RunSettings, asked: Asked, policy: PromptPolicy, tokenizer: Tokenizer | None, chat: Size
) -> Iterator[tuple[str, TaskSize]]:
    rates = _published_rates(tokenizer) if asked.missing else {}
    for task, examples in asked.inputs.examples.items():
        if asked.missing and asked.suite.is_own(task):
            continue  # their rows are at hand, once the others are
        if asked.missing:
            bare = _published(asked.suite, task, settings.limit, rates[TASKS[task].language])
        else:
            bare = _counted(examples, asked.inputs.templates.texts[task], tokenizer)
        more = chat if wants_chat(task, policy.chat, asked.suite) else Size(0, 0)
        whole = [min(tokens, policy.budget_tokens or tokens) + more.prompt for tokens in bare]
        cap = asked.suite.cap(task) + more.answer
        yield task, TaskSize(len(whole), sum(whole), int(max(whole, default=0)), cap)


def _published_rates(tokenizer: Tokenizer | None) -> Mapping[Language, float]:
    """Tokens a byte of each language, by this tokenizer, on the rows that this package brings."""
    demo = get_suite("demo")
    texts: dict[Language, str] = {}
    for task, rows in load_rows(demo, demo.tasks).items():
        language = TASKS[task].language
        texts[language] = texts.get(language, "") + "".join(row.context for row in rows.examples)
    return {name: _tokens(text, tokenizer) / len(text.encode("utf-8")) for name, text in texts.items()}


def _published(suite: Suite, task: str, limit: int | None, tokens_a_byte: float) -> list[float]:
    """Every row as long as the published file's rows are in the mean."""
    file = official_files()[task + suite.file_suffix]
    of_file = sum(TASKS[task].bucket_rows or ()) if suite.has_buckets else TASKS[task].rows
    rows = min(suite.counts[task], limit or suite.counts[task])
    return [file.size / of_file * tokens_a_byte] * rows


def _counted(examples: Sequence[Example], template: str, tokenizer: Tokenizer | None) -> list[float]:
    """Tokens of every prompt: by its characters, at the rate of some rows that are tokenized."""
    texts = [template.format(context=example.context, input=example.input) for example in examples]
    sample = texts[:: max(1, len(texts) // SAMPLED_ROWS)][:SAMPLED_ROWS]
    rate = sum(_tokens(text, tokenizer) for text in sample) / max(1, sum(map(len, sample)))
    return [len(text) * rate for text in texts]


def _tokens(text: str, tokenizer: Tokenizer | None) -> float:
    return len(text) / _CHARACTERS_A_TOKEN if tokenizer is None else len(tokenizer.encode(text))
