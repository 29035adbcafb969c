"""Which of the two endpoints a server has, and what they take: one tiny request to each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from longbench_eval.errors import ModelError
from longbench_eval.models.openai.client import Answered, GaveUp, Refused
from longbench_eval.models.openai.wire import Dialect, as_chat, read_answer
from longbench_eval.prompts.chat import ChatSetup
from longbench_eval.thinking import BEGINS

COMPLETIONS, CHAT = "/completions", "/chat/completions"
SAMPLE = "a"
_ABSENT = (404, 405, 501)
Ask = Callable[[str, Mapping[str, Any]], Answered]


class Endpoint(NamedTuple):
    """An endpoint that answers.

    Attributes:
        path: Under the API's address.
        dialect: The fields it takes.
        sample_tokens: Tokens it counted in the sample prompt, template included; None where it does not tell.
        ids: Whether it takes token ids.
        thinks: Whether its answer to the sample begins with a thought.
    """

    path: str
    dialect: Dialect
    sample_tokens: int | None
    ids: bool = False
    thinks: bool = False


class Absent(NamedTuple):
    """An endpoint that does not answer, and why."""

    reason: str


class Endpoints(NamedTuple):
    """Both; at least one of them answers."""

    completions: Endpoint | Absent
    chat: Endpoint | Absent


def find_endpoints(ask: Ask, model: str, dialect: Dialect, sample_ids: list[int] | None, setup: ChatSetup) -> Endpoints:
    """Try both endpoints.

    Args:
        ask: Posts a body to a path.
        model: The model's name.
        dialect: The fields to try; those that a server does not know are left out afterwards.
        sample_ids: The sample text in the server's own tokens, if they are known.
        setup: What goes into the chat template beside the sample.

    Raises:
        ModelError: Neither answers, or greedy decoding is refused.
    """
    completions = _try_completions(ask, model, dialect, sample_ids)
    chat = _try(ask, CHAT, model, dialect.switched(setup.switches), as_chat(SAMPLE, setup))
    if isinstance(chat, Refused) and isinstance(completions, Endpoint) and not _lacks_chat(chat):
        raise ModelError(f"The server refuses to chat with {model!r}: {chat}")
    if not isinstance(chat, Endpoint) and not isinstance(completions, Endpoint):
        raise ModelError(str(chat if _says_more(chat, completions) else completions))
    return Endpoints(_or_absent(completions), _or_absent(chat))


def _try_completions(
    ask: Ask, model: str, dialect: Dialect, sample_ids: list[int] | None
) -> Endpoint | Refused | GaveUp:
    if sample_ids:
        found = _try(ask, COMPLETIONS, model, dialect, {"prompt": sample_ids})
        # A server that takes the list for something else counts something else.
        if isinstance(found, Endpoint) and found.sample_tokens in (None, len(sample_ids)):
            return found._replace(ids=True)
        if isinstance(found, Refused) and found.status in _ABSENT:
            return found
    return _try(ask, COMPLETIONS, model, dialect, {"prompt": SAMPLE})


def _try(ask: Ask, path: str, model: str, dialect: Dialect, prompt: Mapping[str, Any]) -> Endpoint | Refused | GaveUp:
    while True:
        try:
            answered = ask(path, dialect.body(model, prompt, 1, newline=False))
            answer = read_answer(answered.body)
            thinks = bool(answer.thinking) or BEGINS.match(answer.text) is not None
            return Endpoint(path, dialect, answer.prompt_tokens, thinks=thinks)
        except GaveUp as error:
            return error
        except Refused as refusal:
            fewer = dialect.without(refusal.message) if refusal.status in (400, 422) else None
            if fewer is None:
                return refusal
            dialect = fewer


def _lacks_chat(refusal: Refused) -> bool:
    return refusal.status in _ABSENT or "template" in refusal.message.lower()


def _says_more(chat: Any, completions: Any) -> bool:
    """Whether the chat endpoint's refusal is the one to show: it is there, or the other is not."""
    return not isinstance(chat, Refused) or chat.status not in _ABSENT or isinstance(completions, Refused)


def _or_absent(found: Endpoint | Refused | GaveUp) -> Endpoint | Absent:
    return found if isinstance(found, Endpoint) else Absent(str(found))
