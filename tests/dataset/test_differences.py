import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.dataset.differences import first_difference

# "b" stands twice: a few rows of LongBench share a digest.
EXPECTED = list("abcdbe")

TABLE = [
    ("abcdbe", None, None, "the same"),
    ("acdbe", "missing", 1, "one of two equal rows is gone"),
    ("abcbe", "missing", 3, "a row is gone"),
    ("bcdbe", "missing", 0, "the first is gone"),
    ("abcdb", "missing", 5, "the last is gone"),
    ("", "missing", 0, "all are gone"),
    ("aabcdbe", "doubled", 1, "the first is doubled in place"),
    ("abcdbee", "doubled", 6, "the last is doubled"),
    ("abcdbea", "doubled", 6, "the first is appended"),
    ("abcdbeb", "doubled", 6, "an equal row a third time"),
    ("eabcdbe", "doubled", 0, "the last is put first, too"),
    ("abcdbeabcdbe", "doubled", 6, "a file written twice"),
    ("abadbe", "doubled", 2, "a row overwritten by an earlier one"),
    ("abddbe", "missing", 2, "a row overwritten by a later one"),
    ("bacdbe", "moved", 0, "neighbours exchanged"),
    ("abcdeb", "moved", 4, "the last two exchanged"),
    ("bcdbea", "moved", 0, "the first put last"),
    ("abxdbe", "different", 2, "a row changed"),
    ("abcdbex", "different", 6, "a foreign row appended"),
    ("xabcdbe", "different", 0, "a foreign row in front"),
]


@pytest.mark.parametrize(("found", "kind", "row", "why"), TABLE, ids=[why for *_, why in TABLE])
def test_the_first_difference(found, kind, row, why):
    difference = first_difference(list(found), EXPECTED)
    assert (difference.kind, difference.row) == (kind, row) if kind else difference is None


def test_a_row_without_digest_is_different():
    assert first_difference(["a", None], ["a", "b"]).detail == "it stores no length"


def test_details_name_the_official_row():
    assert "LongBench's row 0 again" in first_difference(list("aab"), list("ab")).detail
    assert "row 2 stands in its place" in first_difference(list("ac"), list("abc")).detail
    assert first_difference(list("acb"), list("abc")).detail == "it is LongBench's row 2"


@given(st.lists(st.sampled_from("abcdefx")), st.lists(st.sampled_from("abcdef")))
def test_it_is_found_at_the_first_place_that_parts(found, expected):
    difference = first_difference(found, expected)
    if found == expected:
        assert difference is None
    else:
        assert found[: difference.row] == expected[: difference.row]
        assert found[difference.row : difference.row + 1] != expected[difference.row : difference.row + 1]
