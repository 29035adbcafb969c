"""The protocol every model follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

from longbench_eval.errors import UsageError
from longbench_eval.models.hf.options import TransformersOptions
from longbench_eval.prompts.chat import ChatSetup
from longbench_eval.prompts.tokenizer import Tokenizer
from longbench_eval.records import Completion, Request

NewlineStop = Literal["token", "string", "none"]
PrefixReuse = Literal["on", "off", "unknown"]


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How a server is reached, and what it does not say of itself. For `openai:` models.

    Attributes:
        base_url: Its address, with or without `/v1`; None for the one in `OPENAI_BASE_URL`.
        api_key_env: The environment variable that holds the key; None for `OPENAI_API_KEY`, if it is set.
        tokenizer: For a server that does not tokenize: a folder, a tokenizer.json, a Hub name, or tiktoken's name.
        window: The model's window in tokens, where the server does not say.
        concurrency: Requests under way at once at most.
        requests_per_minute: No minute has more requests, retries included; None for no limit.
        tokens_per_minute: No minute has more prompt tokens and output caps together; None for no limit.
        timeout_s: Seconds after which an answer that has not come is asked for again.
    """

    base_url: str | None = None
    api_key_env: str | None = None
    tokenizer: str | None = None
    window: int | None = None
    concurrency: int = 8
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout_s: float = 600.0

    def check(self) -> None:
        """Refuse values with which nothing would ever be answered.

        Raises:
            UsageError: With the option's name.
        """
        for name in ("window", "concurrency", "requests_per_minute", "tokens_per_minute", "timeout_s"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise UsageError(f"--{name.removesuffix('_s').replace('_', '-')} is {value}; it must be above 0.")

    def to_json(self) -> dict[str, Any]:
        """As given, for the manifest; a password in the address stays out."""
        shown = None if self.base_url is None else without_credentials(self.base_url)
        return {**asdict(self), "base_url": shown}


def without_credentials(url: str) -> str:
    """An address as it may be shown: without user, password, query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "(no URL)"
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


@dataclass(frozen=True, slots=True)
class Serving:
    """How a model deviates from one that takes any text, counts in its own tokens, and answers one by one at once.

    Attributes:
        plain: It answers prompts without a chat template; else all tasks go through the template.
        exact_tokens: Prompts are counted and cut in the model's own tokens; else in estimated ones.
        thinks: By its chat template, or its first answer, it thinks before it answers.
        lanes: How many requests it answers at once.
        notes: What a reader of the scores must know besides.
    """

    plain: bool = True
    exact_tokens: bool = True
    thinks: bool = False
    lanes: int = 1
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What a model is told when it is opened.

    Attributes:
        deterministic: Every answer must be independent of order, resume and neighbours.
        max_input_tokens: M as the user gave it, or None for the default; a model may size its memory by it.
        max_new_tokens: The longest answer that will be asked for, thoughts apart.
        truncate: How prompts are cut; a model that learns only from a refusal how much is too much cuts again.
        server: For models behind an address.
        chat: What goes into the chat template beside the prompt.
        transformers: For `hf:` models.
    """

    deterministic: bool = False
    max_input_tokens: int | None = None
    max_new_tokens: int = 512
    truncate: str = "middle"
    server: ServerOptions = ServerOptions()
    chat: ChatSetup = field(default_factory=ChatSetup)
    transformers: TransformersOptions = field(default_factory=TransformersOptions)


class Model(Protocol):
    """Something that answers requests, greedily.

    Attributes:
        name: For people and file names.
        newline_stop: How samsum's rule is kept: by token id, by string, or not at all.
        prefix_reuse: Whether a prefix shared with an earlier prompt may be served from a cache.
    """

    name: str
    newline_stop: NewlineStop
    prefix_reuse: PrefixReuse

    @property
    def tokenizer(self) -> Tokenizer | None:
        """None when the model's tokenizer is not known; prompts are then sent whole."""
        ...

    @property
    def window(self) -> int | None:
        """Tokens the model was made for, from which the default M follows; None when unknown."""
        ...

    @property
    def capacity(self) -> int | None:
        """Tokens it can hold as it is loaded, prompt and answer together; None when unknown."""
        ...

    def identity(self) -> Mapping[str, Any]:
        """What makes this model this model (JSON values): part of a run's identity."""
        ...

    def versions(self) -> Mapping[str, str]:
        """The libraries at work, by name."""
        ...

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answer requests as they come; completions may come in another order. A failed row is a value."""
        ...

    def close(self) -> None:
        """Free what the model holds."""
        ...


def breaker_of(model: Model) -> Callable[[], None]:
    """What ends all that a model and its tokenizer wait for: its own `break_off`, where it waits for others."""
    breaker: Callable[[], None] = getattr(model, "break_off", lambda: None)
    return breaker


def serving_of(model: Model) -> Serving:
    """A model's own `serving`; one that has none deviates in nothing."""
    serving: Serving = getattr(model, "serving", Serving())
    return serving
