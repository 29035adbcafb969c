"""Waiting: between attempts, and for one's turn."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from longbench_eval.models.openai.backoff import RetryPolicy, is_transient, retry_after_s
from longbench_eval.models.openai.limits import RateLimiter
from longbench_eval.models.openai.overlong import Overlong, read_overlong

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


HEADERS = [
    ("3", 3.0),
    ("0", 0.0),
    ("1.5", 1.5),
    (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
    (format_datetime(NOW - timedelta(seconds=90), usegmt=True), 0.0),
    ("", None),
    ("-1", None),
    ("nan", None),
    ("inf", None),
    ("soon", None),
]


@pytest.mark.parametrize(("header", "expected"), HEADERS)
def test_retry_after(header, expected):
    assert retry_after_s({"retry-after": header}, NOW) == expected


def test_waits_grow_to_a_bound_and_jitter_takes_at_most_half():
    policy = RetryPolicy(first_s=1.0, most_s=10.0)
    assert [policy.wait_s(n, None, 1.0) for n in range(6)] == [1, 2, 4, 8, 10, 10]
    assert [policy.wait_s(n, None, 0.0) for n in range(6)] == [0.5, 1, 2, 4, 5, 5]
    assert policy.wait_s(0, 30.0, 0.5) >= 30.0


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_transient(status):
    assert is_transient(status)


@pytest.mark.parametrize("status", [301, 400, 401, 404, 413, 422, 501])
def test_not_transient(status):
    assert not is_transient(status)


class FakeTime:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now

    async def sleep(self, seconds):
        self.now += seconds


def turns(limiter, time, tokens):
    async def all_of_them():
        taken = []
        for count in tokens:
            await limiter.acquire(count)
            taken.append(round(time.now - 100.0, 6))
        return taken

    return asyncio.run(all_of_them())


LIMITS = [
    (None, None, [5, 5, 5], [0, 0, 0], "no limit"),
    (60, None, [5, 5, 5], [0, 1, 2], "requests"),
    (None, 600, [10, 50, 10], [0, 1, 6], "tokens"),
    (60, 600, [5, 50, 5], [0, 1, 6], "whichever is stricter"),
]


@pytest.mark.parametrize(("requests", "tokens", "asked", "expected", "why"), LIMITS, ids=[case[-1] for case in LIMITS])
def test_rate_limits(requests, tokens, asked, expected, why):
    time = FakeTime()
    assert turns(RateLimiter(requests, tokens, time, time.sleep), time, asked) == expected


def test_no_minute_has_more_than_its_share_even_after_a_pause():
    time = FakeTime()
    limiter = RateLimiter(60, None, time, time.sleep)
    turns(limiter, time, [1])
    time.now += 600
    began = time.now - 100
    assert turns(limiter, time, [1, 1, 1]) == [began, began + 1, began + 2]


def test_a_wait_that_the_server_asks_of_one_holds_all():
    time = FakeTime()
    limiter = RateLimiter(None, None, time, time.sleep)
    limiter.hold(30)
    assert turns(limiter, time, [1]) == [30]


SENTENCES = [
    ("This model's maximum context length is 4097 tokens, however you requested 4927 tokens (3927 in your prompt; 1000 "
     "for the completion).", Overlong(4097, 3927)),
    ("This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
     Overlong(4096, 5000)),
    ("'max_tokens' is too large: 512. This model's maximum context length is 4096 tokens and your request has 4000 "
     "input tokens (512 > 4096 - 4000).", Overlong(4096, 4000)),
    ("Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5012 "
     "tokens: 4500 tokens from the input messages and 512 tokens for the completion.", Overlong(4096, 4500)),
    ("request (3001 tokens) exceeds the available context size (1792 tokens), try increasing it", Overlong(1792, 3001)),
    ("prompt is too long: 210000 tokens > 200000 maximum", Overlong(200000, 210000)),
    ("maximum context length is 8192 tokens. However, you requested 9000 tokens.", Overlong(8192, 8488)),
    ("the context length was exceeded", Overlong(None, None)),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES)
def test_sentences_of_servers(sentence, expected):
    assert read_overlong(400, sentence, {"error": {"message": sentence}}, 512) == expected
    assert read_overlong(500, sentence, None, 512) is None


def test_other_refusals_are_not_for_length():
    assert read_overlong(400, "temperature must be positive", {"error": {"type": "invalid"}}, 512) is None


def test_llama_cpp_says_it_in_fields():
    body = {"error": {"type": "exceed_context_size_error", "message": "no", "n_prompt_tokens": 3001, "n_ctx": 1792}}
    assert read_overlong(400, "no", body, 512) == Overlong(1792, 3001)


BUDGETS = [
    (Overlong(1000, 1200), 1200, 868, "the same tokenizer"),
    (Overlong(1000, 1240), 1200, 828, "and a chat template of 40"),
    (Overlong(1000, 4000), 2000, 434, "an estimate of half"),
    (Overlong(1000, 1200), 2400, 1736, "an estimate of twice"),
    (Overlong(1000, None), 1200, 868, "only the limit is known"),
    (Overlong(None, None), 1200, None, "nothing is known"),
    (Overlong(100, 1200), 1200, None, "no room beside the answer"),
]


@pytest.mark.parametrize(("overlong", "counted", "expected", "why"), BUDGETS, ids=[case[-1] for case in BUDGETS])
def test_how_far_a_prompt_is_cut(overlong, counted, expected, why):
    assert overlong.budget(counted, 100, 32) == expected
