"""One example to one prompt: render, cut, wrap, tokenize."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import Literal, NamedTuple

from longbench_eval.prompts.answers import field_spans
from longbench_eval.prompts.tokenizer import Tokenizer, encode_all
from longbench_eval.prompts.truncate import Shortened, shorten_all
from longbench_eval.records import Example, Prompt, Rendered
from longbench_eval.tasks import LONGBENCH, Suite

# Prompts that are tokenized together, or wait to be: enough for a server's connections, few enough that their tokens
# fill no memory.
TOGETHER = 8

ChatPolicy = Literal["official", "always", "never"]


@dataclass(frozen=True, slots=True)
class PromptPolicy:
    """How all prompts of a run are made.

    Attributes:
        chat: Which tasks go into the chat template: as the official protocol says, all, or none.
        budget_tokens: M; None cuts nothing.
        truncate: A name in `TRUNCATIONS`.
        suite: Whose tasks they are, which say what the official protocol does.
    """

    chat: ChatPolicy = "official"
    budget_tokens: int | None = None
    truncate: str = "middle"
    suite: Suite = LONGBENCH


def wants_chat(task: str, policy: ChatPolicy, suite: Suite = LONGBENCH) -> bool:
    """Whether prompts of this task go into the chat template."""
    return policy == "always" or (policy == "official" and suite.task(task).chat)


def build_prompt(example: Example, template: str, tokenizer: Tokenizer | None, policy: PromptPolicy) -> Prompt:
    """Make exactly what is sent for one example.

    Args:
        example: The row.
        template: Its task's template, with the fields `{context}` and `{input}`.
        tokenizer: The model's; without one nothing is cut, wrapped or tokenized.
        policy: The run's.
    """
    return _build([example], template, tokenizer, policy)[0]


def build_prompts(
    examples: Iterable[Example], template: str, tokenizer: Tokenizer | None, policy: PromptPolicy
) -> list[Prompt]:
    """Make the prompts of several examples of one task; see `build_prompt`."""
    return list(stream_prompts(examples, template, tokenizer, policy))


def stream_prompts(
    examples: Iterable[Example], template: str, tokenizer: Tokenizer | None, policy: PromptPolicy
) -> Iterator[Prompt]:
    """Make the prompts of examples of one task, in order and a few ahead of whoever takes them.

    Some are tokenized together; or one by one in two threads, where the tokenizer works without a lock.
    """
    build = partial(_build, template=template, tokenizer=tokenizer, policy=policy)
    threads, rows = getattr(tokenizer, "free_threaded", False), iter(examples)
    batches = iter(lambda: list(islice(rows, 1 if threads else TOGETHER)), [])
    return chain.from_iterable(_in_threads(build, batches) if threads else map(build, batches))


def _in_threads(
    build: Callable[[list[Example]], list[Prompt]], batches: Iterable[list[Example]]
) -> Iterator[list[Prompt]]:
    """Map in two threads, in order; so many wait that neither thread is ever without work."""
    with ThreadPoolExecutor(2) as pool:
        waiting: deque[Future[list[Prompt]]] = deque()
        for batch in batches:
            waiting.append(pool.submit(build, batch))
            if len(waiting) >= TOGETHER:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _build(
    examples: Sequence[Example], template: str, tokenizer: Tokenizer | None, policy: PromptPolicy
) -> list[Prompt]:
    bodies = [template.format(context=example.context, input=example.input) for example in examples]
    if tokenizer is None:
        return [Prompt(example.id, body, False, None, None) for example, body in zip(examples, bodies, strict=True)]
    cut = [Shortened(body) for body in bodies]
    if policy.budget_tokens is not None:
        cut = shorten_all(bodies, policy.budget_tokens, tokenizer, policy.truncate)
    texts = [_wrap(example, short.text, tokenizer, policy) for example, short in zip(examples, cut, strict=True)]
    encoded = _tokenize([wrapped.text for wrapped in texts], cut, tokenizer)
    whole = [
        Rendered(policy.suite.task(row.task), body, field_spans(template, row.context, row.input))
        for row, body in zip(examples, bodies, strict=True)
    ]
    return [
        replace(_prompt(example, wrapped, short, _once(ids, tokenizer, wrapped.chat)), rendered=rendered)
        for example, wrapped, short, ids, rendered in zip(examples, texts, cut, encoded, whole, strict=True)
    ]


class _Wrapped(NamedTuple):
    text: str
    chat: bool


def _wrap(example: Example, body: str, tokenizer: Tokenizer, policy: PromptPolicy) -> _Wrapped:
    wanted = wants_chat(example.task, policy.chat, policy.suite)
    wrapped = tokenizer.wrap_chat(body) if wanted else None
    return _Wrapped(body, False) if wrapped is None else _Wrapped(wrapped, True)


def _tokenize(texts: Sequence[str], cut: Sequence[Shortened], tokenizer: Tokenizer) -> list[Sequence[int]]:
    """Tokenize final texts, but for those whose tokens were counted and that were not changed since."""
    known = [short.ids if text == short.text else None for text, short in zip(texts, cut, strict=True)]
    fresh = iter(encode_all(tokenizer, [text for text, ids in zip(texts, known, strict=True) if ids is None]))
    return [next(fresh) if ids is None else ids for ids in known]


def _prompt(example: Example, wrapped: _Wrapped, short: Shortened, ids: Sequence[int]) -> Prompt:
    start = _body_start(wrapped.text, short.text)
    return Prompt(example.id, wrapped.text, wrapped.chat, tuple(ids), short.cut, start)


def _body_start(text: str, body: str) -> int:
    """Where the body begins in the final text; many chat templates strip it, and then that much further left."""
    whole = text.find(body)
    stripped = body.strip()
    return whole if whole >= 0 else text.find(stripped) - body.find(stripped)


def encode_once(text: str, tokenizer: Tokenizer, chat: bool) -> Sequence[int]:
    """Tokenize the final text; a chat template that already begins with BOS does not get a second one."""
    return _once(tokenizer.encode(text), tokenizer, chat)


def _once(ids: Sequence[int], tokenizer: Tokenizer, chat: bool) -> Sequence[int]:
    doubled = chat and tokenizer.bos_id is not None and list(ids[:2]) == [tokenizer.bos_id] * 2
    return ids[1:] if doubled else ids


def wrap_overhead(tokenizer: Tokenizer | None) -> int:
    """Tokens the chat template adds to a prompt; 0 without one."""
    # A tokenizer whose server wraps prompts out of sight says so itself.
    told: int | None = getattr(tokenizer, "wrap_tokens", None)
    if told is not None:
        return told
    wrapped = tokenizer.wrap_chat("a") if tokenizer else None
    if tokenizer is None or wrapped is None:
        return 0
    return max(0, len(encode_once(wrapped, tokenizer, True)) - len(tokenizer.encode("a")))
