"""Contexts as summaries of their parts, made before the first row is asked.

The paper did this with the four summarization tasks, each part asked for at most 200 new tokens. Its published script
(summ/compress.py in THUDM/LongBench) never returns its summaries: an error is caught and the context stays whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict, replace
from typing import Any

from longbench_eval.compress.change import Changed, ContextChange, Preparation
from longbench_eval.compress.kept import measure
from longbench_eval.compress.spec import SummarizeSpec
from longbench_eval.compress.split import split
from longbench_eval.compress.summary_file import SummaryFile, key_of
from longbench_eval.errors import ModelError, UsageError
from longbench_eval.generate import answer
from longbench_eval.models import Model, ModelOptions, open_model
from longbench_eval.models.base import ServerOptions
from longbench_eval.prompts import PromptPolicy, build_prompt, default_budget, fit_budget
from longbench_eval.prompts.build import ChatPolicy, wrap_overhead
from longbench_eval.records import Example, Failure, Request
from longbench_eval.tasks import get_task

_INSTRUCTIONS = {
    "en": "{context}\n\nSum up the text above in at most %d words. Reply with the summary alone.",
    "zh": "{context}\n\n请把上面的文字概括成不超过%d字的摘要。只回复摘要本身。",
}
# A token is three quarters of an English word, and about one Chinese character.
_WORDS_A_TOKEN = {"en": 0.75, "zh": 1.0}


class Summaries(ContextChange):
    """Each context becomes the summaries of its parts, a line each.

    Args:
        spec: How long parts and summaries are, and who makes them.
        options: For another model than the run's: how it is opened.
    """

    def __init__(self, spec: SummarizeSpec, options: ModelOptions) -> None:
        self._spec, self._options = spec, options
        self._texts: Mapping[str, str] | None = None
        by = ",other" if spec.by else ""
        self.name = f"summaries({spec.part},{spec.max_new}{by})"
        who = spec.by or "the model itself"
        self.about = f"contexts are replaced by summaries of their parts, made by {who}: no LongBench scores"

    def identity(self) -> Mapping[str, Any]:
        """The choices."""
        return {"kind": "summaries", **asdict(self._spec)}

    def template(self, task: str, text: str) -> str:
        """The task's own template."""
        if "{context}" not in text:
            raise UsageError(f"--compress summarize: the template of {task} has no {{context}}; leave it out.")
        return text

    def prepare(self, preparation: Preparation) -> None:
        """Summarize every part that has no summary yet.

        Raises:
            ModelError: Parts could not be summarized. Those that were are kept.
        """
        with self._summarizer(preparation.model) as model:
            file = SummaryFile(preparation.folder, model.identity())
            parts = self._parts(preparation.examples)
            failures = self._summarize(model, preparation, parts, file)
        if failures:
            raise ModelError(
                f"{len(failures)} of {len(parts)} parts could not be summarized, the first because: "
                f"{failures[0].message}. The other summaries are kept; mend the model and run again."
            )
        self._texts = file.texts

    def _summarize(
        self, model: Model, preparation: Preparation, parts: Mapping[str, Example], file: SummaryFile
    ) -> list[Failure]:
        """Ask for what is missing; says what failed."""
        missing = {key: part for key, part in parts.items() if key not in file.texts}
        failures: list[Failure] = []
        if not missing:
            return failures
        with preparation.progress.over(len(parts), len(parts) - len(missing)):
            for completion in answer(model, self._requests(model, preparation.policy, missing)):
                preparation.progress.row("summaries", completion)
                file.add(completion)
                failures += [completion.error] if completion.error else []
        return failures

    def _summarizer(self, own: Model) -> Any:
        if self._spec.by is None:
            return nullcontext(own)
        options = replace(self._options, max_new_tokens=self._spec.max_new)
        if not self._spec.by.startswith("openai:"):
            options = replace(options, server=ServerOptions())
        return closing(open_model(self._spec.by, options))

    def _parts(self, examples: Mapping[str, Sequence[Example]]) -> dict[str, Example]:
        """All parts, each once, as examples of the tasks they come from."""
        return {
            key_of(part): replace(row, id=key_of(part), context=part, input="")
            for rows in examples.values()
            for row in rows
            for part in self._split(row)
        }

    def _split(self, row: Example) -> list[str]:
        return [part for part in split(row.context, self._spec.part) if part.strip()]

    def _requests(self, model: Model, policy: PromptPolicy, parts: Mapping[str, Example]) -> Iterator[Request]:
        policy = self._policy(model, policy)
        for part in parts.values():
            language = "zh" if get_task(part.task).language == "zh" else "en"
            words = round(self._spec.max_new * _WORDS_A_TOKEN[language])
            prompt = build_prompt(part, _INSTRUCTIONS[language] % words, model.tokenizer, policy)
            yield Request(part.task, prompt, self._spec.max_new)

    def _policy(self, model: Model, policy: PromptPolicy) -> PromptPolicy:
        """A part is a message to the model, whatever the task; only `--chat never` forbids that."""
        chat: ChatPolicy = "never" if policy.chat == "never" and self._spec.by is None else "always"
        wanted = policy.budget_tokens
        if self._spec.by is not None:
            wanted = default_budget(model.window) if model.window and model.tokenizer else None
        if wanted is None:
            return PromptPolicy(chat)
        budget = fit_budget(wanted, model.capacity, wrap_overhead(model.tokenizer), self._spec.max_new)
        return PromptPolicy(chat, budget.tokens, policy.truncate)

    def apply(self, example: Example) -> Changed:
        """Put the summaries in the place of the context."""
        if self._texts is None:
            raise UsageError("--compress summarize: its summaries are made by a run; there is no prompt to show.")
        parts, texts = self._split(example), self._texts
        context = "\n".join(texts[key_of(part)].strip() for part in parts)
        record = {"kind": "summaries", "parts": len(parts), **measure(example, context)}
        return Changed(replace(example, context=context), record)
