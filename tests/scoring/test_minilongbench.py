"""MiniLongBench's own averages, and the full score estimated from its rows; held against runs whose score is known."""

import sys
from math import sqrt
from pathlib import Path

import pytest
from official_rows import predictions, records

from longbench_eval.errors import UsageError
from longbench_eval.scoring import PROFILES, summarize
from longbench_eval.scoring.estimate import Line, estimate, estimate_scores, lines
from longbench_eval.signature import Signature
from longbench_eval.tasks import TASKS, get_suite

ORACLE = Path(__file__).parents[3] / "shared" / "oracle"
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
MINI = get_suite("minilongbench")
FLAT = {task: Line(mini=50.0, full=40.0, slope=0.5, error=2.0, runs=4) for task in TASKS}

pytestmark = pytest.mark.usefixtures("facts")


def summary_of(tasks=tuple(TASKS), profile="official", suite=MINI):
    files = {task: [records(task)[number] for number in MINI.row_numbers[task]] for task in tasks}
    found = {task: predictions(rows) for task, rows in files.items()}
    return summarize(Signature(suite.name, {}), suite, found, PROFILES[profile])


def test_every_task_has_a_line():
    assert list(lines()) == list(TASKS)
    assert all(0 <= line.full <= 100 and line.error > 0 and line.runs >= 6 for line in lines().values())


def test_the_line_gives_the_score_and_its_errors_the_interval():
    made = estimate_scores(dict.fromkeys(TASKS, 60.0), FLAT)
    assert made.tasks["trec"].score == 45.0
    assert made.tasks["trec"].high - 45.0 == pytest.approx(2.776 * 2)
    assert made.overall["flat-21"].high - 45.0 == pytest.approx(2.776 * 2 / sqrt(21)), "errors are independent"
    assert made.categories["code"].high - 45.0 == pytest.approx(2.776 * 2 / sqrt(2))


@pytest.mark.parametrize(("mini", "score", "low", "high"), [(0.0, 0.0, 0.0, 1.0), (100.0, 100.0, 99.0, 100.0)])
def test_there_are_no_scores_beyond_0_and_100(mini, score, low, high):
    line = Line(mini=50.0, full=50.0, slope=2.0, error=0.1, runs=9)
    one = estimate_scores({"trec": mini}, {"trec": line}).tasks["trec"]
    assert one.score == score
    assert (low <= one.low, one.high <= high) == (True, True)


def test_missing_tasks_withhold_what_they_belong_to():
    made = estimate(summary_of(tasks=[task for task in TASKS if task != "lsht"]))
    assert made.tasks["lsht"] is None
    assert made.categories["few-shot"] is None
    assert {name: one is None for name, one in made.overall.items()} == {
        "EN": False,
        "ZH": True,
        "All": True,
        "flat-16": False,
        "flat-21": True,
    }
    assert made.averages["ZH"].value is None
    assert made.averages["EN"].value == pytest.approx(100)


def test_other_profiles_are_not_estimated():
    made = estimate(summary_of(profile="lm-eval"))
    assert made.to_json()["estimated"]["tasks"] == {}
    assert "official" in made.reason


def test_other_suites_are_refused():
    with pytest.raises(UsageError, match="'longbench'"):
        estimate(summary_of(suite=get_suite("longbench")))


@pytest.fixture(scope="module")
def known():
    """The benchmark, and the runs whose full score is known."""
    if not ORACLE.is_dir():
        pytest.skip("needs the reference runs in ../shared")
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import minilongbench
    finally:
        sys.path.remove(str(BENCHMARKS))
    read = {path.name: minilongbench.read_run(path) for path in sorted(ORACLE.iterdir()) if path.is_dir()}
    return minilongbench, {name: run for name, run in read.items() if run}


def test_the_shipped_lines_are_those_that_the_benchmark_fits(known):
    minilongbench, runs = known
    assert len(runs) == 9, "the other three are LongBench-E"
    for task, line in lines().items():
        fitted = minilongbench.fit_line(task, list(runs.values()))
        assert (fitted.runs, fitted.slope) == (line.runs, pytest.approx(line.slope, abs=1e-3))
        assert (fitted.mini, fitted.full) == (pytest.approx(line.mini, abs=1e-3), pytest.approx(line.full, abs=1e-3))
        assert fitted.error == pytest.approx(line.error, abs=1e-3)


def test_what_the_docs_say_of_errors_and_coverage(known):
    """Each run is estimated by lines that neither it nor another run of its model was fitted to."""
    minilongbench, runs = known
    misses, inside = {}, {}
    for name, run in runs.items():
        others = minilongbench.left_out(runs, name, minilongbench.SIBLINGS)
        fitted = {task: minilongbench.fit_line(task, others) for task in TASKS}
        made = estimate_scores({task: minilongbench.mini_mean(run, task) for task in run}, fitted)
        truth = minilongbench.averages(minilongbench.true_scores(run))
        for key, one in made.overall.items():
            if one is not None:
                misses.setdefault(key, []).append(abs(one.score - truth[key]))
                inside.setdefault(key, []).append(one.low <= truth[key] <= one.high)
    told = {key: (round(sum(found) / len(found), 2), sum(inside[key]), len(found)) for key, found in misses.items()}
    assert told == {
        "EN": (1.0, 7, 8),
        "ZH": (0.88, 6, 6),
        "All": (0.57, 5, 5),
        "flat-16": (1.06, 8, 8),
        "flat-21": (0.68, 5, 5),
    }
