"""From settings to the change they ask for, and the tasks it is for."""

from __future__ import annotations

from typing import Protocol

from longbench_eval.compress.change import QA_TASKS, ContextChange
from longbench_eval.compress.spec import RetrievalSpec, parse_spec
from longbench_eval.errors import UsageError
from longbench_eval.models.base import ModelOptions, ServerOptions
from longbench_eval.tasks import Suite


class _Settings(Protocol):
    """What is read of the settings of a run."""

    @property
    def tasks(self) -> tuple[str, ...] | None: ...
    @property
    def no_context(self) -> bool: ...
    @property
    def compress(self) -> str | None: ...
    @property
    def deterministic(self) -> bool: ...
    @property
    def server(self) -> ServerOptions: ...


def check_change(settings: _Settings) -> None:
    """Refuse what no run could do to its contexts.

    Raises:
        UsageError: With the value, what was expected, and the nearest name.
    """
    if settings.no_context and settings.compress is not None:
        raise UsageError(f"--no-context leaves nothing that --compress {settings.compress} could work on; give one.")
    if settings.compress is not None:
        parse_spec(settings.compress)


def select_tasks(settings: _Settings, suite: Suite) -> tuple[str, ...]:
    """The tasks of a run: those named, else the ones for which the paper made the change, else all of the suite.

    Raises:
        UsageError: A name is unknown, or the suite has no such task.
    """
    if settings.tasks is not None or not (settings.no_context or settings.compress):
        return suite.select(settings.tasks)
    made_for = parse_spec(settings.compress).tasks if settings.compress else QA_TASKS
    return suite.select([task for task in made_for if task in suite.tasks])


def open_change(settings: _Settings) -> ContextChange:
    """Make the change that the settings ask for.

    Raises:
        UsageError: A package, an address or a model's name is missing.
        ModelError: The embedding model cannot be had.
    """
    if settings.no_context:
        from longbench_eval.compress.no_context import NoContext

        return NoContext()
    if settings.compress is None:
        return ContextChange()
    spec = parse_spec(settings.compress)
    if isinstance(spec, RetrievalSpec):
        from longbench_eval.compress.retrieval import Retrieval, open_ranker

        return Retrieval(spec, open_ranker(spec, settings.server))
    from longbench_eval.compress.summarize import Summaries

    return Summaries(spec, ModelOptions(settings.deterministic, server=settings.server))
