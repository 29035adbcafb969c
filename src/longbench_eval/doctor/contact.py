"""Reaching a model; whoever cannot be reached is told of as findings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from longbench_eval.doctor import server as servers
from longbench_eval.doctor.answers import Asker, ModelAsker
from longbench_eval.doctor.finding import Finding, problem, problem_of
from longbench_eval.doctor.known import Server
from longbench_eval.doctor.names import nearest, some
from longbench_eval.errors import ModelError
from longbench_eval.models import Model, ModelOptions, open_model
from longbench_eval.models.openai.backoff import RetryPolicy
from longbench_eval.models.openai.client import GaveUp, Pace
from longbench_eval.models.openai.endpoints import Absent
from longbench_eval.models.openai.facts import read_facts
from longbench_eval.models.openai.meet import Acquaintance
from longbench_eval.models.openai.model import OpenAIModel
from longbench_eval.models.openai.server import Server as Line
from longbench_eval.models.registry import split_spec

# Somebody waits for the report: a server that stumbles twice is told of.
_PACE = Pace(RetryPolicy(attempts=2, first_s=0.3, patience_s=20.0))
_FIRST_CONTACT_S = 20.0
_MEETING_S = 60.0
# Lets a model be opened whose server does not tell its window; a check tells of that.
_STAND_IN_TOKENS = 3500


class Unreachable(Exception):
    """The model cannot be asked; `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class Contact:
    """A model that can be asked.

    Attributes:
        model: As a run has it.
        asker: Puts the questions.
        server: What only a server says; None for a model in this process.
        known: What the meeting with the server showed.
        line: The connection to it.
    """

    model: Model
    asker: Asker
    server: Server | None = None
    known: Acquaintance | None = None
    line: Line | None = None


@contextmanager
def contact(spec: str, options: ModelOptions) -> Iterator[Contact]:
    """Open a model for questions.

    Raises:
        Unreachable: It cannot be asked.
        UsageError: The command itself is wrong.
    """
    kind, name = split_spec(spec)
    if kind != "openai":
        with _opened(lambda: open_model(spec, options)) as model:
            yield Contact(model, ModelAsker(model))
        return
    line = Line(options.server, _PACE)
    try:
        body = _first_contact(line, options.server.timeout_s)
        with _met(name, line, body, options) as model:
            server = _server(line, name, body, model.known, options)
            yield Contact(model, servers.ServerAsker(name, line, model.known), server, model.known, line)
    finally:
        line.close()


@contextmanager
def _opened(opening: Any) -> Iterator[Any]:
    try:
        model = opening()
    except ModelError as error:
        raise Unreachable(problem_of("model", error)) from None
    try:
        yield model
    finally:
        model.close()


def _first_contact(line: Line, timeout_s: float) -> Any:
    try:
        return servers.fetch_listing(line, min(_FIRST_CONTACT_S, timeout_s))
    except TimeoutError:
        why = f"no answer within {min(_FIRST_CONTACT_S, timeout_s):g} s"
    except GaveUp as error:
        why = str(error)
    except ModelError as error:
        raise Unreachable(problem_of("key", error)) from None
    remedy = "Start the server, wait until it has loaded its model, or mend --base-url."
    raise Unreachable(problem("server", f"no server answers at {line.address.shown}: {why}", remedy))


@contextmanager
def _met(name: str, line: Line, body: Any, options: ModelOptions) -> Iterator[OpenAIModel]:
    """A model behind a server, its window known or not."""
    window = options.max_input_tokens or options.server.window or read_facts(body, None, name).window
    patience_s = min(_MEETING_S, options.server.timeout_s)
    asked = replace(
        options,
        max_input_tokens=options.max_input_tokens if window else _STAND_IN_TOKENS,
        server=replace(options.server, timeout_s=patience_s),
    )
    try:
        model = OpenAIModel(name, asked, _PACE)
    except ModelError as error:
        raise Unreachable(_not_met(name, line, body, error)) from None
    try:
        yield model
    finally:
        model.close()


def _not_met(name: str, line: Line, body: Any, error: ModelError) -> Finding:
    listed = read_facts(body, None, name).names
    if "refuses the key" in str(error) or "refuses a request without a key" in str(error):
        return problem_of("key", error)
    if not listed:
        message = f"{line.address.shown} lists no models and does not answer for {name!r} ({error})"
        return problem("server", message, "Mend --base-url: mostly it ends in /v1.")
    if name not in listed:
        near = nearest(name, listed)
        guess = f"Give --model openai:{near}." if near else "Give one of those."
        # An alias may be right, and the failure another one: then the server's own words are needed.
        why = "" if "HTTP 404" in str(error) else f" ({error})"
        return problem("name", f"the server has no model {name!r}; it serves {some(listed)}{why}", guess)
    return problem("model", str(error), "Look into the server's log; the same request fails in a run.")


def _server(line: Line, name: str, body: Any, known: Acquaintance, options: ModelOptions) -> Server:
    completions, chat = known.endpoints
    return Server(
        line.address.shown,
        known.facts.kind,
        read_facts(body, None, name).names,
        known.source.name == "server",
        completions.reason if isinstance(completions, Absent) else None,
        chat.reason if isinstance(chat, Absent) else None,
        _slots(line, known),
        options.server,
    )


def _slots(line: Line, known: Acquaintance) -> int | None:
    """llama.cpp says how many requests it takes at once; the others take what they get."""
    props = line.look("/props") if known.facts.kind == "llama.cpp" else None
    slots = props.get("total_slots") if isinstance(props, dict) else None
    return slots if isinstance(slots, int) and slots > 0 else None


def takes_chat(model: Model) -> bool:
    """Whether it has a chat template, its own or its server's."""
    return model.tokenizer is not None and model.tokenizer.wrap_chat("a") is not None
