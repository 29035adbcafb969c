"""What a user decides about a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longbench_eval.compress.choose import check_change
from longbench_eval.errors import UsageError, unknown_name
from longbench_eval.files import printable
from longbench_eval.models.base import ServerOptions
from longbench_eval.models.hf.options import TransformersOptions
from longbench_eval.prompts.budget import check_budget
from longbench_eval.prompts.build import ChatPolicy
from longbench_eval.prompts.chat import ChatSetup
from longbench_eval.prompts.truncate import TRUNCATIONS
from longbench_eval.runs.shards import parse_shard
from longbench_eval.thinking import parse_thinking

if TYPE_CHECKING:
    from longbench_eval.own import OwnTask

CHAT_POLICIES: tuple[ChatPolicy, ...] = ("official", "always", "never")


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings of a run; every one has the official value as its default.

    Attributes:
        suite: A suite's name.
        tasks: Which of its tasks and your own; None for all.
        own_tasks: Tasks of your own, or the TOML files that describe them (docs/own-tasks.md).
        limit: Only the first rows of each task.
        data: A folder or zip with the rows; None for what `data pull` fetched (the demo brings its own).
        templates: The template file, where it does not lie with the rows.
        allow_unofficial: Take rows and templates that cannot be proved to be LongBench's; the signature says so.
        out: The run directory; None for one under `runs/`, named after the settings.
        max_input_tokens: M; None for the default that follows from the model's window.
        truncate: How a too long prompt is cut: `middle`, `left` or `right`.
        chat: Which tasks go into the chat template: `official`, `always` or `never`.
        system: A system message for the prompts that go into the chat template; official prompts have none.
        thinking: `auto`, `off` or `budget N`: whether a model that can think does, and for how many tokens.
        shard: `i/n`: only the i-th of n parts of the rows, to run them on several machines; `runs merge` joins them.
        deterministic: Make every answer independent of order, resume and neighbours.
        no_context: Ask without the documents; by default the QA tasks.
        compress: What becomes of the documents before they are asked about, e.g. `retrieval:bm25,chunk=200,top=7`; by
            default in the tasks the paper did it with.
        server: For `openai:` models: the server's address, and how it is asked.
        transformers: For `hf:` models: how they are loaded, and how many rows are answered at once.
    """

    suite: str = "longbench"
    tasks: tuple[str, ...] | None = None
    own_tasks: Sequence[OwnTask | Path | str] = ()
    limit: int | None = None
    data: Path | None = None
    templates: Path | None = None
    allow_unofficial: bool = False
    out: Path | None = None
    max_input_tokens: int | None = None
    truncate: str = "middle"
    chat: ChatPolicy = "official"
    system: str | None = None
    thinking: str = "auto"
    shard: str | None = None
    deterministic: bool = False
    no_context: bool = False
    compress: str | None = None
    server: ServerOptions = field(default_factory=ServerOptions)
    transformers: TransformersOptions = field(default_factory=TransformersOptions)

    def __post_init__(self) -> None:
        """Take strings for paths, and any sequence of names, but not one name, for tasks."""
        if isinstance(self.tasks, str):
            raise UsageError(f"tasks is the string {self.tasks!r}; give a tuple of names: ({self.tasks!r},).")
        if self.tasks is not None:
            object.__setattr__(self, "tasks", tuple(self.tasks))
        own: object = self.own_tasks
        object.__setattr__(self, "own_tasks", (own,) if isinstance(own, str | Path) else tuple(self.own_tasks))
        for name in ("data", "templates", "out"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else Path(value))

    def check(self) -> None:
        """Refuse values that no run could have.

        Raises:
            UsageError: With the value, what was expected, and the nearest name.
        """
        for name in ("limit", "max_input_tokens"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
                raise UsageError(f"{name} is {value!r}; it must be a whole number.")
        if self.limit is not None and self.limit < 1:
            raise UsageError(f"--limit is {self.limit}; it must be at least 1.")
        if self.max_input_tokens is not None:
            check_budget(self.max_input_tokens)
        if self.truncate not in TRUNCATIONS:
            raise unknown_name("truncation", self.truncate, TRUNCATIONS)
        if self.chat not in CHAT_POLICIES:
            raise unknown_name("chat policy", self.chat, CHAT_POLICIES)
        if self.shard is not None:
            parse_shard(self.shard)
        parse_thinking(self.thinking)
        check_change(self)
        self.server.check()
        self.transformers.check()

    @property
    def chat_setup(self) -> ChatSetup:
        """What goes into the chat template beside the prompt."""
        return ChatSetup(self.system, parse_thinking(self.thinking))

    def to_json(self) -> dict[str, Any]:
        """As given, for the manifest."""
        values = {name: getattr(self, name) for name in self.__slots__}
        values |= {"server": self.server.to_json(), "transformers": self.transformers.to_json()}
        values["own_tasks"] = [printable(_source_of(task)) for task in self.own_tasks]
        return {name: printable(value) if isinstance(value, Path) else value for name, value in values.items()}


def _source_of(task: OwnTask | Path | str) -> Path:
    return Path(task) if isinstance(task, str | Path) else task.source
