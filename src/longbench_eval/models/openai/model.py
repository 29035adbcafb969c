"""A model behind an OpenAI-compatible server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from longbench_eval.models.base import ModelOptions, NewlineStop
from longbench_eval.models.openai.client import Call, GaveUp, Pace, Refused
from longbench_eval.models.openai.endpoints import Absent, Endpoint
from longbench_eval.models.openai.meet import Acquaintance, meet
from longbench_eval.models.openai.overlong import Overlong, read_overlong
from longbench_eval.models.openai.server import Server
from longbench_eval.models.openai.wire import as_chat, as_prompt, read_answer
from longbench_eval.prompts.budget import DRIFT_TOKENS
from longbench_eval.prompts.build import encode_once
from longbench_eval.prompts.truncate import chain, shorten
from longbench_eval.records import Completion, Failure, Prompt, Request
from longbench_eval.thinking import Thought


class OpenAIModel:
    """A model by its name on a server.

    Args:
        name: As the server knows it.
        options: What the run needs, and the server's address.
        pace: How patiently it is asked.

    Raises:
        UsageError: The address, the key, the tokenizer or the window is missing or wrong.
        ModelError: Nobody answers there, or not for this model.
    """

    newline_stop: NewlineStop = "string"

    def __init__(self, name: str, options: ModelOptions, pace: Pace = Pace()) -> None:  # noqa: B008 (frozen)
        self.name, self._options = name, options
        self._server = Server(options.server, pace)
        try:
            self._known = meet(self._server, name, options)
        except BaseException:
            self.close()
            raise
        self.tokenizer, self.serving = self._known.tokenizer, self._known.serving
        self._slots = asyncio.Semaphore(self.serving.lanes)
        self.window, self.capacity = self._known.window, self._known.capacity
        self.prefix_reuse = self._known.reuse

    @property
    def known(self) -> Acquaintance:
        """What the meeting with its server showed."""
        return self._known

    def identity(self) -> Mapping[str, Any]:
        """The model's name, and what of its server decides answers; neither its address nor how fast it is asked."""
        completions, chat = self._known.endpoints
        ids = "ids" if isinstance(completions, Endpoint) and completions.ids else "text"
        return {
            "kind": "openai",
            "name": self.name,
            "server": self._known.facts.kind,
            "tokenizer": self._known.source.name,
            "completions": ids if isinstance(completions, Endpoint) else "absent",
            "chat": "text" if isinstance(chat, Endpoint) else "absent",
        }

    def versions(self) -> Mapping[str, str]:
        """The HTTP client's."""
        return {"httpx2": version("httpx2")}

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answer several requests at once, taking as many again ahead so that none waits for its prompt."""
        return self._server.loop.stream(self._answer, requests, 2 * self.serving.lanes)

    async def _answer(self, request: Request) -> Completion:
        async with self._slots:
            try:
                return await self._send(request)
            except Refused as refusal:
                return await self._send_shorter(request, refusal)
            except GaveUp as error:
                return _failed(request, Failure(error.kind, str(error)), error.retries)

    async def _send(self, request: Request) -> Completion:
        """Ask once.

        Raises:
            Refused: The request cannot be answered.
            GaveUp: The server failed each time.
        """
        endpoints, chat = self._known.endpoints, request.prompt.chat
        endpoint = endpoints.chat if chat else endpoints.completions
        if isinstance(endpoint, Absent):
            raise Refused(404, endpoint.reason, None, 0)
        prompt = as_chat(request.prompt.text, self._known.setup) if chat else as_prompt(request, endpoint.ids)
        body = endpoint.dialect.body(self.name, prompt, request.max_new_tokens, request.stop_at_newline)
        tokens = (request.prompt.tokens or 0) + request.max_new_tokens
        answered = await self._server.client.ask(
            Call(self._server.address.api + endpoint.path, body, tokens, read_answer)
        )
        answer = read_answer(answered.body)
        finished = bool(answer.text.strip()) or answer.reason != "length"
        return Completion(
            request.example_id,
            answer.text,
            answer.reason,
            answer.prompt_tokens,
            answer.completion_tokens,
            answer.cached_tokens,
            answered.latency_s,
            retries=answered.retries,
            thinking=Thought(answer.thinking, finished) if answer.thinking else None,
        )

    async def _send_shorter(self, request: Request, refusal: Refused) -> Completion:
        """Cut a prompt that was refused for its length to what the server says, and ask once more."""
        overlong = read_overlong(refusal.status, refusal.message, refusal.body, request.max_new_tokens)
        if overlong is None:
            return _failed(request, Failure("model", str(refusal)), refusal.retries)
        prompt = await asyncio.to_thread(self._recut, request, overlong)
        if prompt is None:
            return _failed(request, Failure("overlong", str(refusal)), refusal.retries)
        try:
            completion = await self._send(replace(request, prompt=prompt))
        except Refused as again:
            return _failed(request, Failure("overlong", str(again)), refusal.retries + again.retries)
        except GaveUp as error:
            return _failed(request, Failure(error.kind, str(error)), refusal.retries + error.retries)
        return replace(completion, retries=refusal.retries + completion.retries, sent=prompt)

    def _recut(self, request: Request, overlong: Overlong) -> Prompt | None:
        prompt = request.prompt
        budget = overlong.budget(prompt.tokens or 0, request.max_new_tokens, DRIFT_TOKENS)
        if budget is None:
            return None
        text, cut, _ = shorten(prompt.text, budget, self.tokenizer, self._options.truncate)
        if cut is None:
            return None
        ids = encode_once(text, self.tokenizer, prompt.chat)
        # What was cut now is the text that the chat template made of the prompt; what is told is the prompt's own.
        cut = cut.moved(-prompt.body_start)
        return replace(prompt, text=text, token_ids=tuple(ids), truncation=chain(prompt.truncation, cut))

    def break_off(self) -> None:
        """End all that waits for the server, answers and tokens alike, by an error where it waits."""
        self._server.loop.break_off()

    def close(self) -> None:
        """Break off what is under way, and close the connections."""
        self._server.close()


def _failed(request: Request, failure: Failure, retries: int) -> Completion:
    return Completion(request.example_id, "", error=failure, retries=retries)


def open_openai(name: str, options: ModelOptions) -> OpenAIModel:
    """Open a model by its name on the server at `--base-url`."""
    return OpenAIModel(name, options)
