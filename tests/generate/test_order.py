"""Rows that share a context are asked so that a prefix cache can serve them, the longest first, and none is lost."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.generate import schedule
from toys import example

ORDERS = [
    ("", 1, "", "no rows"),
    ("abc", 1, "012", "equal work: file order"),
    ("abab", 1, "0213", "rows of a context stand together, in file order"),
    ("abcba", 1, "04132", "of two groups with equal work the first goes first"),
    ("aBbA", 1, "1302", "the longest first (capitals are longer)"),
    ("aaaa", 3, "0123", "nothing else to ask meanwhile"),
    ("aabb", 2, "0213", "two lanes: the first of each, then the second"),
    ("aabbc", 2, "02134", "a lane that is done takes the next group"),
    ("aaBBc", 3, "20431", "more lanes than long groups"),
]
CONTEXTS = st.lists(st.sampled_from("abcdE"))


def rows_of(contexts):
    return [example(id_=str(i), context=c * (50 if c.isupper() else 1)) for i, c in enumerate(contexts)]


@pytest.mark.parametrize(("contexts", "lanes", "expected", "why"), ORDERS, ids=[why for *_, why in ORDERS])
def test_order(contexts, lanes, expected, why):
    assert "".join(row.id for row in schedule(rows_of(contexts), lanes)) == expected


@given(CONTEXTS)
def test_one_lane_asks_each_context_in_one_piece(contexts):
    ordered = list(schedule(iter(rows_of(contexts))))
    changes = sum(a.context != b.context for a, b in pairwise(ordered))
    assert changes == max(0, len(set(contexts)) - 1)


@given(CONTEXTS, st.integers(1, 6))
def test_every_row_once_and_contexts_in_file_order(contexts, lanes):
    rows = rows_of(contexts)
    ordered = list(schedule(rows, lanes))
    assert sorted(ordered, key=rows.index) == rows
    for context in {row.context for row in rows}:
        own = [row for row in ordered if row.context == context]
        assert own == sorted(own, key=rows.index)


@given(CONTEXTS, st.integers(2, 6))
def test_lanes_keep_rows_of_a_context_apart_while_there_are_others(contexts, lanes):
    ordered = list(schedule(rows_of(contexts), lanes))
    for at, (a, b) in enumerate(pairwise(ordered)):
        if a.context == b.context:
            assert {row.context for row in ordered[at:]} == {a.context}


def test_real_rows_whose_neighbours_never_share():
    ordered = list(schedule([example(id_=str(i), context=str(i % 142)) for i in range(200)]))
    served = sum(a.context == b.context for a, b in pairwise(ordered))
    assert served == 200 - 142
