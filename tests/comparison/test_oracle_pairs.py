"""Public pairs of runs against scipy on the same rows, paired and scored apart; skipped without `../shared`."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as scipy_stats

from longbench_eval.comparison import compare, judge
from longbench_eval.tasks import CATEGORIES

ORACLE = Path(__file__).parents[3] / "shared" / "oracle"
PAIRS = [
    ("mistral-7b-full", "mistral-7b-kv256"),
    ("llama2-7b-chat-e", "llama2-7b-chat-sparse-e"),
    ("llama3.1-8b-fused", "llama3.1-8b-window"),
]

pytestmark = pytest.mark.skipif(not ORACLE.is_dir(), reason="needs the reference runs in ../shared")


def rows_of(run, task):
    """The official scorer's row scores by answers, length and occurrence, as the oracle has them."""
    scores = json.loads((ORACLE / run / "expected.json").read_text("utf-8"))[task]["per_sample"]
    found, seen = {}, {}
    lines = (ORACLE / run / "predictions" / f"{task}.jsonl").read_bytes().split(b"\n")
    for line, score in zip((json.loads(line) for line in lines if line.strip()), scores, strict=True):
        key = json.dumps([line["answers"], line["length"]])
        seen[key] = seen.get(key, 0) + 1
        found[key, seen[key]] = score
    return found


def differences(first, second, task):
    one, two = rows_of(first, task), rows_of(second, task)
    return np.array([two[key] - one[key] for key in one if key in two])


@pytest.fixture(scope="module", params=PAIRS, ids=lambda pair: pair[1])
def compared(request):
    return request.param, compare(*(ORACLE / run for run in request.param))


def test_differences_and_errors_are_those_of_the_rows(compared):
    pair, found = compared
    for item in (item for item in found.items if item.kind == "task"):
        rows, (effect,) = differences(*pair, item.name), item.effects
        assert effect.difference == pytest.approx(100 * rows.mean(), abs=1e-9), item.name
        assert (effect.wins, effect.losses) == (sum(rows > 1e-12), sum(rows < -1e-12))
        if rows.any():
            # A few rows have the same answers and length; they are kept together.
            assert effect.interval.standard_error == pytest.approx(100 * scipy_stats.sem(rows), rel=0.02)


def test_permutation_tests_agree_with_scipy(compared):
    pair, found = compared
    for item in [item for item in found.items if item.kind == "task"][::4]:
        rows = differences(*pair, item.name)
        expected = scipy_stats.permutation_test(
            (rows,),
            np.mean,
            permutation_type="samples",
            n_resamples=5_000,
            vectorized=True,
            rng=np.random.default_rng(2),
        )
        assert item.effects[0].p == pytest.approx(expected.pvalue, abs=0.03), item.name


def test_bootstrap_intervals_agree_with_scipy(compared):
    pair, found = compared
    for item in [item for item in found.items if item.kind == "task" and item.effects[0].detectable][1::4]:
        rows, (effect,) = differences(*pair, item.name), item.effects
        options = {"n_resamples": 5_000, "method": "percentile", "rng": np.random.default_rng(2)}
        expected = scipy_stats.bootstrap((rows,), np.mean, **options).confidence_interval
        # Chance may decide between two ends that are a row apart.
        slack = 0.15 * effect.interval.standard_error + 100 / len(rows)
        assert effect.interval.low == pytest.approx(100 * expected.low, abs=slack), item.name
        assert effect.interval.high == pytest.approx(100 * expected.high, abs=slack), item.name


def test_pairing_by_line_would_have_inflated_the_error():
    first, second = PAIRS[1]
    by_line = []
    for run in (first, second):
        by_line.append(json.loads((ORACLE / run / "expected.json").read_text("utf-8"))["triviaqa"]["per_sample"])
    wrong = scipy_stats.sem(np.array(by_line[1]) - np.array(by_line[0]))
    right = compare(ORACLE / first, ORACLE / second).by_name["triviaqa"].effects[0].interval.standard_error / 100
    assert wrong > 5 * right


@pytest.mark.parametrize(
    ("pair", "points", "on", "outcome"),
    [
        (PAIRS[0], 1, "EN", "worse"),
        (PAIRS[0], 4, "EN", "cannot tell"),
        (PAIRS[1], 1, "mean of tasks", "not worse"),
        (PAIRS[2], 0, "All", "not worse"),
    ],
)
def test_the_gate_on_real_runs(pair, points, on, outcome):
    (verdict,) = judge(compare(*(ORACLE / run for run in pair)), points)
    assert (verdict.on, verdict.outcome) == (on, outcome)


def test_averages_and_categories_of_a_full_pair():
    found = compare(*(ORACLE / run for run in PAIRS[2])).by_name
    mean = np.mean([found[name].effects[0].difference for name in CATEGORIES])
    assert found["All"].effects[0].difference == pytest.approx(mean)
    errors = [found[name].effects[0].interval.standard_error for name in CATEGORIES]
    assert found["All"].effects[0].interval.standard_error == pytest.approx(np.sqrt(np.sum(np.square(errors))) / 6)
