"""What is known of a model after a few small requests: all that the checks look at."""

from __future__ import annotations

from dataclasses import dataclass

from longbench_eval.doctor.answers import Answer
from longbench_eval.doctor.beginning import Beginning
from longbench_eval.errors import UsageError
from longbench_eval.models.base import ServerOptions
from longbench_eval.prompts import Budget


@dataclass(frozen=True, slots=True)
class Server:
    """What only a server says.

    Attributes:
        address: Without credentials.
        kind: Which program it is, as far as it says.
        listed: The models it lists.
        own_tokens: It tokenizes for whoever asks.
        no_completions: Why it takes no plain prompts; None when it does.
        no_chat: Why it does not chat; None when it does.
        slots: Requests that it works on at once; None where it does not tell.
        options: As the user gave them.
    """

    address: str
    kind: str
    listed: tuple[str, ...]
    own_tokens: bool
    no_completions: str | None
    no_chat: str | None
    slots: int | None
    options: ServerOptions


@dataclass(frozen=True, slots=True)
class Known:
    """The evidence.

    Attributes:
        name: The model's.
        server: None for a model in this process.
        chat: It has a chat template.
        chatted: It was asked through it: it has one, and some task asked for needs it.
        exact_tokens: Prompts are counted in the model's own tokens.
        window: Tokens it was made for.
        capacity: Tokens one request may have, as it is loaded.
        budget: M, or why there is none; None where the window is not known.
        longest_prompt: Tokens of the longest prompt of the run, template included; None when not known.
        longest_answer: The largest cap among the tasks.
        plain_tasks: Those that go without chat template.
        beginnings: What tells about BOS.
        short: The answer to a question that needs one word.
        stories: Answers to one question that was put twice.
        page: The answer to a prompt of some hundred tokens.
        long: The answer to a prompt as long as the run's longest; None when it was left out.
        page_word: What the answer to `page` should be.
        long_word: What the answer to `long` should be.
    """

    name: str
    server: Server | None
    chat: bool
    chatted: bool
    exact_tokens: bool
    window: int | None
    capacity: int | None
    budget: Budget | UsageError | None
    longest_prompt: int | None
    longest_answer: int
    plain_tasks: tuple[str, ...]
    beginnings: tuple[Beginning, ...]
    short: Answer
    stories: tuple[Answer, ...]
    page: Answer | None = None
    long: Answer | None = None
    page_word: str = ""
    long_word: str = ""
