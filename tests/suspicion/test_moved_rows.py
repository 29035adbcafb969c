"""Which rows stand in another place."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.scoring.suspicion.moves import moved


@pytest.mark.parametrize(
    ("numbers", "positions"),
    [
        ([], []),
        ([4], []),
        ([0, 1, 2, 5, 9], []),
        ([1, 2, 3, 0], [3]),
        ([3, 0, 1, 2], [0]),
        ([2, 1, 0], [0, 1]),
        ([0, 2, 4, 1, 3, 5], [1, 2]),
    ],
)
def test_moved_rows(numbers, positions):
    assert moved(numbers) == positions


@given(st.lists(st.integers(0, 30), unique=True, max_size=8))
def test_the_fewest_rows_are_named(numbers):
    out = moved(numbers)
    kept = [number for position, number in enumerate(numbers) if position not in out]
    assert kept == sorted(kept)
    longest = max(k for k in range(len(numbers) + 1) if any(list(c) == sorted(c) for c in combinations(numbers, k)))
    assert len(kept) == longest
