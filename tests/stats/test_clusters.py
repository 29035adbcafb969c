import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.stats import make_clusters

ROWS = st.lists(st.tuples(st.integers(0, 97).map(lambda k: k / 97), st.integers(0, 4)), min_size=1, max_size=30)


def test_rows_of_one_key_are_summed():
    clusters = make_clusters([1.0, 0.5, 0.25, 0.0], ["a", "b", "a", "c"])
    assert sorted(zip(clusters.sums, clusters.sizes, strict=True)) == [(0.0, 1), (0.5, 1), (1.25, 2)]
    assert clusters.mean == 1.75 / 4


def test_without_keys_every_row_is_its_own():
    clusters = make_clusters([1.0, 0.0, 1.0])
    assert (clusters.count, list(clusters.sizes)) == (3, [1, 1, 1])


def test_as_many_keys_as_values():
    with pytest.raises(ValueError, match="2 values, 1 keys"):
        make_clusters([1, 2], ["a"])


@given(ROWS, st.randoms())
def test_the_order_of_rows_changes_nothing_not_even_the_last_bit(rows, random):
    shuffled = random.sample(rows, len(rows))
    one, two = (make_clusters([v for v, _ in some], [k for _, k in some]) for some in (rows, shuffled))
    assert list(one.sums) == list(two.sums)
    assert list(one.sizes) == list(two.sizes)


@given(ROWS)
def test_the_variance_of_single_rows_is_the_textbook_one(rows):
    values = [value for value, _ in rows]
    clusters = make_clusters(values)
    expected = np.var(values, ddof=1) / len(values) if len(values) > 1 else 0
    assert clusters.variance == pytest.approx(expected, rel=1e-9, abs=1e-20)
    assert clusters.influence.sum() == pytest.approx(0, abs=1e-9)


def test_equal_rows_have_no_spread_whatever_their_rounding():
    assert make_clusters([0.1] * 7, list("aabbbcd")).variance == 0
