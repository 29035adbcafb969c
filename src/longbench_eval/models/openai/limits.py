"""Requests and tokens a minute."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]


class RateLimiter:
    """Spaces requests evenly, so that no minute holds more than its share, not even the first.

    Every request takes the next free moment, and pushes it on by its own share of a minute: the larger one of its
    share of requests and of tokens. Tokens are counted as hosted services do: the prompt's, and the answer's cap.
    """

    def __init__(
        self, requests_per_minute: float | None, tokens_per_minute: float | None, clock: Clock, sleep: Sleep
    ) -> None:
        self._request_s = 60.0 / requests_per_minute if requests_per_minute else 0.0
        self._token_s = 60.0 / tokens_per_minute if tokens_per_minute else 0.0
        self._clock, self._sleep = clock, sleep
        self._free_at = clock()

    async def acquire(self, tokens: int) -> None:
        """Wait for this request's turn."""
        now = self._clock()
        turn = max(now, self._free_at)
        self._free_at = turn + max(self._request_s, self._token_s * tokens)
        if turn > now:
            await self._sleep(turn - now)

    def hold(self, seconds: float) -> None:
        """Let nobody through for so long: the server said so to one request, and means all."""
        self._free_at = max(self._free_at, self._clock() + seconds)
