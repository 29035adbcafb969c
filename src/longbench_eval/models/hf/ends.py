"""Which tokens end an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# A word that templates leave as it is, and that is in none of them.
_ANSWER = "Zanzibar"


def end_ids(tokenizer: Any, generation_config: Any) -> tuple[int, ...]:
    """Ids that end an answer: what generation_config names, the tokenizer's EOS, and the template's end of turn.

    A checkpoint whose generation_config names only the end of text would talk on after the end of its turn.
    config.json is not asked: transformers does that where there is no generation_config.json, and where config.json
    is silent too, its classes have defaults that are other tokens in other vocabularies.
    """
    named = generation_config.eos_token_id
    found: list[int] = list(named) if isinstance(named, list | tuple) else [named] if named is not None else []
    if tokenizer.eos_token_id is not None:
        found.append(tokenizer.eos_token_id)
    turn = turn_end_id(tokenizer)
    return tuple(dict.fromkeys(found if turn is None else [*found, turn]))


def turn_end_id(tokenizer: Any) -> int | None:
    """The special token that the chat template puts behind an assistant's words; None when it puts none."""
    if not getattr(tokenizer, "chat_template", None):
        return None
    # A question follows: some templates leave an end out after the last answer, others mark it by the next speaker.
    talk = [("user", "Where?"), ("assistant", _ANSWER), ("user", "When?")]
    messages = [{"role": role, "content": content} for role, content in talk]
    try:
        text = str(tokenizer.apply_chat_template(messages, tokenize=False))
    except Exception:  # a template is a program of the checkpoint's, and may take no second question
        return None
    _, answer, after = text.rpartition(_ANSWER)
    ids = tokenizer.encode(after, add_special_tokens=False) if answer else []
    first = next(_marks(tokenizer, ids), None)
    if first not in tokenizer.added_tokens_decoder or first == tokenizer.bos_token_id != tokenizer.eos_token_id:
        return None
    return first


def _marks(tokenizer: Any, ids: list[int]) -> Iterator[int]:
    """Ids that are not mere white space."""
    return (i for i in ids if tokenizer.decode([i], skip_special_tokens=False).strip())
