"""A server of a toy model, in the shape of vLLM or llama.cpp, with every ill that `doctor` looks for at hand.

Characters are tokens; BOS is 1; the chat template is BOS, 2, the message, 3.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from fault_server import Behaviour, text_of
from longbench_eval.doctor.texts import SHORT, STORY

BOS, USER, BOT = 1, 2, 3
TALE = "At the end of the pier a lighthouse kept its light for ships that had long stopped coming."


def refuse(status: int, message: str) -> Callable[[dict], tuple[int, dict]]:
    return lambda body: (status, {"error": {"message": message}})


def timings(prompt: int, new: int, prompt_speed: float, new_speed: float) -> dict:
    times = {"prompt_ms": 1000 * prompt / prompt_speed, "predicted_ms": 1000 * new / new_speed}
    return {"prompt_n": prompt, "predicted_n": new, **times}


@dataclass
class Toy:
    """What the server is like; the defaults are healthy. `kind` is vllm or llamacpp.

    `plain_bos` and `chat_bos` are how many BOS it puts before a text; `template_bos` how many its template holds.
    `reads` is how many tokens of a prompt it really reads; None for all of them. `tales` are its answers to STORY.
    `speeds` are the prompt and new tokens a second that it tells, as llama.cpp does.
    """

    name: str = "toy"
    kind: str = "vllm"
    slots: int = 1
    listed: tuple[str, ...] = ("toy",)
    window: int | None = 4096
    completions: bool = True
    chat: bool = True
    tokenizes: bool = True
    shows_template: bool = True
    takes_ids: bool = True
    tells_ids: bool = False
    counts: bool = True
    plain_bos: int = 1
    chat_bos: int = 1
    template_bos: int = 1
    reads: int | None = None
    refuses_over: int | None = None
    short: str = "Paris."
    tales: tuple[str, ...] = (TALE,)
    short_fails: str = ""
    thoughts: str = ""
    thought_tokens: int = 0
    knows_word: bool = True
    wait_s: Callable[[int], float] = lambda tokens: 0.0
    speeds: tuple[float, float] | None = None
    turn: count = field(default_factory=count)
    seen: list[dict] = field(default_factory=list)

    def install(self, told: Behaviour) -> None:
        """Make a test server behave so."""
        entry = {"owned_by": self.kind, **({"max_model_len": self.window} if self.window else {})}
        told.paths["/v1/models"] = lambda body: (200, {"data": [{"id": name, **entry} for name in self.listed]})
        told.paths["/v1/completions"] = self.plain if self.completions else refuse(404, "Not Found")
        told.paths["/v1/chat/completions"] = self.chatting if self.chat else refuse(400, "there is no chat template")
        if self.kind == "llamacpp":
            told.paths["/props"] = lambda body: (200, {"total_slots": self.slots})
            told.paths["/apply-template"] = lambda body: (200, {"prompt": self.template(text_of(body))})
            told.paths |= {"/tokenize": self.tokenize_text, "/detokenize": self.detokenize_text}
        elif self.tokenizes:
            told.paths |= {"/tokenize": self.tokenize, "/detokenize": self.detokenize}

    def template(self, text: str) -> str:
        return "".join(map(chr, [BOS] * self.template_bos + [USER])) + text + chr(BOT)

    def tokenize_text(self, body: dict) -> tuple[int, dict]:
        """llama.cpp's shape, which answers any body."""
        ids = [BOS] * bool(body.get("add_special")) + [ord(c) for c in body.get("content", "")]
        return 200, {"tokens": ids if "content" in body else []}

    def detokenize_text(self, body: dict) -> tuple[int, dict]:
        return 200, {"content": self.detokenize(body)[1]["prompt"]}

    def tokenize(self, body: dict) -> tuple[int, dict]:
        if "messages" in body:
            ids = [BOS] * self.template_bos + [USER, *map(ord, text_of(body)), BOT]
            return (200, {"tokens": ids}) if self.shows_template else (400, {"error": "no messages"})
        if "prompt" not in body:
            return 400, {"error": "prompt: field required"}
        return 200, {"tokens": [BOS] * body["add_special_tokens"] + [ord(c) for c in body["prompt"]]}

    def detokenize(self, body: dict) -> tuple[int, dict]:
        return 200, {"prompt": "".join("<s>" if token == BOS else chr(token) for token in body["tokens"])}

    def plain(self, body: dict) -> tuple[int, dict]:
        prompt = body["prompt"]
        if isinstance(prompt, str):
            return self.answer(body, [BOS] * self.plain_bos + [ord(c) for c in prompt], prompt)
        if not self.takes_ids:
            return 422, {"detail": "prompt: expected a string"}
        return self.answer(body, list(prompt), "".join(map(chr, prompt[1:])))

    def chatting(self, body: dict) -> tuple[int, dict]:
        text = text_of(body)
        return self.answer(body, [BOS] * self.chat_bos + [USER, *map(ord, text), BOT], text)

    def answer(self, body: dict, ids: list[int], text: str) -> tuple[int, dict]:
        self.seen.append(body)
        if body["model"] != self.name:
            return 404, {"error": {"message": f"The model `{body['model']}` does not exist."}}
        if self.refuses_over is not None and len(ids) > self.refuses_over:
            message = f"This model's maximum context length is {self.refuses_over} tokens. However, you requested more."
            return 400, {"error": {"message": message}}
        if self.short_fails and SHORT in text:
            return 422, {"error": {"message": self.short_fails}}
        time.sleep(self.wait_s(len(ids)))
        whole = self.text_for(text)
        said = whole[: body["max_tokens"]] if self.short in whole else whole
        message = {"role": "assistant", "content": said, "reasoning_content": self.thoughts}
        reason = "length" if len(whole) >= body["max_tokens"] else "stop"
        choice = {"finish_reason": reason, **({"message": message} if "messages" in body else {"text": said})}
        usage = {"prompt_tokens": min(len(ids), self.reads or len(ids)), "completion_tokens": max(1, len(said))}
        usage["completion_tokens_details"] = {"reasoning_tokens": self.thought_tokens}
        more = {"usage": usage} if self.counts else {}
        if self.speeds:
            more["timings"] = timings(len(ids), len(said), *self.speeds)
        if self.tells_ids and body.get("return_token_ids"):
            more["prompt_token_ids"] = ids
        return 200, {"choices": [choice], **more}

    def text_for(self, text: str) -> str:
        if STORY in text:
            return self.tales[next(self.turn) % len(self.tales)]
        if SHORT in text:
            return self.short
        word = re.search(r"The code word is (\w+)", text)
        return word[1] if word and self.knows_word else "?"
