import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from longbench_eval.stats import Resampling, Stratum, draw_means, interval_of, make_clusters
from longbench_eval.stats.quantiles import expanded_tail, t_quantile

SPAN = (0.0, 1.0)
METHODS = st.sampled_from(["bca", "percentile"])


def stratum(values, keys=None, name="x", weight=1.0, **settings):
    resampling, clusters = Resampling(**settings), make_clusters(values, keys)
    return Stratum(weight, clusters, draw_means(clusters, resampling.stream(name), resampling.resamples))


def zero_heavy(n, seed=0):
    stream = np.random.default_rng(seed)
    return np.where(stream.random(n) < 0.4, 0, stream.beta(1.2, 2, n))


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
@pytest.mark.parametrize("values", [zero_heavy(200), np.repeat([0.0, 1.0], [190, 10]), zero_heavy(500, 3)])
def test_scipy_agrees(method, theirs, values):
    mine = interval_of([stratum(values)], 0.025, method, SPAN)
    found = scipy_stats.bootstrap((values,), np.mean, n_resamples=20_000, method=theirs, rng=np.random.default_rng(1))
    error = mine.standard_error
    assert error == pytest.approx(found.standard_error, rel=0.03)
    # The widening for few rows and the chance of resampling are small against the standard error. Accuracies come in
    # steps of one row, and chance may decide between two of them.
    slack = 0.1 * error + (1 / len(values) if set(values) == {0.0, 1.0} else 0)
    assert mine.low == pytest.approx(found.confidence_interval.low, abs=slack)
    assert mine.high == pytest.approx(found.confidence_interval.high, abs=slack)


def test_clusters_are_kept_together():
    values = np.repeat(np.random.default_rng(0).random(50), 4)
    rows = interval_of([stratum(values)], 0.025, "bca", SPAN)
    contexts = interval_of([stratum(values, np.repeat(np.arange(50), 4).tolist())], 0.025, "bca", SPAN)
    assert contexts.standard_error == pytest.approx(2 * rows.standard_error, rel=0.02)
    assert contexts.high - contexts.low == pytest.approx(2 * (rows.high - rows.low), rel=0.1)


def test_an_average_adds_variances():
    parts = [stratum(zero_heavy(200, seed), name=str(seed), weight=1 / 3) for seed in range(3)]
    whole = interval_of(parts, 0.025, "bca", SPAN)
    assert whole.standard_error == pytest.approx(np.sqrt(sum(part.clusters.variance for part in parts)) / 3)
    assert whole.high - whole.low == pytest.approx(2 * 1.96 * whole.standard_error, rel=0.05)


@pytest.mark.parametrize(
    ("values", "low", "high", "why"),
    [
        ([0.0] * 200, 0, 0.0183, "none of 200: Clopper and Pearson"),
        ([1.0] * 200, 0.9817, 1, "all of 200"),
        ([0.4] * 200, 0.4 * 0.9817, 0.4 + 0.6 * 0.0183, "other rows may lie on either side"),
        ([0.4], 0.01, 0.985, "a single row says next to nothing"),
    ],
)
def test_equal_rows_do_not_prove_that_there_are_no_others(values, low, high, why):
    found = interval_of([stratum(values)], 0.025, "bca", SPAN)
    assert (found.low, found.high) == (pytest.approx(low, abs=2e-4), pytest.approx(high, abs=2e-4)), why
    assert found.standard_error == (0 if len(values) > 1 else None)


def test_the_bound_for_equal_rows_is_scipys():
    exact = scipy_stats.binomtest(0, 200).proportion_ci(0.95, "exact")
    assert interval_of([stratum([0.0] * 200)], 0.025, "bca", SPAN).high == pytest.approx(exact.high)


def test_so_it_is_with_an_average_over_the_rows_of_all_its_tasks():
    parts = [stratum([1.0] * 5, weight=0.5), stratum([0.0] * 5, weight=0.5)]
    share = 1 - 0.025 ** (1 / 10)
    assert interval_of(parts, 0.025, "bca", SPAN) == pytest.approx((0.5 - share / 2, 0.5 + share / 2, 0.0))


def test_few_rows_get_students_interval_within_the_span():
    values = [0.2, 0.4, 0.5, 0.7]
    found = interval_of([stratum(values)], 0.025, "bca", SPAN)
    expected = scipy_stats.t.interval(0.95, 3, np.mean(values), scipy_stats.sem(values))
    assert (found.low, found.high) == pytest.approx(expected, abs=2e-3)
    assert interval_of([stratum([0.0, 1.0])], 0.025, "bca", SPAN)[:2] == SPAN


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=40), METHODS)
def test_an_interval_holds_the_score_and_stays_within_the_span(values, method):
    found = interval_of([stratum(values, resamples=500)], 0.025, method, SPAN)
    assert 0 <= found.low <= np.mean(values) + 1e-9
    assert np.mean(values) - 1e-9 <= found.high <= 1


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=9, max_size=40), METHODS)
def test_negated_values_give_the_negated_interval_but_for_chance(values, method):
    down, up = (interval_of([stratum(some)], 0.025, method, (-1, 1)) for some in (values, [-v for v in values]))
    slack = 0.35 * (down.standard_error or 0) + 1e-9
    assert (up.low, up.high) == (pytest.approx(-down.high, abs=slack), pytest.approx(-down.low, abs=slack))


def test_seeds_and_names_make_streams():
    values = zero_heavy(200)
    draws = {key: stratum(values, name=key[0], seed=key[1]).draws.tolist() for key in [("a", 0), ("a", 1), ("b", 0)]}
    assert len({tuple(some) for some in draws.values()}) == 3
    assert stratum(values, name="a", seed=0).draws.tolist() == draws["a", 0]


def test_means_do_not_depend_on_how_many_are_drawn_at_once(monkeypatch):
    values = zero_heavy(300)
    whole = stratum(values).draws
    assert abs(whole.mean() - values.mean()) < 0.002
    assert len(whole) == 10_000


@pytest.mark.parametrize("degrees", [2, 3, 5, 12, 199])
def test_students_quantile_is_scipys(degrees):
    assert t_quantile(0.975, degrees) == pytest.approx(scipy_stats.t.ppf(0.975, degrees), rel=0.01)


def test_few_units_get_a_wider_tail():
    assert expanded_tail(0.025, 12) < 0.02 < expanded_tail(0.025, 199) < 0.025
    assert expanded_tail(0.025, 1) > 0
