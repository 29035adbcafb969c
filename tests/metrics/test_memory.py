"""What the metrics remember is bounded, so that any number of rows can pass."""

import tracemalloc

import pytest

from longbench_eval.metrics import METRICS
from longbench_eval.metrics.f1 import chinese_bag, english_bag
from longbench_eval.metrics.segment import _cut_run, spaced

SENTENCES = "The report of {0} says that {0} of 7 were found. 我们第{0}次来到北京{0}号的研究中心。\n"
ANSWERS = {"retrieval": "Paragraph 3", "retrieval_zh": "段落3", "classification": "Number"}


def score_rows(name, numbers):
    for number in numbers:
        prediction = SENTENCES.format(number) * 3
        METRICS[name](prediction, ANSWERS.get(name, prediction[20:]), ["Number", "Place"])


@pytest.mark.parametrize("name", sorted(METRICS))
def test_memory_is_flat(name):
    score_rows(name, range(100))  # loads what is loaded once
    tracemalloc.start()
    try:
        score_rows(name, range(100, 200))
        before, _ = tracemalloc.get_traced_memory()
        score_rows(name, range(200, 700))
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 1_000_000


@pytest.mark.parametrize(("cached", "most"), [(english_bag, 1), (chinese_bag, 1), (spaced, 2), (_cut_run, 16384)])
def test_whole_texts_are_kept_for_one_row_and_short_runs_for_some(cached, most):
    assert cached.cache_info().maxsize == most


def test_the_run_cache_is_small_when_full():
    _cut_run.cache_clear()
    tracemalloc.start()
    try:
        for number in range(20_000):
            _cut_run(f"第{number}的是")
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size < 8_000_000
