import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from longbench_eval.stats import Flips, Resampling, draw_flips, flip_test


def flips(differences, weight=1.0, resamples=10_000, name="x"):
    shares = np.array([d for d in differences if d], dtype=float) / max(len(differences), 1)
    return Flips(weight, shares, draw_flips(shares, Resampling().stream(name), resamples))


def scipys(differences, **options):
    found = scipy_stats.permutation_test((np.array(differences),), np.mean, permutation_type="samples", **options)
    return found.pvalue


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([-1, -0.5, 0.25, 1.0]), min_size=2, max_size=9))
def test_few_differences_are_enumerated_as_scipy_does(differences):
    assert flip_test([flips(differences)]) == pytest.approx(scipys(differences, n_resamples=np.inf))


@pytest.mark.parametrize(("shift", "n"), [(0.0, 60), (0.1, 60), (0.12, 200), (0.08, 150)])
def test_many_differences_agree_with_scipy(shift, n):
    differences = np.random.default_rng(5).normal(shift, 0.4, n)
    expected = scipys(differences, n_resamples=10_000, rng=np.random.default_rng(0))
    assert flip_test([flips(differences)]) == pytest.approx(expected, abs=0.02)


def test_the_observed_signs_count_so_that_p_is_never_0():
    assert flip_test([flips([1.0] * 100)]) == 1 / 10_001
    assert flip_test([flips([1.0] * 13)]) == 2 / 2**13


@pytest.mark.parametrize("differences", [[0.0] * 50, [], [0.0]])
def test_without_a_difference_p_is_1(differences):
    assert flip_test([flips(differences)]) == 1.0


def test_rows_that_are_equal_add_nothing():
    assert flip_test([flips([1, 1, 1, -1])]) == flip_test([flips([1, 1, 1, -1] + [0] * 96)])


def test_an_average_flips_within_its_tasks():
    one, two = np.random.default_rng(1).normal(0.1, 0.5, (2, 100))
    p = flip_test([flips(one, 0.5, name="a"), flips(two, 0.5, name="b")])
    expected = scipys(np.concatenate([one, two]), n_resamples=10_000, rng=np.random.default_rng(0))
    assert p == pytest.approx(expected, abs=0.02)


def test_ties_that_rounding_parts_are_ties():
    assert flip_test([flips([0.1, 0.2, -0.3, 0.3, 0.1, 0.2])]) == flip_test([flips([1, 2, -3, 3, 1, 2])])


def test_false_alarms_are_as_rare_as_promised():
    stream = np.random.default_rng(11)
    ps = [flip_test([flips(stream.choice([-1, 0, 0, 1], 60), resamples=999, name=str(i))]) for i in range(400)]
    # 400 tests of true null hypotheses: 20 alarms expected, 33 is three standard errors above.
    assert sum(p <= 0.05 for p in ps) <= 33
