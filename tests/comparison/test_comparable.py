"""What is refused, and what is only named."""

import pytest
from made_runs import FEW, answered

from longbench_eval.comparison import CompareSettings, compare
from longbench_eval.errors import UsageError

ROWS = {"trec": answered("trec", range(5))}


def compared(*paths, **options):
    return compare(*paths, settings=CompareSettings(resampling=FEW, **options))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"prompts": "sha256-abc"}, "prompts: official in A, sha256-abc in B"),
        ({"data": "e", "proof": "unofficial"}, "other data for trec"),
    ],
)
def test_another_measurement_is_refused_unless_one_insists(run, other, message):
    one, two = run("a", ROWS), run("b", ROWS, **other)
    with pytest.raises(UsageError, match=f"a and b are not the same measurement: {message}.*--allow-mismatch"):
        compared(one, two)
    assert f"not the same measurement: {message}" in compared(one, two, allow_mismatch=True).notes


def test_another_suite_is_refused_whatever_one_says(folder):
    even = folder("b_e", {"trec": answered("trec", (), "longbench-e")})
    with pytest.raises(UsageError, match="a holds predictions of longbench, b_e of longbench-e"):
        compared(folder("a", ROWS), even, allow_mismatch=True)


@pytest.mark.parametrize(
    ("other", "note"),
    [
        ({"trunc": "middle@3500"}, "trunc differs: middle@7500 in A, middle@3500 in B"),
        ({"reuse": "off"}, None),
        ({"limit": "5", "tasks": "3"}, None),
        ({"data": "e", "proof": "answers-agree"}, "data differs: official in A, answers-agree in B"),
    ],
)
def test_other_differences_are_named(run, other, note):
    notes = compared(run("a", ROWS), run("b", ROWS, **other)).notes
    assert (note in notes) if note else not any("differs" in line for line in notes)


def test_the_same_unofficial_data_are_the_same(run):
    kwargs = {"proof": "unofficial", "data": "x"}
    assert compared(run("a", ROWS, **kwargs), run("b", ROWS, **kwargs)).by_name["trec"].n == 200


def test_warnings_of_each_run_are_passed_on(folder):
    foreign = [row | {"answers": ["none of LongBench's"], "length": i} for i, row in enumerate(ROWS["trec"])]
    notes = compared(folder("a", {"trec": foreign}), folder("b", {"trec": foreign})).notes
    assert "A: no row is LongBench's (by answers and length): these are not LongBench scores" in notes
