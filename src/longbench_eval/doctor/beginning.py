"""How the model's prompts begin: what tells whether BOS is there, once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from longbench_eval.doctor.answers import wrapped_prompt
from longbench_eval.models.openai.endpoints import SAMPLE, Endpoint
from longbench_eval.models.openai.meet import Acquaintance
from longbench_eval.prompts.build import encode_once
from longbench_eval.prompts.tokenizer import Tokenizer

Look = Callable[[str, Mapping[str, Any]], Any]
_OTHER = "The"


@dataclass(frozen=True, slots=True)
class Beginning:
    """The evidence on one kind of prompt.

    Attributes:
        kind: Which prompts.
        bos: The token with which the tokenizer begins every text; None if it begins none so.
        ids: The very tokens that the model gets, where they are known.
        expected: Tokens of a sample that begins as it should.
        counted: Tokens of that sample as the server counts them.
    """

    kind: Literal["plain", "chat"]
    bos: int | None
    ids: tuple[int, ...] | None = None
    expected: int | None = None
    counted: int | None = None

    @property
    def surplus(self) -> int | None:
        """Tokens too many (or, below 0, too few) at the beginning; None when it cannot be told."""
        if self.ids:
            return len(self.ids) - _right_length(self.ids, self.bos)
        return None if None in (self.expected, self.counted) else (self.counted or 0) - (self.expected or 0)


def _right_length(ids: Sequence[int], bos: int | None) -> int:
    """How long these tokens would be with BOS not doubled, and not missing."""
    if bos is not None and ids[0] != bos:
        return len(ids) + 1
    # No template begins with one token twice, so that this tells of BOS where the tokenizer adds none, too.
    return len(ids) - (list(ids[:1]) == list(ids[1:2]))


def bos_of(tokenizer: Tokenizer) -> int | None:
    """The token with which it begins every text, by what it does: not every tokenizer says."""
    one, other = tokenizer.encode(SAMPLE), tokenizer.encode(_OTHER)
    return one[0] if len(one) > 1 and one[0] == other[0] else None


def local_beginnings(tokenizer: Tokenizer) -> Iterator[Beginning]:
    """For a model in this process: by what is sent."""
    bos = bos_of(tokenizer)
    yield Beginning("plain", bos, tuple(tokenizer.encode(SAMPLE)))
    chat = wrapped_prompt(SAMPLE, tokenizer, chat=True)
    if chat.chat:
        yield Beginning("chat", bos, chat.token_ids)


def server_beginnings(known: Acquaintance, look: Look, name: str, seen: tuple[int, ...] | None) -> Iterator[Beginning]:
    """For a server: by what it counts.

    Args:
        known: What the meeting showed.
        look: Asks a path under the root that need not be there; None when it is not.
        name: The model's.
        seen: The tokens of a chat, if the server gave them back with its answer.
    """
    if not known.source.exact:
        return
    tokenizer = known.tokenizer
    bos, (completions, chat) = bos_of(tokenizer), known.endpoints
    if isinstance(completions, Endpoint):
        sample = tuple(tokenizer.encode(SAMPLE))
        if completions.ids:
            yield Beginning("plain", bos, sample)
        else:
            yield Beginning("plain", bos, None, len(sample), completions.sample_tokens)
    if isinstance(chat, Endpoint):
        template = seen or _chat_ids(known, look, name)
        if seen is None and template:
            yield Beginning("chat", bos, None, _right_length(template, bos), chat.sample_tokens)
        else:
            yield Beginning("chat", bos, seen)


def _chat_ids(known: Acquaintance, look: Look, name: str) -> tuple[int, ...] | None:
    """The sample in the server's chat template: vLLM tokenizes messages, llama.cpp shows the text."""
    messages = [{"role": "user", "content": SAMPLE}]
    text = look("/apply-template", {"messages": messages})
    if isinstance(text, dict) and isinstance(text.get("prompt"), str):
        return tuple(encode_once(text["prompt"], known.tokenizer, chat=True))
    answer = look("/tokenize", {"model": name, "messages": messages, "add_generation_prompt": True})
    ids = answer.get("tokens") if isinstance(answer, dict) else None
    return tuple(ids) if isinstance(ids, list) and ids and all(isinstance(token, int) for token in ids) else None
