"""A server by its address, asked from code that waits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from longbench_eval.errors import ModelError
from longbench_eval.models.base import ServerOptions
from longbench_eval.models.openai.address import read_address
from longbench_eval.models.openai.client import Answered, Call, Client, GaveUp, Pace, Refused
from longbench_eval.models.openai.loop import LoopThread
from longbench_eval.models.openai.wire import read_answer

# First contact: enough for a hiccup, short enough for a wrong address.
_PROBE_ATTEMPTS = 4
_PROBE_TOKENS = 16


class Server:
    """The address, the client, and the loop it lives in.

    Raises:
        UsageError: An option is impossible, or the address or the key is missing.
    """

    def __init__(self, options: ServerOptions, pace: Pace) -> None:
        options.check()
        self.address = read_address(options)
        self.loop = LoopThread()
        self.client = self.loop.call(self._open(options, pace))

    async def _open(self, options: ServerOptions, pace: Pace) -> Client:
        return Client(self.address, options, pace)

    def models(self) -> Any:
        """The list of models; None where there is none.

        Raises:
            ModelError: Nobody is there.
        """
        try:
            return self._once(f"{self.address.api}/models", None)
        except GaveUp as error:
            shown = self.address.shown
            raise ModelError(f"No server answers at {shown}: {error}. Start it, or mend --base-url.") from None

    def look(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Ask for something under the root that a server may not have; None when it has not."""
        try:
            return self._once(self.address.root + path, body)
        except GaveUp:
            return None

    def _once(self, url: str, body: Mapping[str, Any] | None) -> Any:
        try:
            return self.loop.call(self.client.ask(Call(url, body, attempts=_PROBE_ATTEMPTS))).body
        except Refused:
            return None

    def probe(self, path: str, body: Mapping[str, Any]) -> Answered:
        """Ask an endpoint of the API for a tiny answer."""
        return self.loop.call(self.client.ask(Call(self.address.api + path, body, _PROBE_TOKENS, read_answer)))

    def tokens(self, path: str, bodies: Sequence[Mapping[str, Any]], at_once: int = 1) -> list[Any]:
        """Ask the tokenizer under the root, which is known to be there, several things, so many at once."""
        url = self.address.root + path
        try:
            return self.loop.call(self._all([Call(url, body, check=_check_tokens) for body in bodies], at_once))
        except (Refused, GaveUp) as error:
            said = f"The server at {self.address.shown} no longer tokenizes: {error}."
            raise ModelError(f"{said} Start it again, then run the command again.") from None

    async def _all(self, calls: Sequence[Call], at_once: int) -> list[Any]:
        slots = asyncio.Semaphore(at_once)

        async def ask(call: Call) -> Any:
            async with slots:
                return (await self.client.ask(call)).body

        return list(await asyncio.gather(*map(ask, calls)))

    def close(self) -> None:
        """Break off what is under way, and close the connections."""
        if not self.loop.closed:
            self.loop.call(self.client.close())
            self.loop.close()


def _check_tokens(body: Any) -> None:
    """Refuse what is no answer of a tokenizer; the shapes differ in their keys."""
    if not isinstance(body, dict) or not {"tokens", "content", "prompt", "text"} & body.keys():
        raise ValueError("neither tokens nor text")
