"""What every change of contexts is: asked for each example, silent by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longbench_eval.prompts import PromptPolicy
from longbench_eval.records import Example
from longbench_eval.tasks import TASKS

if TYPE_CHECKING:
    from longbench_eval.generate.progress import Progress
    from longbench_eval.models.base import Model

QA_TASKS = tuple(name for name, task in TASKS.items() if task.category in ("single-doc QA", "multi-doc QA"))
SUMMARY_TASKS = tuple(name for name, task in TASKS.items() if task.category == "summarization")


@dataclass(frozen=True, slots=True)
class Changed:
    """An example as it is asked, and the record of what was done to it; None where nothing was."""

    example: Example
    record: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Preparation:
    """What a change may use before the first row is asked.

    Attributes:
        model: The run's model.
        policy: How the run's prompts are made.
        examples: All rows of the run, by task.
        folder: The run directory, where what is made is kept.
        progress: Told of what is made.
    """

    model: Model
    policy: PromptPolicy
    examples: Mapping[str, Sequence[Example]]
    folder: Path
    progress: Progress


class ContextChange:
    """The change that changes nothing, and what the others are made of.

    `apply` may be called from another thread than the one that asks the model, and never asks it. What is heavy is
    loaded when it is first needed.

    Attributes:
        name: What the signature says of it; empty for contexts as they are.
        about: What a reader of the scores must know; empty for nothing.
    """

    name = ""
    about = ""

    def identity(self) -> Mapping[str, Any]:
        """What makes it another run (JSON values)."""
        return {}

    def template(self, task: str, text: str) -> str:
        """The template to fill for a task.

        Raises:
            UsageError: The task cannot be asked this way.
        """
        return text

    def prepare(self, preparation: Preparation) -> None:
        """Make what `apply` needs and is worth keeping; a second call goes on where a first was killed."""

    def apply(self, example: Example) -> Changed:
        """Change one example."""
        return Changed(example)

    def close(self) -> None:
        """Free what it holds."""
