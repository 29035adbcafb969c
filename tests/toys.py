"""Tokenizers and models small enough to reason about."""

from collections.abc import Sequence

from longbench_eval import Completion, Example, Prompt, Request

BOS = 256
MARKS = {"<s>": BOS, "<user>": 257, "<bot>": 258}
_NAMES = {number: name for name, number in MARKS.items()}


class ToyTokenizer:
    """UTF-8 bytes as tokens, and marks that are special tokens wherever they stand."""

    def __init__(self, *, adds_bos: bool = False, chat: str | None = "<user>{}<bot>") -> None:
        self.adds_bos, self.chat = adds_bos, chat
        self.bos_id = BOS if adds_bos else None
        self.newline_id = ord("\n")

    def encode(self, text: str) -> list[int]:
        ids = [BOS] if self.adds_bos else []
        while text:
            mark = next((mark for mark in MARKS if text.startswith(mark)), None)
            ids += [MARKS[mark]] if mark else text[0].encode()
            text = text[len(mark or text[0]) :]
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        return bytes(i for i in ids if i not in _NAMES).decode(errors="replace")

    def wrap_chat(self, text: str) -> str | None:
        return None if self.chat is None else self.chat.replace("{}", text)


class TransformersStub:
    """What this package touches of a tokenizer of transformers, in front of a toy."""

    def __init__(self, toy: ToyTokenizer) -> None:
        self._toy = toy
        self.bos_token_id = toy.bos_id
        self.chat_template = toy.chat

    def __call__(self, text: str, *, truncation: bool) -> dict[str, list[int]]:
        assert truncation is False
        return {"input_ids": self._toy.encode(text)}

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        assert add_special_tokens is False
        return list(text.encode())

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool) -> str:
        assert skip_special_tokens is True
        return self._toy.decode(ids)

    def apply_chat_template(self, messages: list[dict], *, tokenize: bool, add_generation_prompt: bool) -> str:
        assert (tokenize, add_generation_prompt) == (False, True)
        [message] = messages
        assert message["role"] == "user"
        return self._toy.wrap_chat(message["content"])


class ScriptedModel:
    """Answers with the completions it was given, whatever is asked."""

    name = "scripted"
    newline_stop = "none"
    prefix_reuse = "off"
    window = capacity = None

    def __init__(self, completions: list[Completion], tokenizer: ToyTokenizer | None = None) -> None:
        self.completions, self.tokenizer = completions, tokenizer

    def identity(self) -> dict:
        return {"kind": "scripted"}

    def versions(self) -> dict:
        return {}

    def generate(self, requests):
        yield from self.completions

    def close(self) -> None:
        pass


def example(task: str = "qasper", id_: str = "a", context: str = "text", question: str = "why?") -> Example:
    return Example(task, id_, question, context, ("answer",), len(context))


def request(
    text: str = "hello", id_: str = "a", ids: Sequence[int] | None = None, *, task: str = "qasper", cap: int = 8, **rest
) -> Request:
    """A request with that final text; other fields as for `Request`."""
    prompt = Prompt(id_, text, False, None if ids is None else tuple(ids), None)
    return Request(task, prompt, cap, **rest)
