from dataclasses import replace

import pytest
from official_rows import predictions, record, records

from longbench_eval.scoring import PROFILES, summarize
from longbench_eval.signature import Signature
from longbench_eval.tasks import TASKS, get_suite

WRONG = "?"

pytestmark = pytest.mark.usefixtures("facts")


def summary_of(files, suite="longbench", profile="official"):
    read = {task: predictions(rows) for task, rows in files.items()}
    return summarize(Signature(suite, {}), get_suite(suite), read, PROFILES[profile])


def all_files(suite="longbench", **changes):
    return {task: records(task, suite) for task in get_suite(suite).tasks} | changes


def one(rows, suite="longbench", task="qasper"):
    return summary_of({task: rows}, suite).tasks[task]


def wrong(rows, *positions):
    return [row | {"pred": WRONG} if i in positions else row for i, row in enumerate(rows)]


def lined(rows):
    return [replace(row, line=number) for number, row in enumerate(rows, 1)]


ROWS = records("qasper")
FOREIGN = record("qasper", 0, 10**6)
FAILED = [row | {"pred": "", "error": {"kind": "timeout", "message": "late"}} for row in ROWS]
CASES = [
    # rows, score, n, warnings and kinds of suspicion, why no average, why
    (ROWS, 100.0, 200, [], "", "complete"),
    (ROWS[::-1], 100.0, 200, ["rows-moved"], "", "in another order"),
    ([], None, 0, ["rows-missing"], "qasper has 0 of 200 rows", "an empty file"),
    (
        ROWS[:120] + ROWS[121:],
        100.0,
        199,
        ["rows-missing"],
        "qasper has 199 of 200 rows",
        "a row is missing",
    ),
    (
        ROWS + wrong(ROWS[:50], *range(50)),
        80.0,
        250,
        [
            "50 rows are repeated, the first in line 201; they count again, as they do officially; "
            "without them the score is 100.00"
        ],
        "",
        "doubled rows count, and keep nothing out of the averages",
    ),
    (
        [*ROWS[:100], ROWS[0]],
        100.0,
        101,
        [
            "1 rows are repeated, the first in line 101; they count again, as they do officially; "
            "without them the score is 100.00",
            "rows-missing",
        ],
        "qasper has 100 of 200 rows",
        "a doubled row stands for no other",
    ),
    (
        [*ROWS, FOREIGN],
        100.0,
        201,
        ["rows-foreign"],
        "qasper has 1 foreign rows",
        "a foreign row",
    ),
    (
        [FOREIGN] * 200,
        100.0,
        200,
        ["rows-foreign"],
        "",
        "unknown rows cannot be told apart: as many as expected are taken as such",
    ),
    ([FOREIGN] * 201, 100.0, 201, ["rows-foreign"], "qasper has 201 of 200 rows", "but not more"),
    (
        FAILED[:2] + ROWS[2:],
        99.0,
        200,
        ["2 rows have no answer; they count 0, as an empty prediction does officially"],
        "qasper has 2 failed rows",
        "failed rows",
    ),
]


@pytest.mark.parametrize(("rows", "score", "n", "warnings", "gap", "why"), CASES, ids=[why for *_, why in CASES])
def test_what_is_said_of_a_task(rows, score, n, warnings, gap, why):
    task = one(rows)
    assert (task.score, task.n, task.expected_n) == (score, n, 200)
    assert ([*task.warnings, *(found.kind for found in task.suspicions)], task.gap) == (warnings, gap)
    assert task.cell() == ((score, ()) if not gap else (None, (gap,)))


def test_warnings_name_lines_of_the_file():
    rows = lined(predictions([*ROWS[:2], ROWS[0], FOREIGN]))
    rows = [replace(row, line=row.line + 10) for row in rows]
    task = summarize(Signature("longbench", {}), get_suite("longbench"), {"qasper": rows}, PROFILES["official"])
    assert "the first in line 13" in task.tasks["qasper"].warnings[0]
    assert [found.where for found in task.tasks["qasper"].suspicions if found.kind == "rows-foreign"] == ["line 14"]


def test_what_happened_to_the_rows_is_counted():
    rows = [
        ROWS[0] | {"pred": "", "error": "x"},
        ROWS[1] | {"pred": " \n"},
        ROWS[2] | {"truncation": {"start": 1}, "finish_reason": "length"},
        ROWS[3] | {"truncation": None, "finish_reason": "stop"},
    ]
    counts = one(rows).counts
    assert (counts.failed, counts.empty, counts.truncated, counts.capped) == (1, 1, 1, 1)
    assert summary_of({"qasper": rows, "musique": rows[:1]}).failed == 2


