"""What the suite will take: tokens, time, money."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from longbench_eval.doctor.asked import TaskSize
from longbench_eval.doctor.finding import Finding, notice, ok
from longbench_eval.doctor.speeds import Speeds
from longbench_eval.errors import UsageError

# Answers are mostly shorter than their caps. This share is a guess between a base model, which writes to the cap, and
# a chat model, which answers a question in a line.
LIKELY_SHARE = 0.5


class Price(NamedTuple):
    """US dollars a million tokens."""

    prompt: float
    new: float


def read_price(text: str) -> Price:
    """Read `IN,OUT`.

    Raises:
        UsageError: It is something else.
    """
    try:
        prompt, new = (float(part) for part in text.split(","))
        good = 0 <= prompt < math.inf and 0 <= new < math.inf
    except ValueError:
        good = False
    if not good:
        raise UsageError(
            f"--price is {text!r}; it must be IN,OUT: US dollars for a million prompt tokens and for a million new "
            "tokens, for example 0.15,0.60."
        )
    return Price(prompt, new)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of everything that is asked for.

    Attributes:
        rows: Requests.
        prompt_tokens: Sent, templates included; a prefix cache may spare some of them.
        likely_new_tokens: At `LIKELY_SHARE` of the caps.
        most_new_tokens: At the caps.
        counted: From the very rows; else from the sizes of the published files.
        concurrency: Requests at once.
        low_s: Seconds if answers are of likely length and requests at once cost nothing; None where not measured.
        high_s: Seconds if all answers reach their caps and requests at once gain nothing.
        low_usd: Cost with likely answers; None without a price.
        high_usd: Cost with the longest ones.
    """

    rows: int
    prompt_tokens: int
    likely_new_tokens: int
    most_new_tokens: int
    counted: bool
    concurrency: int
    low_s: float | None = None
    high_s: float | None = None
    low_usd: float | None = None
    high_usd: float | None = None

    def to_json(self) -> dict[str, Any]:
        """As it is."""
        return asdict(self)


def make_estimate(
    sizes: Mapping[str, TaskSize], speeds: Speeds | None, price: Price | None, *, counted: bool, concurrency: int
) -> Estimate:
    """Add up the tasks."""
    prompt = sum(size.prompt_tokens for size in sizes.values())
    most = sum(size.rows * size.cap for size in sizes.values())
    likely = most * LIKELY_SHARE
    rows = sum(size.rows for size in sizes.values())
    low_s = speeds.seconds(prompt, likely) / concurrency if speeds else None
    high_s = speeds.seconds(prompt, most) if speeds else None
    costs = [(prompt * price.prompt + new * price.new) / 1e6 if price else None for new in (likely, most)]
    return Estimate(rows, round(prompt), round(likely), most, counted, concurrency, low_s, high_s, *costs)


def tell(estimate: Estimate) -> Iterator[Finding]:
    """The estimate as lines of the report."""
    how = "by tokenizing some rows of each task" if estimate.counted else "roughly, by the published files' sizes"
    yield ok(
        "size",
        f"{estimate.rows} rows: {_count(estimate.prompt_tokens)} prompt tokens ({how}), at most "
        f"{_count(estimate.most_new_tokens)} new tokens; half of those are taken as likely",
    )
    if estimate.low_s is None or estimate.high_s is None:
        yield notice("time", "cannot be told: no speed was measured")
    else:
        at_once = f" with {estimate.concurrency} requests at once" if estimate.concurrency > 1 else ""
        yield ok("time", f"between {_duration(estimate.low_s)} and {_duration(estimate.high_s)}{at_once}")
    if estimate.low_usd is not None and estimate.high_usd is not None:
        low, high = _dollars(estimate.low_usd), _dollars(estimate.high_usd)
        yield ok("cost", f"between {low} and {high}, without rebates for cached prompts")


def _count(tokens: int) -> str:
    return f"{tokens / 1e6:.1f} million" if tokens >= 1_000_000 else f"{tokens:,}"


def _dollars(usd: float) -> str:
    return f"${usd:,.2f}" if usd >= 1 else f"${usd:.2g}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:,.1f} h"
