"""Rows that share a context stand together, and nothing else changes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.generate import group_by_context
from toys import example

ORDERS = [
    ("", "", "no rows"),
    ("abc", "012", "nothing shared: file order"),
    ("aab", "012", "neighbours already"),
    ("abab", "0213", "groups in the order of their first row, rows in file order within"),
    ("abcba", "04132", "nested"),
    ("aaaa", "0123", "one context"),
]


@pytest.mark.parametrize(("contexts", "expected", "why"), ORDERS, ids=[why for *_, why in ORDERS])
def test_order(contexts, expected, why):
    rows = [example(id_=str(i), context=context) for i, context in enumerate(contexts)]
    assert "".join(row.id for row in group_by_context(rows)) == expected


@given(st.lists(st.sampled_from("abcd")))
def test_every_row_once_and_each_context_in_one_piece(contexts):
    rows = [example(id_=str(i), context=context) for i, context in enumerate(contexts)]
    grouped = group_by_context(iter(rows))
    assert sorted(row.id for row in grouped) == sorted(row.id for row in rows)
    changes = sum(a.context != b.context for a, b in pairwise(grouped))
    assert changes == max(0, len(set(contexts)) - 1)


def test_real_rows_whose_neighbours_never_share():
    contexts = [str(i % 142) for i in range(200)]
    rows = [example(id_=str(i), context=context) for i, context in enumerate(contexts)]
    grouped = group_by_context(rows)
    served = sum(a.context == b.context for a, b in pairwise(grouped))
    assert served == 200 - 142
