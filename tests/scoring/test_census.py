import random

import pytest
from official_rows import predictions, record, records

from longbench_eval.dataset.official import row_digest
from longbench_eval.scoring.census import take_census
from longbench_eval.tasks import get_suite

LONGBENCH = get_suite("longbench")
ROWS = records("qasper")
OTHER = record("qasper", 7, length=7)

pytestmark = pytest.mark.usefixtures("facts")


def census(rows, suite=LONGBENCH, task="qasper"):
    return take_census(suite, task, predictions(rows))


CASES = [
    # rows, distinct, missing, doubled, foreign, why
    (ROWS, 200, (), (), (), "all rows"),
    (ROWS[::-1], 200, (), (), (), "in another order"),
    (ROWS[:3] + ROWS[5:], 198, (3, 4), (), (), "two missing"),
    (ROWS[198:1:-1], 197, (0, 1, 199), (), (), "missing at both ends, reversed"),
    (ROWS[:2] + ROWS, 200, (), (2, 3), (), "the first two twice: the second time they are doubled"),
    (ROWS + ROWS[:1] * 2, 200, (), (200, 201), (), "one three times"),
    ([OTHER, *ROWS], 200, (), (), (0,), "a row more that is not LongBench's"),
    ([*ROWS[1:], OTHER], 199, (0,), (), (199,), "and one instead"),
    ([*ROWS[1:], ROWS[0] | {"length": None}], 199, (0,), (), (199,), "a row without length cannot be told"),
    ([*ROWS[1:], ROWS[0] | {"length": 0.0}], 200, (), (), (), "the length 0.0 is the length 0"),
]


def test_found_rows_are_in_the_order_of_the_file():
    assert census([ROWS[7], OTHER, ROWS[3], ROWS[7], ROWS[5]]).found == (7, 3, 5)


@pytest.mark.parametrize(("rows", "distinct", "missing", "doubled", "foreign", "why"), CASES)
def test_rows_are_told_by_answers_and_length(rows, distinct, missing, doubled, foreign, why):
    found = census(rows)
    assert (found.expected_n, found.distinct_n) == (200, distinct), why
    assert (found.missing, found.doubled, found.foreign) == (missing, doubled, foreign), why
    assert sorted(found.found) == sorted(set(range(200)) - set(missing)), why
    assert found.proved == (not foreign), why


def test_rows_that_share_a_digest_are_as_many_as_there_are(monkeypatch):
    same, other = record("qasper", 1, 5), record("qasper", 2, 5)
    official = [row_digest(row["answers"], row["length"]) for row in (same, other, same)]
    monkeypatch.setattr("longbench_eval.scoring.census.official_digests", lambda stem: official)
    assert census([same, same, other]).missing == ()
    assert census([same]).missing == (1, 2)
    assert census([same, other, same, same]).doubled == (3,)


@pytest.mark.parametrize(
    ("rows", "distinct", "doubled", "why"),
    [
        ([], 0, (), "an empty file"),
        ([OTHER, OTHER], 2, (), "unknown rows without ids are taken to differ"),
        ([OTHER | {"_id": "a"}, OTHER | {"_id": "b"}, OTHER | {"_id": "a"}], 2, (2,), "repeated ids are one row"),
        ([OTHER | {"_id": 5}, OTHER | {"_id": 5}, OTHER | {"_id": None}], 3, (), "what is no text is no id"),
    ],
)
@pytest.mark.parametrize("suite", ["longbench", "demo"])
def test_where_no_row_is_known_ids_are_all_there_is(rows, distinct, doubled, why, suite):
    found = census(rows, get_suite(suite))
    assert (found.distinct_n, found.doubled, found.missing, found.foreign) == (distinct, doubled, (), ()), why
    assert not found.proved, why


def test_minilongbench_is_held_against_its_own_rows():
    mini = get_suite("minilongbench")
    numbers = sorted(mini.row_numbers["qasper"])
    found = census([ROWS[number] for number in numbers[1:]], mini)
    assert (found.expected_n, found.missing, found.proved) == (len(numbers), (numbers[0],), True)
    assert not census(ROWS, mini).proved


def test_a_thousand_files_with_random_rows():
    chooser = random.Random(1)
    for _ in range(1000):
        numbers = [chooser.randrange(200) for _ in range(chooser.randrange(1, 30))]
        found = census([ROWS[number] for number in numbers])
        assert set(found.missing) == set(range(200)) - set(numbers)
        assert [i for i, number in enumerate(numbers) if number in numbers[:i]] == list(found.doubled)
