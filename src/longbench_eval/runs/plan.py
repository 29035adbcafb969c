"""Everything that is settled before the first request: rows, templates, M, identity, signature."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b, sha256
from itertools import tee
from typing import Any

from longbench_eval.compress import ContextChange, open_change, select_tasks
from longbench_eval.dataset import Rows, Templates, load_rows, load_templates
from longbench_eval.dataset.examples import Examples
from longbench_eval.errors import DataError, UsageError
from longbench_eval.generate import schedule
from longbench_eval.models.base import Model, ModelOptions, serving_of
from longbench_eval.own import OwnTask, load_tasks
from longbench_eval.own.recorded import own_choice, own_notice
from longbench_eval.prompts import Budget, PromptPolicy, default_budget, fit_budget, stream_prompts, wants_chat
from longbench_eval.prompts.build import wrap_overhead
from longbench_eval.records import Example, Prompt, Request
from longbench_eval.runs.settings import RunSettings
from longbench_eval.runs.shards import parse_shard, part_of
from longbench_eval.tasks import Suite, get_suite


@dataclass(frozen=True, slots=True)
class Inputs:
    """What is asked: the rows of each task, the templates, and what happens to contexts. Known without a model."""

    suite: Suite
    examples: Mapping[str, Examples]
    rows: Mapping[str, Rows]
    templates: Templates
    change: ContextChange = field(default_factory=ContextChange)
    own: Mapping[str, OwnTask] = field(default_factory=dict)

    @property
    def official(self) -> tuple[str, ...]:
        """The LongBench tasks among them."""
        return tuple(task for task in self.examples if not self.suite.is_own(task))

    @property
    def longest_answer(self) -> int:
        """The largest output cap among the tasks, in tokens."""
        return max(self.suite.cap(task) for task in self.examples)


def load_inputs(settings: RunSettings) -> Inputs:
    """Load and check rows and templates.

    Raises:
        UsageError: A setting is impossible, or a task cannot be asked with its contexts changed so.
        DataError: Rows or templates are missing, broken or not LongBench's.
    """
    settings.check()
    mine = {own.task.name: own for own in load_tasks(settings.own_tasks)}
    suite = get_suite(settings.suite).with_own([own.task for own in mine.values()])
    tasks, change = select_tasks(settings, suite), open_change(settings)
    official, own = [task for task in tasks if task not in mine], {task: mine[task] for task in tasks if task in mine}
    rows, templates = _load_official(suite, official, settings) if official else ({}, _NO_TEMPLATES)
    rows = rows | {task: one.rows for task, one in own.items()}
    texts = {**templates.texts, **{task: one.template for task, one in own.items()}}
    examples = {task: _asked(rows[task].examples, settings) for task in tasks}
    for task in tasks:
        change.template(task, texts[task])
    return Inputs(suite, examples, rows, replace(templates, texts=texts), change, own)


# The templates of a run without a LongBench task, but for those that its own tasks bring.
_NO_TEMPLATES = Templates({}, "", official=False, source="own")


def _load_official(suite: Suite, tasks: Sequence[str], settings: RunSettings) -> tuple[dict[str, Rows], Templates]:
    unproved = settings.allow_unofficial
    try:
        rows = load_rows(suite, tasks, settings.data, allow_unofficial=unproved)
        return rows, load_templates(suite, tasks, settings.data, settings.templates, allow_unofficial=unproved)
    except DataError as error:
        if suite.own and settings.tasks is None:
            own = ",".join(task.name for task in suite.own)
            error.add_note(f"To run only your own tasks, name them: --tasks {own}")
        raise


def _asked(examples: Examples, settings: RunSettings) -> Examples:
    first = examples[: settings.limit]
    return first if settings.shard is None else first.only(part_of(first, parse_shard(settings.shard)))


def model_options(settings: RunSettings, inputs: Inputs) -> ModelOptions:
    """What the model must be able to do."""
    return ModelOptions(
        settings.deterministic,
        settings.max_input_tokens,
        inputs.longest_answer,
        settings.truncate,
        settings.server,
        settings.chat_setup,
        settings.transformers,
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """A run that only needs to be carried out."""

    settings: RunSettings
    inputs: Inputs
    policy: PromptPolicy
    budget: Budget | None
    identity: Mapping[str, Any]
    signature_choices: Mapping[str, str]
    warnings: tuple[str, ...]
    thinking_tokens: int = 0

    def requests(self, model: Model, task: str, ids: Container[str]) -> Iterator[tuple[Example, Request]]:
        """Make the requests for some rows of a task, each beside its row, in the order in which they are best asked."""
        change, template = self.inputs.change, self.inputs.templates.texts[task]
        ordered = schedule(self.inputs.examples[task].only(ids), serving_of(model).lanes)
        begun, made = tee((example, change.apply(example)) for example in ordered)
        changed = (new.example for _, new in begun)
        prompts = stream_prompts(changed, change.template(task, template), model.tokenizer, self.policy)
        for prompt, (example, new) in zip(prompts, made, strict=True):
            yield example, self._request(example, prompt, new.record)

    def _request(self, example: Example, prompt: Prompt, changed: Mapping[str, Any] | None) -> Request:
        task, context = example.task, blake2b(example.context.encode("utf-8"), digest_size=8).hexdigest()
        suite = self.inputs.suite
        cap, newline = suite.cap(task), suite.task(task).newline_stop
        if prompt.chat and self.thinking_tokens:
            # A rule that stops the answer would stop the thought: it is applied afterwards.
            return Request(task, prompt, cap + self.thinking_tokens, context=context, changed=changed)
        return Request(task, prompt, cap, int(newline), newline, context, changed)


def make_plan(settings: RunSettings, inputs: Inputs, model: Model) -> Plan:
    """Settle M, identity and signature.

    Raises:
        UsageError: M cannot be kept: too small, no room beside the answer, or no tokenizer to count with.
    """
    budget = choose_budget(settings, inputs, model)
    policy = replace(make_policy(settings, budget, model), suite=inputs.suite)
    warnings = tuple(_warnings(settings, inputs, model, policy, budget))
    choices = _signature_choices(settings, inputs, model, policy)
    identity = _identity(settings, inputs, model, policy)
    return Plan(settings, inputs, policy, budget, identity, choices, warnings, thinking_tokens(settings, model))


def thinking_tokens(settings: RunSettings, model: Model) -> int:
    """What thoughts may have beside the cap on the answer."""
    return settings.chat_setup.thinking.budget(serving_of(model).thinks, model.window)


def _thinking(settings: RunSettings, model: Model) -> str | None:
    """What was decided about thinking, where there was something to decide."""
    if settings.chat_setup.thinking.mode == "off":
        return "off"
    tokens = thinking_tokens(settings, model)
    return str(tokens) if tokens else None


def make_policy(settings: RunSettings, budget: Budget | None, model: Model) -> PromptPolicy:
    """How prompts are made: as the settings say, but a model that only chats is chatted with.

    Raises:
        UsageError: The settings forbid that.
    """
    chat = settings.chat if serving_of(model).plain else "always"
    if (settings.chat, chat) == ("never", "always"):
        raise UsageError(f"--chat never cannot be kept: {model.name} takes no prompt without its chat template.")
    return PromptPolicy(chat, budget.tokens if budget else None, settings.truncate)


def choose_budget(settings: RunSettings, inputs: Inputs, model: Model) -> Budget | None:
    """M for the whole run; None where nothing can be counted or no window is known."""
    wanted = settings.max_input_tokens
    if model.tokenizer is None:
        if wanted is not None:
            raise UsageError(f"--max-input-tokens needs a tokenizer to count with; {model.name} has none.")
        return None
    if wanted is None and model.window is None:
        return None
    wanted = wanted if wanted is not None else default_budget(model.window or 0)
    chat = settings.chat if serving_of(model).plain else "always"
    wrapped = any(wants_chat(task, chat, inputs.suite) for task in inputs.examples)
    overhead = wrap_overhead(model.tokenizer) if wrapped else 0
    thoughts = thinking_tokens(settings, model) if wrapped else 0
    return fit_budget(wanted, model.capacity, overhead, inputs.longest_answer + thoughts)


def _identity(settings: RunSettings, inputs: Inputs, model: Model, policy: PromptPolicy) -> dict[str, Any]:
    return {
        "suite": inputs.suite.name,
        "tasks": list(inputs.examples),
        **({"own": {name: own.identity for name, own in inputs.own.items()}} if inputs.own else {}),
        "limit": settings.limit,
        "shard": settings.shard and str(parse_shard(settings.shard)),
        "data": {task: rows.sha256 for task, rows in inputs.rows.items()},
        "templates": inputs.templates.sha256,
        "model": dict(model.identity()),
        "chat": settings.chat,
        "system": settings.system,
        "thinking": _thinking(settings, model),
        "truncate": policy.truncate,
        "max_input_tokens": policy.budget_tokens,
        "deterministic": settings.deterministic,
        **({"context": dict(inputs.change.identity())} if inputs.change.name else {}),
    }


def _signature_choices(settings: RunSettings, inputs: Inputs, model: Model, policy: PromptPolicy) -> dict[str, str]:
    cut = f"{policy.truncate}@{policy.budget_tokens}" if policy.budget_tokens is not None else "none"
    return {
        "tasks": str(len(inputs.official)),
        **own_choice({name: own.digest for name, own in inputs.own.items()}),
        **({"limit": str(settings.limit)} if settings.limit is not None else {}),
        **({"shard": str(parse_shard(settings.shard))} if settings.shard is not None else {}),
        "data": _weakest_proof(inputs.rows),
        "prompts": _templates_name(inputs.templates),
        "chat": _chat_choice(settings, model),
        **({"system": _digest(settings.system)} if settings.system is not None else {}),
        **({"thinking": thinking} if (thinking := _thinking(settings, model)) else {}),
        "trunc": cut,
        **({} if serving_of(model).exact_tokens else {"tokens": "estimated"}),
        "decode": "greedy",
        "stop": model.newline_stop,
        "reuse": model.prefix_reuse,
        **({"context": inputs.change.name} if inputs.change.name else {}),
    }


def _digest(text: str) -> str:
    return f"sha256-{sha256(text.encode('utf-8')).hexdigest()[:12]}"


def _chat_choice(settings: RunSettings, model: Model) -> str:
    if not _has_template(model):
        return f"{settings.chat}-without-template"
    kept = settings.chat == "always" or serving_of(model).plain
    return settings.chat if kept else f"{settings.chat}-without-completions"


def _weakest_proof(rows: Mapping[str, Rows]) -> str:
    proofs = {task_rows.proof for task_rows in rows.values()}
    order = ("unofficial", "answers-agree", "demo", "official", "own")
    return next(proof for proof in order if proof in proofs)


def _templates_name(templates: Templates) -> str:
    if templates.official:
        return "official"
    return templates.source if templates.source in ("demo", "own") else f"sha256-{templates.sha256[:12]}"


def _has_template(model: Model) -> bool:
    return model.tokenizer is not None and model.tokenizer.wrap_chat("a") is not None


def _warnings(
    settings: RunSettings, inputs: Inputs, model: Model, policy: PromptPolicy, budget: Budget | None
) -> Iterator[str]:
    if inputs.own:
        yield own_notice(inputs.own)
    if inputs.official and not inputs.suite.is_longbench:
        yield f"the suite {inputs.suite.name!r} is for trying an installation; its scores are not LongBench scores"
    unproved = [task for task, rows in inputs.rows.items() if rows.proof in ("unofficial", "answers-agree")]
    if unproved:
        yield f"rows not proved to be LongBench's: {', '.join(unproved)}"
    if inputs.templates.source != "own" and not inputs.templates.official and inputs.suite.is_longbench:
        yield f"templates are not the official ones: SHA-256 {inputs.templates.sha256}"
    if inputs.change.about:
        yield inputs.change.about
    if budget and budget.lowered_from is not None:
        yield budget.reason
    if settings.system is not None:
        yield "a system message goes before each prompt in the chat template; official prompts have none"
    thinking = settings.chat_setup.thinking
    if thinking.mode == "auto" and serving_of(model).thinks:
        tokens = thinking_tokens(settings, model)
        yield f"the model thinks, in up to {tokens} tokens beside each cap; --thinking decides otherwise"
    yield from serving_of(model).notes
    if model.tokenizer is None:
        yield "no tokenizer is known: prompts are sent whole, without a chat template"
    elif not _has_template(model) and any(wants_chat(task, policy.chat, inputs.suite) for task in inputs.examples):
        yield "the model has no chat template: every prompt is sent plain"
