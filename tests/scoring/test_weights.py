"""Averages as weighted sums: the same as averaging, whatever the scores."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longbench_eval.scoring.averages import Average, averages_of, flat_averages
from longbench_eval.scoring.weights import Cell, weighted_averages
from longbench_eval.tasks import BUCKETS, get_suite

PLAIN, EVEN = get_suite("longbench"), get_suite("longbench-e")
SCORES = st.lists(st.floats(0, 100), min_size=21, max_size=21)


def value(average, scores):
    return sum(weight * scores[cell.task] for cell, weight in average.weights.items())


@settings(deadline=None)
@given(SCORES)
def test_weighted_sums_are_the_averages(values):
    scores = dict(zip(PLAIN.tasks, values, strict=True))
    cells = {task: Average(score) for task, score in scores.items()}
    categories, overall = averages_of(PLAIN, cells)
    expected = {**categories, **overall, **flat_averages(PLAIN, cells)}
    found = {one.name: value(one, scores) for one in weighted_averages(PLAIN, lambda cell: "")}
    assert found == {name: pytest.approx(part.value) for name, part in expected.items()}


def test_a_gap_withholds_what_it_belongs_to_and_nothing_else():
    found = {one.name: one for one in weighted_averages(PLAIN, lambda cell: "no vcsum" if cell.task == "vcsum" else "")}
    withheld = {name for name, one in found.items() if one.withheld}
    assert withheld == {"summarization", "ZH", "All", "flat-21"}
    assert {found[name].withheld for name in withheld} == {("no vcsum",)}
    assert sum(found["EN"].weights.values()) == pytest.approx(1)


def test_longbench_e_has_categories_and_an_average_in_each_bucket():
    found = {one.name: one for one in weighted_averages(EVEN, lambda cell: "empty" if cell.bucket == "8k+" else "")}
    assert len(found) == 3 * 7
    assert found["4-8k"].weights[Cell("trec", "4-8k")] == pytest.approx(1 / 6 / 3)
    assert {bucket: found[bucket].kind for bucket in BUCKETS} == dict.fromkeys(BUCKETS, "average")
    assert found["code 8k+"].withheld == ("empty",)
