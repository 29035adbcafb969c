"""One prompt, made as a run would make it, for people to look at."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from longbench_eval.compress import select_tasks
from longbench_eval.dataset.examples import Examples
from longbench_eval.errors import DataError
from longbench_eval.models import open_model
from longbench_eval.own import load_tasks
from longbench_eval.prompts import PromptPolicy, build_prompt
from longbench_eval.records import Example, Prompt
from longbench_eval.runs.plan import Inputs, load_inputs, make_plan, model_options
from longbench_eval.runs.settings import RunSettings
from longbench_eval.tasks import Suite, get_suite


def preview(task: str, row: str, model: str | None, settings: RunSettings) -> tuple[Prompt, tuple[str, ...]]:
    """Build the prompt of one row, and say what a run would warn of.

    Args:
        task: The task's name.
        row: Its number in the file, from 0, or its `_id`.
        model: The model whose tokenizer, window and chat template are used; None renders only.
        settings: As for the run; only the rows of `task` are read.

    Raises:
        DataError: There is no such row.
    """
    settings = replace(settings, own_tasks=load_tasks(settings.own_tasks))
    _suite(settings).task(task)
    _suite(settings).select(settings.tasks)
    inputs = load_inputs(replace(settings, tasks=(task,)))
    with closing(inputs.change):
        example, template = _changed(inputs, task, row)
    if model is None:
        return build_prompt(example, template, None, PromptPolicy()), ()
    with closing(open_model(model, model_options(settings, inputs))) as opened:
        plan = make_plan(settings, _caps_of_run(inputs, settings), opened)
        return build_prompt(example, template, opened.tokenizer, plan.policy), plan.warnings


def _changed(inputs: Inputs, task: str, row: str) -> tuple[Example, str]:
    """The row and the template as the run changes them."""
    example = _find(inputs.examples[task], row)
    return inputs.change.apply(example).example, inputs.change.template(task, inputs.templates.texts[task])


def _suite(settings: RunSettings) -> Suite:
    return get_suite(settings.suite).with_own([own.task for own in load_tasks(settings.own_tasks)])


def _caps_of_run(inputs: Inputs, settings: RunSettings) -> Inputs:
    """M leaves room for the longest answer among all tasks of the run, not of this one."""
    tasks = select_tasks(settings, _suite(settings))
    return replace(inputs, examples=dict.fromkeys(tasks, Examples.held(())))


def _find(examples: Sequence[Example], row: str) -> Example:
    found = next((example for example in examples if example.id == row), None)
    if found is None and row.isdecimal() and int(row) < len(examples):
        found = examples[int(row)]
    if found is None:
        raise DataError(f"There is no row {row!r}: give a number from 0 to {len(examples) - 1}, or an _id.")
    return found


def marked(prompt: Prompt) -> str:
    """The prompt's text with a line where something was cut out; the line itself is not sent."""
    cut = prompt.truncation
    if cut is None:
        return prompt.text
    at = prompt.body_start + cut.head_chars
    lost = f"{cut.tokens_before - cut.tokens_after} tokens, {cut.end - cut.start} characters cut here"
    return f"{prompt.text[:at]}\n[[[ {lost}; this line is not sent ]]]\n{prompt.text[at:]}"
