import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.scoring.averages import (
    Average,
    averages_of,
    bucket_of,
    bucket_percents,
    mean_of,
    percent,
    two_decimals,
    two_decimals_numpy,
)
from longbench_eval.tasks import CATEGORIES, TASKS, get_suite

PUBLISHED = Path(__file__).parents[3] / "shared" / "reference_scores.json"
LONGBENCH, LONGBENCH_E = get_suite("longbench"), get_suite("longbench-e")
WITHHELD = Average(None, ("trec is missing",))


def cells(suite, **changes):
    """A score for each task: its place in the suite, from 0."""
    return {task: Average(float(i)) for i, task in enumerate(suite.tasks)} | changes


@pytest.mark.parametrize(
    ("values", "expected", "why"),
    [
        ([], None, "no rows, no score"),
        ([1.0, 0.0], 50.0, "100 times the mean"),
        ([0.1] * 10, 100 * 0.9999999999999999 / 10, "added one by one: sum() of Python 3.12 gives 1.0"),
    ],
)
def test_percent(values, expected, why):
    assert percent(values) == expected, why


@pytest.mark.parametrize(
    ("length", "bucket"), [(0, "0-4k"), (3999, "0-4k"), (4000, "4-8k"), (7999, "4-8k"), (8000, "8k+"), (10**9, "8k+")]
)
def test_bucket_of(length, bucket):
    assert bucket_of(length) == bucket


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12000)), max_size=400))
def test_buckets_are_averaged_by_numpy(rows):
    values, lengths = [value for value, _ in rows], [length for _, length in rows]
    limits = {"0-4k": (0, 4000), "4-8k": (4000, 8000), "8k+": (8000, 10**9)}
    for bucket, found in bucket_percents(values, lengths).items():
        low, high = limits[bucket]
        inside = [value for value, length in rows if low <= length < high]
        assert found == (100 * np.mean(inside) if inside else None)


def test_a_row_without_length_is_in_no_bucket():
    assert bucket_percents([1.0, 0.0, 0.5], [4000, None, 4001]) == {"0-4k": None, "4-8k": 75.0, "8k+": None}


@pytest.mark.parametrize(
    ("value", "python", "numpy", "why"),
    [
        (None, None, None, "nothing to round"),
        (54.321, 54.32, 54.32, "no tie"),
        (28.125, 28.12, 28.12, "a true tie goes to the even digit"),
        (2.675, 2.67, 2.68, "just below a tie, which multiplying by 100 makes one"),
    ],
)
def test_rounding_is_that_of_the_official_scorers(value, python, numpy, why):
    assert (two_decimals(value), two_decimals_numpy(value)) == (python, numpy), why
    assert value is None or (round(value, 2), round(np.float64(value), 2)) == (python, numpy), why
    assert value is None or type(two_decimals_numpy(value)) is float


@pytest.mark.parametrize(
    ("parts", "expected", "why"),
    [
        ([Average(1.0), Average(2.0)], Average(1.5), "the plain mean"),
        ([Average(0.1)] * 10, Average(0.1), "exact, so that it is the same in every version of Python"),
        ([Average(1.0), WITHHELD], WITHHELD, "one part withholds the whole"),
        ([WITHHELD, Average(None, ("a", "trec is missing"))], Average(None, ("trec is missing", "a")), "reasons once"),
        ([], Average(None, ("no task belongs to it",)), "a suite without Chinese tasks has no ZH"),
    ],
)
def test_mean_of(parts, expected, why):
    assert mean_of(parts) == expected, why


def test_averages_are_means_of_category_means():
    categories, overall = averages_of(LONGBENCH, cells(LONGBENCH))
    assert list(categories) == list(CATEGORIES)
    # The tasks of a category stand together in the table: 4, 4, 4, 4, 3 and 2 of them.
    assert [part.value for part in categories.values()] == [1.5, 5.5, 9.5, 13.5, 17.0, 19.5]
    assert overall["All"].value == pytest.approx((1.5 + 5.5 + 9.5 + 13.5 + 17 + 19.5) / 6)
    assert overall["EN"].value == pytest.approx((1 + 5 + 9 + 13 + 16.5 + 19.5) / 6)
    assert overall["ZH"].value == pytest.approx((3 + 7 + 11 + 15 + 18 + 19.5) / 6)


@pytest.mark.parametrize(
    ("task", "category", "languages"),
    [("trec", "few-shot", {"EN", "All"}), ("lsht", "few-shot", {"ZH", "All"}), ("lcc", "code", {"EN", "ZH", "All"})],
)
def test_a_missing_task_withholds_every_average_it_belongs_to_and_no_other(task, category, languages):
    categories, overall = averages_of(LONGBENCH, cells(LONGBENCH, **{task: WITHHELD}))
    assert {name for name, part in categories.items() if part == WITHHELD} == {category}
    assert {name for name, part in overall.items() if part == WITHHELD} == languages
    assert all((part.value is None) == bool(part.withheld) for part in [*categories.values(), *overall.values()])


needs_published = pytest.mark.skipif(not PUBLISHED.is_file(), reason="needs the published scores in ../shared")
PRINTED = 0.1 + 1e-9  # averages are printed to one decimal, and were formed from unrounded scores


def published(table):
    return json.loads(PUBLISHED.read_text("utf-8"))[table]


def overall(suite, scores):
    return averages_of(suite, {task: Average(score) for task, score in scores.items()}).overall


@needs_published
def test_published_averages_of_longbench():
    names = {"en": "EN", "zh": "ZH", "all": "All"}
    complete = [row for row in published("longbench") if "overall" in row and row["scores"].keys() == TASKS.keys()]
    checks = [
        (row["model"], name, overall(LONGBENCH, row["scores"])[names[name]].value, printed)
        for row in complete
        for name, printed in row["overall"].items()
    ]
    assert len(checks) >= 24
    assert [check for check in checks if abs(check[2] - check[3]) > PRINTED] == []


@needs_published
def test_published_averages_of_longbench_e_by_length():
    checks = [
        (row["model"], row["bucket"], overall(LONGBENCH_E, row["scores"])["All"].value, row["avg"])
        for row in published("longbench_e")
    ]
    assert len(checks) == 24
    assert [check for check in checks if abs(check[2] - check[3]) > PRINTED] == []
