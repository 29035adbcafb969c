"""Everything that is settled before the first request: rows, templates, M, identity, signature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longbench_eval.dataset import Rows, Templates, load_rows, load_templates
from longbench_eval.errors import UsageError
from longbench_eval.generate import group_by_context
from longbench_eval.models.base import Model, ModelOptions, serving_of
from longbench_eval.prompts import Budget, PromptPolicy, build_prompt, default_budget, fit_budget, wants_chat
from longbench_eval.prompts.build import wrap_overhead
from longbench_eval.records import Example, Request
from longbench_eval.runs.settings import RunSettings
from longbench_eval.tasks import TASKS, Suite, get_suite


@dataclass(frozen=True, slots=True)
class Inputs:
    """What is asked: the rows of each task, and the templates. Known without a model."""

    suite: Suite
    examples: Mapping[str, Sequence[Example]]
    rows: Mapping[str, Rows]
    templates: Templates

    @property
    def longest_answer(self) -> int:
        """The largest output cap among the tasks, in tokens."""
        return max(self.suite.cap(task) for task in self.examples)


def load_inputs(settings: RunSettings) -> Inputs:
    """Load and check rows and templates.

    Raises:
        UsageError: A setting is impossible.
        DataError: Rows or templates are missing, broken or not LongBench's.
    """
    settings.check()
    suite = get_suite(settings.suite)
    tasks = suite.select(settings.tasks)
    rows = load_rows(suite, tasks, settings.data, allow_unofficial=settings.allow_unofficial)
    templates = load_templates(
        suite, tasks, settings.data, settings.templates, allow_unofficial=settings.allow_unofficial
    )
    examples = {task: rows[task].examples[: settings.limit] for task in tasks}
    return Inputs(suite, examples, rows, templates)


def model_options(settings: RunSettings, inputs: Inputs) -> ModelOptions:
    """What the model must be able to do."""
    return ModelOptions(
        settings.deterministic,
        settings.max_input_tokens,
        inputs.longest_answer,
        settings.truncate,
        settings.server,
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

    def requests(self, model: Model, task: str, done: frozenset[str]) -> Iterator[Request]:
        """Make the task's requests one by one, rows that share a context together, leaving out what is done."""
        template = self.inputs.templates.texts[task]
        newline = TASKS[task].newline_stop
        for example in group_by_context(self.inputs.examples[task]):
            if example.id not in done:
                prompt = build_prompt(example, template, model.tokenizer, self.policy)
                yield Request(task, prompt, self.inputs.suite.cap(task), int(newline), newline)


def make_plan(settings: RunSettings, inputs: Inputs, model: Model) -> Plan:
    """Settle M, identity and signature.

    Raises:
        UsageError: M cannot be kept: too small, no room beside the answer, or no tokenizer to count with.
    """
    budget = choose_budget(settings, inputs, model)
    policy = make_policy(settings, budget, model)
    warnings = tuple(_warnings(inputs, model, policy, budget))
    choices = _signature_choices(settings, inputs, model, policy)
    return Plan(settings, inputs, policy, budget, _identity(settings, inputs, model, policy), choices, warnings)


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
    wrapped = any(wants_chat(task, chat) for task in inputs.examples)
    overhead = wrap_overhead(model.tokenizer) if wrapped else 0
    return fit_budget(wanted, model.capacity, overhead, inputs.longest_answer)


def _identity(settings: RunSettings, inputs: Inputs, model: Model, policy: PromptPolicy) -> dict[str, Any]:
    return {
        "suite": inputs.suite.name,
        "tasks": list(inputs.examples),
        "limit": settings.limit,
        "data": {task: rows.sha256 for task, rows in inputs.rows.items()},
        "templates": inputs.templates.sha256,
        "model": dict(model.identity()),
        "chat": settings.chat,
        "truncate": policy.truncate,
        "max_input_tokens": policy.budget_tokens,
        "deterministic": settings.deterministic,
    }


def _signature_choices(settings: RunSettings, inputs: Inputs, model: Model, policy: PromptPolicy) -> dict[str, str]:
    cut = f"{policy.truncate}@{policy.budget_tokens}" if policy.budget_tokens is not None else "none"
    return {
        "tasks": str(len(inputs.examples)),
        **({"limit": str(settings.limit)} if settings.limit is not None else {}),
        "data": _weakest_proof(inputs.rows),
        "prompts": _templates_name(inputs.templates),
        "chat": _chat_choice(settings, model),
        "trunc": cut,
        **({} if serving_of(model).exact_tokens else {"tokens": "estimated"}),
        "decode": "greedy",
        "stop": model.newline_stop,
        "reuse": model.prefix_reuse,
    }


def _chat_choice(settings: RunSettings, model: Model) -> str:
    if not _has_template(model):
        return f"{settings.chat}-without-template"
    kept = settings.chat == "always" or serving_of(model).plain
    return settings.chat if kept else f"{settings.chat}-without-completions"


def _weakest_proof(rows: Mapping[str, Rows]) -> str:
    proofs = {task_rows.proof for task_rows in rows.values()}
    order = ("unofficial", "answers-agree", "demo", "official")
    return next(proof for proof in order if proof in proofs)


def _templates_name(templates: Templates) -> str:
    if templates.official:
        return "official"
    return "demo" if templates.source == "demo" else f"sha256-{templates.sha256[:12]}"


def _has_template(model: Model) -> bool:
    return model.tokenizer is not None and model.tokenizer.wrap_chat("a") is not None


def _warnings(inputs: Inputs, model: Model, policy: PromptPolicy, budget: Budget | None) -> Iterator[str]:
    if not inputs.suite.is_longbench:
        yield f"the suite {inputs.suite.name!r} is for trying an installation; its scores are not LongBench scores"
    unproved = [task for task, rows in inputs.rows.items() if rows.proof in ("unofficial", "answers-agree")]
    if unproved:
        yield f"rows not proved to be LongBench's: {', '.join(unproved)}"
    if not inputs.templates.official and inputs.suite.is_longbench:
        yield f"templates are not the official ones: SHA-256 {inputs.templates.sha256}"
    if budget and budget.lowered_from is not None:
        yield budget.reason
    yield from serving_of(model).notes
    if model.tokenizer is None:
        yield "no tokenizer is known: prompts are sent whole, without a chat template"
    elif not _has_template(model) and any(wants_chat(task, policy.chat) for task in inputs.examples):
        yield "the model has no chat template: every prompt is sent plain"
