"""LongBench-E from the first bucket to the last."""

import pytest
from official_rows import predictions, records

from longbench_eval.errors import UsageError
from longbench_eval.reference.published import by_bucket
from longbench_eval.scoring import PROFILES, summarize
from longbench_eval.scoring.curve import Points, curve_of
from longbench_eval.signature import Signature
from longbench_eval.tasks import CATEGORIES, get_suite

pytestmark = pytest.mark.usefixtures("facts")


@pytest.mark.parametrize(
    ("first", "last", "points", "percent", "why"),
    [
        (50.0, 40.0, 10.0, 20.0, "a fifth less"),
        (40.0, 50.0, -10.0, -25.0, "a rise is negative"),
        (0.0, 10.0, -10.0, None, "no percentage of nothing"),
        (None, 10.0, None, None, "an empty bucket"),
        (10.0, None, None, None, "a withheld average"),
        (10.0, 10.0, 0.0, 0.0, "flat"),
    ],
)
def test_drop(first, last, points, percent, why):
    found = Points({"0-4k": first, "4-8k": 33.0, "8k+": last})
    assert (found.points, found.percent) == (points, percent), why


def summary_of(wrong, suite="longbench-e", tasks=None):
    """Every prediction right but those of long rows, of which a share is wrong."""
    files = {task: records(task, suite) for task in tasks or get_suite(suite).tasks}
    for rows in files.values():
        long = [row for row in rows if row["length"] >= 8000]
        for row in long[: round(wrong * len(long))]:
            row["pred"] = ""
    found = {task: predictions(rows) for task, rows in files.items()}
    return summarize(Signature(suite, {}), get_suite(suite), found, PROFILES["official"])


def test_a_whole_curve():
    curve = curve_of(summary_of(0.5))
    assert list(curve.categories) == list(CATEGORIES)
    assert curve.average.values["0-4k"] == pytest.approx(100)
    assert curve.average.percent == pytest.approx(50, abs=1)
    assert curve.tasks["trec"].percent == pytest.approx(50, abs=1)


def test_the_average_is_that_of_the_summary():
    summary = summary_of(0.3)
    assert curve_of(summary).average.values == {name: part.value for name, part in summary.bucket_averages.items()}


def test_a_missing_task_withholds_its_category_and_the_average_alone():
    curve = curve_of(summary_of(0.5, tasks=["qasper", "multifieldqa_en", "lcc"]))
    assert curve.average.percent is None
    assert curve.categories["single-doc QA"].percent is not None
    assert curve.categories["code"].percent is None
    assert curve.tasks["lcc"].percent is not None


def test_only_longbench_e_has_one():
    with pytest.raises(UsageError, match="longbench"):
        curve_of(summary_of(0.5, "longbench", ["qasper"]))


def test_a_published_drop():
    rows = by_bucket("GPT-3.5")["GPT-3.5-Turbo-16k"]
    found = Points({bucket: row.printed["average"] for bucket, row in rows.items()})
    assert found.points == pytest.approx(51.5 - rows["8k+"].printed["average"])
