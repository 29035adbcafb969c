"""One request to a server, however often it must be sent."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx2

from longbench_eval.errors import ModelError
from longbench_eval.models.base import ServerOptions
from longbench_eval.models.openai.address import Address
from longbench_eval.models.openai.backoff import RetryPolicy, is_transient, retry_after_s
from longbench_eval.models.openai.limits import Clock, RateLimiter, Sleep
from longbench_eval.records import FailureKind

# A server that is there takes a connection at once; its answer may take minutes.
_CONNECT_S = 30.0
_MOST_SHOWN_CHARS = 400
Check = Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Pace:
    """How patiently a server is asked; tests bring their own time."""

    retry: RetryPolicy = field(default_factory=RetryPolicy)
    sleep: Sleep = asyncio.sleep
    clock: Clock = time.monotonic
    jitter: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class Call:
    """What is sent.

    Attributes:
        url: The whole address.
        body: JSON to post; None gets.
        tokens: Prompt and answer at most, for the limit of tokens a minute; None for a call that is not limited.
        check: Raises `ValueError` for a body that is no answer; such a one is asked for again.
        attempts: How often it is sent at most; None leaves it to the policy.
    """

    url: str
    body: Mapping[str, Any] | None = None
    tokens: int | None = None
    check: Check | None = None
    attempts: int | None = None


class Answered(NamedTuple):
    """A good answer."""

    body: Any
    retries: int
    latency_s: float


class Trouble(NamedTuple):
    """One attempt that failed and may be repeated."""

    kind: FailureKind
    message: str
    retry_after_s: float | None = None


class Refused(Exception):
    """The server will never answer this request: a status below 500 that no repetition mends, or 501."""

    def __init__(self, status: int, message: str, body: Any, retries: int) -> None:
        super().__init__(f"HTTP {status}: {message}")
        self.status, self.message, self.body, self.retries = status, message, body, retries


class GaveUp(Exception):
    """Every attempt failed."""

    def __init__(self, trouble: Trouble, retries: int) -> None:
        super().__init__(f"{trouble.message} (asked {retries + 1} times)" if retries else trouble.message)
        self.kind, self.retries = trouble.kind, retries


class Client:
    """Sends requests with limits and retries; made and used inside one event loop."""

    def __init__(self, address: Address, options: ServerOptions, pace: Pace) -> None:
        self._address, self._pace, self._timeout_s = address, pace, options.timeout_s
        headers = {"Authorization": f"Bearer {address.key}"} if address.key else {}
        self._http = httpx2.AsyncClient(
            headers=headers,
            timeout=httpx2.Timeout(None, connect=min(_CONNECT_S, options.timeout_s)),
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=options.concurrency + 2),
            trust_env=not address.is_loopback,
        )
        rates = options.requests_per_minute, options.tokens_per_minute
        self._limiter = RateLimiter(*rates, pace.clock, pace.sleep)

    async def ask(self, call: Call) -> Answered:
        """Send a request until it is answered.

        Raises:
            Refused: It is the request's fault.
            GaveUp: The server failed each time.
            ModelError: The key is not accepted, or the account may not go on.
        """
        attempts = call.attempts or self._pace.retry.attempts
        retries = 0
        while True:
            if call.tokens is not None:
                await self._limiter.acquire(call.tokens)
            began = self._pace.clock()
            outcome = await self._attempt(call, retries)
            if not isinstance(outcome, Trouble):
                return Answered(outcome, retries, self._pace.clock() - began)
            asked_s = outcome.retry_after_s
            if retries + 1 >= attempts or (asked_s or 0.0) > self._pace.retry.patience_s:
                raise GaveUp(outcome, retries)
            if asked_s:
                self._limiter.hold(asked_s)
            await self._pace.sleep(self._pace.retry.wait_s(retries, asked_s, self._pace.jitter()))
            retries += 1

    async def _attempt(self, call: Call, retries: int) -> Any:
        """Give the decoded body, or `Trouble`."""
        try:
            async with asyncio.timeout(self._timeout_s):
                response = await self._send(call)
        except (TimeoutError, httpx2.TimeoutException):
            return Trouble("timeout", f"no answer within {self._timeout_s:g} s")
        except httpx2.RequestError as error:
            return Trouble("model", self._address.redact(f"the connection failed: {error or type(error).__name__}"))
        if response.status_code != 200:
            return self._refusal(response, retries)
        return self._checked(response, call.check)

    async def _send(self, call: Call) -> httpx2.Response:
        if call.body is None:
            return await self._http.get(call.url)
        # ASCII: a lone surrogate in a prompt has no UTF-8.
        payload = json.dumps(call.body).encode("ascii")
        return await self._http.post(call.url, content=payload, headers={"Content-Type": "application/json"})

    def _refusal(self, response: httpx2.Response, retries: int) -> Trouble:
        # The key goes before anything is shortened: half a key is a secret too.
        status, text = response.status_code, self._address.redact(response.text)
        body = _decoded(text)
        message = error_message(body, text)
        if status in (401, 402, 403) or (status == 429 and "insufficient_quota" in text):
            raise ModelError(self._locked_out(status, message))
        if not is_transient(status):
            raise Refused(status, message, body, retries)
        return Trouble("model", f"HTTP {status}: {message}", retry_after_s(response.headers))

    def _locked_out(self, status: int, message: str) -> str:
        key = f"the key in {self._address.key_env}" if self._address.key else "a request without a key"
        remedy = f"Set {self._address.key_env}, or name another variable with --api-key-env."
        return f"The server at {self._address.shown} refuses {key} (HTTP {status}: {message}). {remedy}"

    def _checked(self, response: httpx2.Response, check: Check | None) -> Any:
        body = _decoded(response.content)
        try:
            if isinstance(body, dict) and body.get("error") and "choices" not in body:
                raise ValueError(error_message(body, response.text))
            if check is not None:
                check(body)
        except ValueError as error:
            said = _shortened(self._address.redact(response.text))
            return Trouble("model", f"the answer is garbage ({self._address.redact(str(error))}): {said!r}")
        return body

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


def _decoded(text: str | bytes) -> Any:
    """The JSON value; None for what is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def error_message(body: Any, text: str) -> str:
    """What a server says is wrong, in any of the shapes there are."""
    found = body
    for key in ("error", "message", "detail", "msg"):
        if isinstance(found, list) and found:
            found = found[0]
        if isinstance(found, dict) and found.get(key):
            found = found[key]
    return _shortened(found if isinstance(found, str) else text)


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MOST_SHOWN_CHARS else f"{text[:_MOST_SHOWN_CHARS]}..."
