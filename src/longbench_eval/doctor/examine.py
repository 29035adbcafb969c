"""The whole examination: reach the model, ask little, let every check look, reckon what the suite takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from longbench_eval.dataset.sources import pulled_folder
from longbench_eval.doctor.asked import Asked, TaskSize, look_at_rows, sizes, try_budget
from longbench_eval.doctor.checks import CHECKS
from longbench_eval.doctor.contact import Contact, Unreachable, contact
from longbench_eval.doctor.estimate import Estimate, Price, make_estimate, tell
from longbench_eval.doctor.finding import Finding, notice, ok, problem, problem_of
from longbench_eval.doctor.gather import Need, Say, gather
from longbench_eval.doctor.installation import look_around
from longbench_eval.doctor.replayed import check_replay
from longbench_eval.doctor.speeds import measure
from longbench_eval.errors import UsageError
from longbench_eval.models.registry import split_spec
from longbench_eval.prompts import Budget, wants_chat
from longbench_eval.runs.plan import make_policy, model_options
from longbench_eval.runs.settings import RunSettings


@dataclass(frozen=True, slots=True)
class Report:
    """All findings, and the estimate if there is one."""

    model: str | None
    findings: tuple[Finding, ...]
    estimate: Estimate | None = None

    @property
    def healthy(self) -> bool:
        """Whether no check found a problem."""
        return all(finding.level != "problem" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """The object that `doctor --json` prints."""
        return {
            "model": self.model,
            "healthy": self.healthy,
            "findings": [finding.to_json() for finding in self.findings],
            "estimate": self.estimate and self.estimate.to_json(),
        }


def examine_installation(settings: RunSettings) -> Report:
    """Look at what is installed and at hand."""
    return Report(None, tuple(look_around(settings.data)))


def examine(
    spec: str, settings: RunSettings, *, price: Price | None = None, quick: bool = False, say: Say = lambda _: None
) -> Report:
    """Examine a model for a run with these settings.

    Args:
        spec: The model, as `--model` takes it.
        settings: The run's.
        price: For the cost.
        quick: Leave out the one long prompt.
        say: Told what is being done.

    Raises:
        UsageError: The command itself is wrong.
    """
    split_spec(spec)
    say("reading the rows")
    asked = look_at_rows(settings)
    try:
        with contact(spec, model_options(settings, asked.inputs)) as met:
            if split_spec(spec)[0] == "replay":
                return Report(spec, tuple(check_replay(met.model, asked)))
            return _examined(spec, settings, asked, met, price, quick, say)
    except Unreachable as error:
        return Report(spec, (error.finding, *_rows(asked, settings)))


def _examined(
    spec: str, settings: RunSettings, asked: Asked, met: Contact, price: Price | None, quick: bool, say: Say
) -> Report:
    budget = try_budget(settings, asked, met.model)
    try:
        tasks = sizes(settings, asked, met.model, budget)
    except UsageError as error:  # --chat never, and a server that only chats
        return Report(spec, (problem_of("completions", error), *_rows(asked, settings)))
    known = gather(met, _need(settings, asked, met, budget, tasks), quick=quick, say=say)
    findings = [finding for check in CHECKS for finding in check(known)]
    at_once = _concurrency(met, settings)
    estimate = make_estimate(tasks, measure(known), price, counted=not asked.missing, concurrency=at_once)
    return Report(spec, (*findings, *_rows(asked, settings), *tell(estimate)), estimate)


def _need(
    settings: RunSettings,
    asked: Asked,
    met: Contact,
    budget: Budget | UsageError | None,
    tasks: Mapping[str, TaskSize],
) -> Need:
    longest = None if asked.missing else max(size.longest for size in tasks.values())
    suite = asked.suite
    plain = tuple(task for task in tasks if not wants_chat(task, settings.chat, suite))
    # A model that only chats is chatted with for every task.
    kept = make_policy(settings, None, met.model).chat
    chats = any(wants_chat(task, kept, suite) for task in tasks)
    return Need(budget, longest, asked.inputs.longest_answer, plain, chats)


def _concurrency(met: Contact, settings: RunSettings) -> int:
    """Requests that are really worked on at once."""
    if met.server is None or settings.deterministic:
        return 1
    return min(settings.server.concurrency, met.server.slots or settings.server.concurrency)


def _rows(asked: Asked, settings: RunSettings) -> Iterator[Finding]:
    if asked.missing is not None:
        message, _, remedy = str(asked.missing).rstrip().rpartition(". ")
        # Who only examines a server need not have fetched the data yet; data that are there must be right.
        there = settings.data or settings.templates or pulled_folder().is_dir()
        yield (problem if there else notice)("data", f"{message}.", remedy)
        return
    proofs = sorted({rows.proof for rows in asked.inputs.rows.values()})
    tasks = len(asked.inputs.examples)
    yield ok("data", f"rows of {tasks} {'task' if tasks == 1 else 'tasks'} are at hand: {', '.join(proofs)}")
