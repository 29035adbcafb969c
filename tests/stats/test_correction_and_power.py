import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from longbench_eval.stats import Resampling, detectable, holm


@pytest.mark.parametrize(
    ("given_p", "adjusted", "why"),
    [
        ([], [], "nothing to correct"),
        ([0.03], [0.03], "a single test stays as it is"),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06], "three times the least; later ones are never below earlier ones"),
        ([0.5, 0.5], [1.0, 1.0], "never above 1"),
    ],
)
def test_holm(given_p, adjusted, why):
    assert holm(given_p) == pytest.approx(adjusted), why


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_between_no_correction_and_bonferronis(p_values):
    for p, adjusted in zip(p_values, holm(p_values), strict=True):
        assert p <= adjusted <= min(1, len(p_values) * p) + 1e-12


def test_the_detectable_difference_is_found_four_times_in_five():
    needed, critical = detectable(1.0, 0.025), scipy_stats.norm.ppf(0.975)
    assert needed == pytest.approx(2.80, abs=0.01)
    assert scipy_stats.norm.sf(critical - needed) == pytest.approx(0.8)


def test_settings_are_written_as_the_signature_says():
    assert str(Resampling(seed=7, resamples=500)) == "500@seed7"
    assert Resampling(level=0.9).tail == pytest.approx(0.05)