def test_a_complete_suite_has_every_average():
    for suite in ("longbench", "minilongbench"):
        numbers = get_suite(suite).row_numbers or {task: range(len(rows)) for task, rows in all_files().items()}
        files = {task: [rows[number] for number in numbers[task]] for task, rows in all_files().items()}
        summary = summary_of(files, suite)
        assert summary.tasks.keys() == TASKS.keys()
        assert [part.value for part in summary.all_averages.values()] == [pytest.approx(100)] * 9
        assert summary.bucket_averages is None


@pytest.mark.parametrize(
    ("task", "rows", "reason"),
    [
        ("vcsum", None, "vcsum is missing"),
        ("vcsum", [], "vcsum has 0 of 200 rows"),
        ("vcsum", records("vcsum")[1:], "vcsum has 199 of 200 rows"),
        ("vcsum", [row | {"pred": "", "error": "x"} for row in records("vcsum")], "vcsum has 200 failed rows"),
    ],
)
def test_an_average_without_a_task_is_withheld_and_says_why(task, rows, reason):
    files = {name: rows for name, rows in all_files(**{task: rows}).items() if rows is not None}
    summary = summary_of(files)
    withheld = {name: part.withheld for name, part in summary.all_averages.items() if part.value is None}
    assert withheld == dict.fromkeys(("summarization", "ZH", "All"), (reason,))


def test_all_reasons_are_given():
    files = all_files(trec=records("trec")[1:])
    del files["lcc"]
    assert summary_of(files).averages["EN"].withheld == ("trec has 199 of 200 rows", "lcc is missing")


class TestLongBenchE:
    def test_it_is_averaged_by_length_alone(self):
        summary = summary_of(all_files("longbench-e"), "longbench-e")
        assert [part.value for part in summary.bucket_averages.values()] == [pytest.approx(100)] * 3
        others = [*summary.categories.values(), *summary.averages.values()]
        assert [part.withheld for part in others] == [("LongBench-E is averaged by length: see bucket_averages",)] * 9
        assert summary.tasks["trec"].score == 100.0

    def test_buckets_hold_their_own_rows(self):
        # Rows 0 to 66 are shorter than 4000, rows 134 to 299 have 8000 and more.
        rows = wrong(records("trec", "longbench-e"), *range(67), *range(217, 300))
        assert one(rows, "longbench-e", "trec").bucket_scores == {"0-4k": 0.0, "4-8k": 100.0, "8k+": 50.0}

    @pytest.mark.parametrize(
        ("rows", "reasons"),
        [
            (records("trec", "longbench-e")[67:], ["trec has 233 of 300 rows"] * 3),
            (
                [record("trec", i, 100) for i in range(300)],
                [None, "trec has no rows in 4-8k", "trec has no rows in 8k+"],
            ),
            ([record("trec", i, None) for i in range(300)], ["trec has 300 rows without length"] * 3),
        ],
    )
    def test_an_empty_bucket_is_none_and_withholds_its_average(self, rows, reasons):
        summary = summary_of(all_files("longbench-e", trec=rows), "longbench-e")
        buckets = summary.tasks["trec"].bucket_scores
        present = {"0-4k": rows[0]["length"] == 100, "4-8k": len(rows) == 233, "8k+": len(rows) == 233}
        assert {name: value is not None for name, value in buckets.items()} == present
        withheld = [part.withheld for part in summary.bucket_averages.values()]
        assert withheld == [() if reason is None else (reason,) for reason in reasons]

    def test_a_row_without_length_is_told(self):
        rows = records("trec", "longbench-e")
        rows[7] |= {"length": None}
        assert one(rows, "longbench-e", "trec").warnings[-1] == "1 rows have no length; they are in no bucket"

    def test_doubled_rows_are_told_by_length(self):
        rows = records("trec", "longbench-e")
        task = one(rows + wrong(rows[:67], *range(67)), "longbench-e", "trec")
        assert task.bucket_scores == {"0-4k": 50.0, "4-8k": 100.0, "8k+": 100.0}
        assert task.warnings[0].endswith("without them the score is 0-4k 100.00, 4-8k 100.00, 8k+ 100.00")


def test_the_profile_is_signed():
    signature = str(summary_of({"lcc": records("lcc")}, profile="official-levenshtein").signature)
    assert signature.startswith("longbench|profile:official-levenshtein|edit:levenshtein|v:")
