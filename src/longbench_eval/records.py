"""The records that flow through the stages: Example -> Prompt -> Completion -> Score.

All are frozen. A stage takes some and returns others; none is ever changed after it was made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from longbench_eval.tasks import Task
from longbench_eval.thinking import Thought

FinishReason = Literal["stop", "length", "newline", "unknown"]
FailureKind = Literal["overlong", "model", "timeout"]


@dataclass(frozen=True, slots=True)
class Example:
    """One row of the benchmark.

    `length` is the stored field (words or characters, not one definition across tasks); LongBench-E's buckets use it.
    `all_classes` is given for the classification tasks only.
    """

    task: str
    id: str
    input: str
    context: str
    answers: tuple[str, ...]
    length: int
    all_classes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Truncation:
    """What the length limit cut out of one rendered prompt (before any chat template).

    `start` and `end` are character positions in the rendered text; `head_chars` is where the two kept parts meet in
    the shortened one. Decoding tokens does not always give back the very text, so the positions are the longest
    match from both ends; they are exact whenever the tokenizer is lossless.
    """

    tokens_before: int
    tokens_after: int
    start: int
    end: int
    head_chars: int

    def moved(self, chars: int) -> Truncation:
        """The same cut where the text begins that many characters earlier or later."""
        start, end, head = (max(0, place + chars) for place in (self.start, self.end, self.head_chars))
        return Truncation(self.tokens_before, self.tokens_after, start, end, head)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A task's prompt before it was cut and wrapped, and where the row's `context` and `input` stand in it."""

    task: Task
    text: str
    spans: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """Whether a reference answer stood in the part that was cut (`cut`), and in what was kept (`kept`).

    Both are None where the question makes no sense, for the `reason` given.
    """

    cut: bool | None
    kept: bool | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent for one example.

    `text` is the final text, chat template included when `chat`; `token_ids` are its tokens, or None where no
    tokenizer is known. `truncation` is None for a prompt that fitted. `rendered` is what there was to be cut.
    """

    example_id: str
    text: str
    chat: bool
    token_ids: tuple[int, ...] | None
    truncation: Truncation | None
    body_start: int = 0
    rendered: Rendered | None = field(default=None, repr=False)

    @property
    def tokens(self) -> int | None:
        """Number of tokens sent, template and BOS included."""
        return None if self.token_ids is None else len(self.token_ids)


@dataclass(frozen=True, slots=True)
class Request:
    """One prompt and how it is to be answered.

    `stop_at_newline` is samsum's rule: the token that encodes a newline ends the answer and may not be its first.
    `context` is the same for rows that share a context, and only for these: what is kept of one may serve the next.
    `changed` is the record of what was done to the row's context; None where nothing was.
    """

    task: str
    prompt: Prompt
    max_new_tokens: int
    min_new_tokens: int = 0
    stop_at_newline: bool = False
    context: str = ""
    changed: Mapping[str, Any] | None = None

    @property
    def example_id(self) -> str:
        """The row this request belongs to."""
        return self.prompt.example_id


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a row has no answer. Never scored as text."""

    kind: FailureKind
    message: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer to one request, not stripped, without special tokens.

    Counts are None where the model does not tell. `cached_tokens` are prompt tokens served from a prefix cache.
    `retries` says how often the request was sent again. `sent` is the prompt that was answered, where the model
    refused the request's own for its length and got a shorter one. `thinking` is what came before the answer, where the
    model thought; it is no part of the text. A failed request has `error` and an empty text.
    """

    example_id: str
    text: str
    finish_reason: FinishReason = "unknown"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    latency_s: float = 0.0
    error: Failure | None = None
    retries: int = 0
    sent: Prompt | None = None
    thinking: Thought | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """The value of one prediction, in [0, 1], with its evidence.

    `answer_index` is the reference answer that gave the maximum (the first of equals); `extracted` is the part of
    the prediction that was compared.
    """

    value: float
    answer_index: int
    extracted: str
