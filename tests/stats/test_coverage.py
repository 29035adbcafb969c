"""The coverage simulation in benchmarks/, with few samples: 200 intervals, so that 95% has a standard error of 1.5."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "coverage.py"

pytestmark = pytest.mark.skipif(not SCRIPT.is_file(), reason="needs the repository's benchmarks")


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("coverage_simulation", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["F1", "ROUGE", "accuracy 0.97", "F1, a bucket"])
def test_intervals_of_scores_hold_the_truth(script, name):
    case = next(case for case in script.CASES if case.name == name)
    assert 0.90 <= script.simulate(case, 200)["bca"].holds <= 1


def test_intervals_of_differences_hold_the_truth(script):
    assert 0.90 <= script.simulate(script.CASES[-2], 200)["percentile"].holds <= 1


def test_contexts_must_be_kept_together(script):
    together, apart = (script.simulate_clusters(200, together=on)["bca"].holds for on in (True, False))
    assert together > apart
