"""The questions a doctor asks, in their order: a few small ones, and one as long as the run's longest prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from longbench_eval.doctor.answers import Answer
from longbench_eval.doctor.beginning import Beginning, local_beginnings, server_beginnings
from longbench_eval.doctor.contact import Contact, takes_chat
from longbench_eval.doctor.known import Known
from longbench_eval.doctor.texts import SHORT, SHORT_CAP, STORY, STORY_CAP, make_page
from longbench_eval.errors import UsageError
from longbench_eval.models.base import serving_of
from longbench_eval.prompts import Budget
from longbench_eval.prompts.build import wrap_overhead

Say = Callable[[str], None]
_PAGE_TOKENS = 400
# No prompt of LongBench is much longer, and where the rows are not at hand nobody knows it better.
_MOST_TOKENS = 65_536
_SPEED_TOKENS = 1500
# An answer that must name the code word needs some tokens; one whose prompt is counted needs none.
_WORD_CAP = 16


class Need(NamedTuple):
    """What the run needs of the model.

    Attributes:
        budget: M, or why there is none; None where the window is not known.
        longest_prompt: In tokens, template included; None when not known.
        longest_answer: The largest cap among its tasks.
        plain_tasks: The tasks that go without chat template.
        chat: Whether there are others.
    """

    budget: Budget | UsageError | None
    longest_prompt: int | None
    longest_answer: int
    plain_tasks: tuple[str, ...]
    chat: bool


def gather(contact: Contact, need: Need, *, quick: bool, say: Say) -> Known:
    """Ask everything once.

    Args:
        contact: The model.
        need: Decides how long the long prompt is.
        quick: Leave the long prompt out.
        say: Told what is being done.
    """
    model = contact.model
    chat = need.chat and takes_chat(model)
    say("asking a short question, and one question twice")
    short = contact.asker.ask(SHORT, SHORT_CAP, chat=chat)
    # One that does not answer a short question is not asked longer ones.
    stories = () if short.failure else tuple(contact.asker.ask(STORY, STORY_CAP, chat=chat) for _ in range(2))
    known = Known(
        name=model.name,
        server=contact.server,
        chat=takes_chat(model),
        chatted=chat,
        exact_tokens=serving_of(model).exact_tokens,
        window=model.window,
        capacity=model.capacity,
        budget=need.budget,
        longest_prompt=need.longest_prompt,
        longest_answer=need.longest_answer,
        plain_tasks=need.plain_tasks,
        beginnings=tuple(_beginnings(contact, short, chat)),
        short=short,
        stories=stories,
    )
    return known if short.failure else _with_pages(known, contact, quick, say)


def _beginnings(contact: Contact, short: Answer, chatted: bool) -> Iterator[Beginning]:
    if contact.line is not None and contact.known is not None:
        seen = short.prompt_ids if chatted else None
        yield from server_beginnings(contact.known, contact.line.look, contact.model.name, seen)
    elif contact.model.tokenizer is not None:
        yield from local_beginnings(contact.model.tokenizer)


def _with_pages(known: Known, contact: Contact, quick: bool, say: Say) -> Known:
    tokenizer = contact.model.tokenizer
    if tokenizer is None:
        return known
    cap = 1 if known.short.prompt_tokens is not None else _WORD_CAP
    text, word = make_page(_PAGE_TOKENS, tokenizer)
    known = replace(known, page=contact.asker.ask(text, cap, chat=known.chatted), page_word=word)
    tokens = _long_tokens(known, wrap_overhead(tokenizer) if known.chatted else 0)
    if known.server is None:
        # In this process nothing lies between what is sent and what is read: this one only measures the speed.
        tokens = min(tokens, _SPEED_TOKENS)
    if quick or tokens < 2 * _PAGE_TOKENS:
        return known
    like = ", as long as the run's longest" if known.server else ""
    say(f"sending one prompt of {tokens} tokens{like} (--quick leaves it out)")
    text, word = make_page(tokens, tokenizer)
    return replace(known, long=contact.asker.ask(text, cap, chat=known.chatted), long_word=word)


def _long_tokens(known: Known, wrap: int) -> int:
    """The length of the run's longest prompt before the template; 0 when no M is known."""
    if not isinstance(known.budget, Budget):
        return 0
    longest = known.budget.tokens if known.longest_prompt is None else known.longest_prompt - wrap
    return min(longest, known.budget.tokens, _MOST_TOKENS)
