"""Getting to know a server before the first row: what it is, what it takes, how it counts, how much it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longbench_eval.errors import ModelError, UsageError
from longbench_eval.models.base import ModelOptions, PrefixReuse, Serving
from longbench_eval.models.openai.endpoints import SAMPLE, Absent, Endpoint, Endpoints, find_endpoints
from longbench_eval.models.openai.facts import Facts, read_facts
from longbench_eval.models.openai.local_tokens import EstimatedTokenizer, Source, load_tokenizer
from longbench_eval.models.openai.server import Server
from longbench_eval.models.openai.server_tokens import find_tokenizer
from longbench_eval.models.openai.wire import TEMPLATE_FIELD, greedy_dialect
from longbench_eval.prompts.chat import ChatSetup
from longbench_eval.prompts.tokenizer import Tokenizer, encode_all
from longbench_eval.thinking import template_thinks

# For servers that do not count: today's templates add 5 to 40 tokens.
_USUAL_WRAP_TOKENS = 64


class ChatTokenizer:
    """A tokenizer whose server applies the chat template: here, a wrapped text is the text of the user message.

    Attributes:
        wrap_tokens: What the server's template adds.
    """

    def __init__(self, tokenizer: Tokenizer, wrap_tokens: int | None) -> None:
        self._tokenizer = tokenizer
        self.bos_id, self.newline_id = tokenizer.bos_id, tokenizer.newline_id
        self.wrap_tokens = wrap_tokens
        self.free_threaded: bool = getattr(tokenizer, "free_threaded", False)

    def encode(self, text: str) -> list[int]:
        """As the tokenizer does."""
        return self._tokenizer.encode(text)

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """As the tokenizer does."""
        return encode_all(self._tokenizer, texts)

    def decode(self, ids: Sequence[int]) -> str:
        """As the tokenizer does."""
        return self._tokenizer.decode(ids)

    def wrap_chat(self, text: str) -> str | None:
        """The very text; None when the server does not chat."""
        return text if self.wrap_tokens is not None else None


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """What is known of a model on a server.

    Attributes:
        facts: What the server says of itself.
        source: Whose tokens are counted.
        endpoints: What it answers.
        reuse: Whether it may serve a shared prefix from a cache.
        tokenizer: For prompts.
        window: Tokens the model was made for.
        capacity: Tokens one request may have, prompt and answer.
        serving: What the signature and the reader must be told.
        setup: What goes into a conversation beside the prompt.
    """

    facts: Facts
    source: Source
    endpoints: Endpoints
    reuse: PrefixReuse
    tokenizer: Tokenizer
    window: int | None
    capacity: int | None
    serving: Serving
    setup: ChatSetup


def meet(server: Server, name: str, options: ModelOptions) -> Acquaintance:
    """Ask a server what it is and what it can do: a handful of tiny requests.

    Raises:
        UsageError: The tokenizer or the window is missing.
        ModelError: Nobody answers, or not for this model.
    """
    facts = _read_facts(server, name)
    source = _find_tokenizer(server, name, options)
    reuse = _reuse(facts, options)
    endpoints = _find_endpoints(server, name, facts, source, reuse, options)
    tokenizer = ChatTokenizer(source.tokenizer, _wrap_tokens(endpoints, source))
    window, capacity = _settle_window(server, name, facts, options)
    notes = tuple(_notes(endpoints, source, reuse, options))
    plain, thinks = isinstance(endpoints.completions, Endpoint), _thinks(endpoints, facts)
    # Requests that wait in a server's queue are in no order, and each would have a slot forget the last one's context.
    lanes = 1 if options.deterministic else min(options.server.concurrency, facts.slots or options.server.concurrency)
    serving = Serving(plain, source.exact, thinks, lanes, notes)
    return Acquaintance(facts, source, endpoints, reuse, tokenizer, window, capacity, serving, options.chat)


def _read_facts(server: Server, name: str) -> Facts:
    models = server.models()
    facts = read_facts(models, None, name)
    return read_facts(models, server.look("/props"), name) if facts.kind == "llama.cpp" else facts


def _find_tokenizer(server: Server, name: str, options: ModelOptions) -> Source:
    found = find_tokenizer(server.look, server.tokens, name)
    if found is not None:
        return Source(found, "server")
    if options.server.tokenizer is not None:
        return load_tokenizer(options.server.tokenizer)
    return Source(EstimatedTokenizer(), "estimated", exact=False)


def _reuse(facts: Facts, options: ModelOptions) -> PrefixReuse:
    # Only llama.cpp lets a request say so; elsewhere it is decided when the server is started.
    if facts.kind != "llama.cpp":
        return "unknown"
    return "off" if options.deterministic else "on"


def _find_endpoints(
    server: Server, name: str, facts: Facts, source: Source, reuse: PrefixReuse, options: ModelOptions
) -> Endpoints:
    ids = source.tokenizer.encode(SAMPLE) if source.name == "server" else None
    try:
        return find_endpoints(server.probe, name, greedy_dialect(facts.kind, reuse == "on"), ids, options.chat)
    except ModelError as error:
        others = f" It serves: {', '.join(facts.names[:10])}." if facts.names and name not in facts.names else ""
        raise ModelError(f"{server.address.shown} does not answer for {name!r}: {error}.{others}") from None


def _wrap_tokens(endpoints: Endpoints, source: Source) -> int | None:
    if isinstance(endpoints.chat, Absent):
        return None
    counted, bare = endpoints.chat.sample_tokens, len(source.tokenizer.encode(SAMPLE))
    return _USUAL_WRAP_TOKENS if counted is None else max(0, counted - bare)


def _settle_window(server: Server, name: str, facts: Facts, options: ModelOptions) -> tuple[int | None, int | None]:
    given = options.server.window
    if given is not None:
        return given, min(given, facts.capacity or given)
    if facts.window is None and options.max_input_tokens is None:
        raise UsageError(
            f"The server at {server.address.shown} does not say how many tokens {name!r} can hold: "
            "give --window N, or --max-input-tokens N."
        )
    return facts.window, facts.capacity


def _thinks(endpoints: Endpoints, facts: Facts) -> bool:
    return template_thinks(facts.chat_template) or (isinstance(endpoints.chat, Endpoint) and endpoints.chat.thinks)


def _notes(endpoints: Endpoints, source: Source, reuse: PrefixReuse, options: ModelOptions) -> Iterator[str]:
    if isinstance(endpoints.completions, Absent):
        yield f"the server takes no plain prompts ({endpoints.completions.reason}): every prompt goes through chat"
    if not source.exact:
        yield (
            "the server does not tokenize and no --tokenizer is given: tokens are estimated, so prompts are cut "
            "at other places than by the model's own tokens"
        )
    if source.name == "server" and options.server.tokenizer is not None:
        yield "the server's own tokenizer is used, and --tokenizer is not"
    if (
        options.chat.switches
        and isinstance(endpoints.chat, Endpoint)
        and TEMPLATE_FIELD not in endpoints.chat.dialect.greedy
    ):
        yield f"the server takes no {TEMPLATE_FIELD}: whether the model thinks cannot be switched from here"
    if options.deterministic and reuse == "unknown":
        yield "this server cannot be told to reuse no prefix; start it without prefix caching"
