"""When to ask again, and how long to wait before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# 409 and 425 come from gateways under load; 501 says that there is no such thing, and never will be.
_TRANSIENT = frozenset((408, 409, 425, 429))


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential backoff with jitter.

    Attributes:
        attempts: How often one request is sent at most.
        first_s: The longest first wait; each one after it may be twice as long.
        most_s: No wait is longer, unless the server asks for it.
        patience_s: A server that asks for a longer wait than this is given up.
    """

    attempts: int = 8
    first_s: float = 0.5
    most_s: float = 60.0
    patience_s: float = 900.0

    def wait_s(self, retries: int, asked_s: float | None, jitter: float) -> float:
        """Seconds to wait before the next attempt.

        Args:
            retries: How many there were before.
            asked_s: What the server's Retry-After asks for; it is never undercut.
            jitter: In [0, 1]: spreads the waits of many clients over the upper half of the interval.
        """
        backoff = min(self.most_s, self.first_s * 2.0**retries)
        spread = backoff * (0.5 + 0.5 * jitter)
        return spread if asked_s is None else asked_s + spread * 0.5


def is_transient(status: int) -> bool:
    """Whether the same request may well succeed later."""
    return status in _TRANSIENT or (status >= 500 and status != 501)


def retry_after_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that a Retry-After header asks for: a number, or an HTTP date (RFC 9110, section 10.2.3).

    None for a header that is absent or unreadable.
    """
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
        return seconds if 0 <= seconds < float("inf") else None
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
