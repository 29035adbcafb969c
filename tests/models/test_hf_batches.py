"""Which rows are answered together, how many fit, and what a configuration says; nothing here needs torch."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.models.hf.batches import Batch, common_prefix, plan_batches, windows, worth_sharing
from longbench_eval.models.hf.facts import cache_bytes_per_token, length_dependent, position_limit, window_of
from longbench_eval.models.hf.memory import rows_that_fit
from toys import request


def rows(*lengths, cap=8, start=0):
    return [request("", f"{start + i}", [i + 1] * n, cap=cap) for i, n in enumerate(lengths)]


def over(context, *rests):
    """Rows over one context of so many tokens, each with its own rest."""
    return [request("", f"{context}/{i}", [context] * context + [100 + i] * rest) for i, rest in enumerate(rests)]


def shapes(batches):
    return [([len(row) for row in batch.rows], batch.shared) for batch in batches]


PLANS = [
    (rows(5, 1, 9, 3), 2, [([9, 5], 0), ([3, 1], 0)], "the longest together, and first"),
    (rows(5, 1, 9), 1, [([9], 0), ([5], 0), ([1], 0)], "one by one"),
    (over(100, 4, 9, 6), 4, [([109, 106, 104], 100)], "one context, one batch"),
    (over(100, 4, 9, 6), 2, [([109, 106], 100), ([104], 0)], "a row alone goes on from what is kept"),
    ([*over(100, 4, 9), *over(300, 1, 2)], 4, [([109, 104], 100), ([302, 301], 300)], "two contexts"),
    ([*over(100, 4), *rows(7), *over(100, 4)], 4, [([104, 104, 7], 0)], "not neighbours: not seen"),
    (over(63, 4, 9), 4, [([72, 67], 0)], "too short to be a context"),
    (over(70, 900, 901), 4, [([971, 970], 0)], "too small a part"),
    (over(100, 0, 0), 4, [([100, 100], 99)], "the last token is always asked"),
]


@pytest.mark.parametrize(("requests", "size", "expected", "why"), PLANS, ids=[why for *_, why in PLANS])
def test_plans(requests, size, expected, why):
    assert shapes(plan_batches(requests, size, sharing=True)) == expected


def test_without_sharing_only_length_counts():
    assert shapes(plan_batches(over(100, 4, 9), 4, sharing=False)) == [([109, 104], 0)]


def test_rows_of_one_batch_have_one_rule():
    batches = plan_batches([*rows(5, 6, cap=8), *rows(7, 4, cap=9, start=2)], 4, sharing=True)
    assert [[r.max_new_tokens for r in batch.requests] for batch in batches] == [[8, 8], [9, 9]]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 90), st.integers(1, 2)), max_size=30), st.integers(1, 5))
def test_every_row_is_in_one_batch_and_shares_what_is_said(shape, size):
    requests = [request("", str(i), [c] * 80 + [i] * n, cap=cap) for i, (c, n, cap) in enumerate(shape)]
    batches = plan_batches(requests, size, sharing=True)
    assert sorted(int(r.example_id) for batch in batches for r in batch.requests) == list(range(len(shape)))
    for batch in batches:
        assert len(batch.requests) <= size
        assert len({row[: batch.shared] for row in batch.rows}) == 1
        assert all(len(row) > batch.shared for row in batch.rows)
        assert len({r.max_new_tokens for r in batch.requests}) == 1


def test_parts_of_a_batch():
    batch = Batch(tuple(over(100, 1, 2, 3)), 100)
    assert shapes(batch.parts(2)) == [([101, 102], 100), ([103], 0)]


def test_windows_take_no_more_ahead_than_they_sort():
    assert [len(window) for window in windows(iter(rows(*range(1, 41))), 2)] == [32, 8]
    assert [len(window) for window in windows(rows(1, 2), 1)] == [1, 1]


@given(st.lists(st.integers(0, 2)), st.lists(st.integers(0, 2)))
def test_common_prefix(one, other):
    shared = common_prefix(one, other)
    assert one[:shared] == other[:shared]
    assert shared == min(len(one), len(other)) or one[shared] != other[shared]


WORTH = [(63, 64, False), (64, 64, True), (64, 512, True), (64, 520, False), (937, 7500, True), (936, 7500, False)]


@pytest.mark.parametrize(("shared", "length", "worth"), WORTH)
def test_worth_sharing(shared, length, worth):
    assert worth_sharing(shared, length) is worth


GIB = 1 << 30
FITS = [
    # free bytes, bytes a token, tokens a row, rows
    (100 * GIB, 131_072, 8192, 32),
    (20 * GIB, 131_072, 8192, 8),
    (20 * GIB, 131_072, 32_768, 2),
    (2 * GIB, 131_072, 32_768, 1),
    (0, 131_072, 8192, 1),
    (100 * GIB, None, 8192, 8),
]


@pytest.mark.parametrize(("free", "token", "tokens", "expected"), FITS)
def test_rows_that_fit(free, token, tokens, expected):
    assert rows_that_fit(free, token, tokens) == expected


def config(**values):
    return SimpleNamespace(**values)


YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32_768}
WINDOWS = [
    (config(max_position_embeddings=8192), 8192, "stated"),
    (config(n_positions=1024), 1024, "under an old name"),
    (config(max_position_embeddings=-1), None, "no end"),
    (config(), None, "not stated"),
    (config(max_position_embeddings=4096, rope_scaling={"type": "linear", "factor": 4.0}), 16_384, "stretched"),
    (
        config(max_position_embeddings=4096, rope_scaling={"type": "dynamic", "factor": 2.0}),
        8192,
        "stretched as it grows",
    ),
    (config(max_position_embeddings=32_768, rope_parameters=YARN), 131_072, "stretched from the length before"),
    (config(max_position_embeddings=131_072, rope_parameters=YARN), 131_072, "stated as stretched"),
    (
        config(max_position_embeddings=131_072, rope_scaling={"rope_type": "llama3", "factor": 8.0}),
        131_072,
        "Llama 3.1",
    ),
    (config(max_position_embeddings=131_072, rope_scaling={"type": "longrope"}), 131_072, "Phi-3"),
    (config(max_position_embeddings=32_768, rope_parameters={"full_attention": {"factor": 8.0}}), 32_768, "Gemma 3"),
    (config(get_text_config=lambda: config(max_position_embeddings=77)), 77, "a part of a larger model"),
]


@pytest.mark.parametrize(("given", "expected", "why"), WINDOWS, ids=[why for *_, why in WINDOWS])
def test_window(given, expected, why):
    assert window_of(given) == expected


@pytest.mark.parametrize(
    ("kind", "expected"), [("dynamic", True), ("longrope", True), ("llama3", False), (None, False)]
)
def test_positions_that_depend_on_the_length(kind, expected):
    assert length_dependent(config(rope_scaling={"type": kind})) is expected


def test_only_learned_positions_end():
    assert position_limit(config(n_positions=1024)) == 1024
    assert position_limit(config(max_position_embeddings=1024, rope_theta=1e4)) is None


CACHES = [
    # Llama-3 8B: 32 layers, 8 of 32 heads kept, 128 wide, two bytes a value
    (config(num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=8, hidden_size=4096), 131_072),
    (config(num_hidden_layers=2, num_attention_heads=4, head_dim=10), 320),
    (config(num_hidden_layers=2), None),
]


@pytest.mark.parametrize(("given", "expected"), CACHES)
def test_bytes_of_a_token(given, expected):
    assert cache_bytes_per_token(given, 2) == expected
