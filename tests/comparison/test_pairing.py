"""Which rows answer the same question, whatever the order of files."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.comparison import pair
from longbench_eval.comparison.contexts import Contexts
from longbench_eval.dataset.official import row_digest
from longbench_eval.predictions import Prediction


def row(number, pred="p", id_=None, length=7, **extra):
    return Prediction(pred, (f"answer {number}",), None, length, id_, extra)


def pairs(files, **options):
    """The pairs of predictions that were found, as texts."""
    found = pair(files, **options)
    return [tuple(rows[i].pred for rows, i in zip(files, at, strict=True)) for at in zip(*found.positions, strict=True)]


@given(st.integers(1, 12), st.booleans(), st.randoms())
def test_any_order_of_rows_gives_the_same_pairs(n, with_ids, rng):
    one, two = ([row(i, f"{run}{i}", str(i) if with_ids else None) for i in range(n)] for run in "ab")
    expected = pairs([one, two])
    assert sorted(expected) == sorted((f"a{i}", f"b{i}") for i in range(n))
    assert pairs([rng.sample(one, n), rng.sample(two, n)]) == expected


@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)), st.randoms())
def test_what_one_side_lacks_is_left_out_and_counted(ours, theirs, rng):
    one, two = ([row(i, str(i)) for i in sorted(some)] for some in (ours, theirs))
    found = pair([rng.sample(one, len(one)), rng.sample(two, len(two))])
    assert found.n == len(ours & theirs)
    assert found.left_out == (len(ours - theirs), len(theirs - ours))
    assert all(a == b for a, b in pairs([one, two]))


def test_three_runs_share_what_all_have():
    files = [[row(i, f"{run}{i}") for i in some] for run, some in (("a", "012"), ("b", "210"), ("c", "13"))]
    assert pairs(files) == [("a1", "b1", "c1")]
    assert pair(files).left_out == (2, 2, 1)


def test_rows_with_the_same_digest_are_paired_by_their_order():
    one, two = ([row(1, f"{run}{i}") for i in range(n)] for run, n in (("a", 2), ("b", 3)))
    assert pairs([one, two]) == [("a0", "b0"), ("a1", "b1")]
    found = pair([one, two])
    assert found.left_out == (0, 1)
    assert len(set(found.clusters)) == 1, "the same question twice is no new evidence"


def test_ids_are_used_where_all_have_them_and_some_agree():
    ours = [row(1, "a", "x"), row(1, "b", "y")]
    assert pair([ours, [row(1, "c", "y")]]).how == "ids"
    assert pairs([ours, [row(1, "c", "y")]]) == [("b", "c")]
    assert pair([ours, [row(1, "c")]]).how == "digests"
    assert pair([ours, [row(1, "c", "other tool 7")]]).how == "digests"


def test_lengths_are_left_out_where_a_file_has_none():
    assert pairs([[row(1, "a", length=4)], [row(1, "b", length=None)]]) == [("a", "b")]
    assert pairs([[row(1, "a", length=4)], [row(1, "b", length=5)]]) == []


def test_failed_rows_are_not_compared():
    failed = row(1, "", error={"kind": "model"})
    found = pair([[failed, row(2, "a")], [row(1, "b"), row(2, "c")]])
    assert (found.n, found.failed, found.left_out) == (1, (1, 0), (0, 1))


def test_contexts_come_from_either_run():
    found = pair([[row(1), row(2)], [row(1, context_sha256="c"), row(2, context_sha256="c")]])
    assert found.clusters == ("c", "c")
    assert found.contexts_known
    assert not pair([[row(1), row(2)], [row(1, context_sha256="c"), row(2)]]).contexts_known


def test_contexts_come_from_the_data_by_id_or_by_digest_and_order():
    digest = row_digest(("answer 1",), 7)
    contexts = Contexts({"x": "of x"}, {digest: ["first", "second"]})
    assert pair([[row(1, id_="x")], [row(1, id_="x")]], contexts).clusters == ("of x",)
    assert pair([[row(1), row(1), row(2)]] * 2, contexts).clusters.count("first") == 1
    assert "second" in pair([[row(1), row(1)]] * 2, contexts).clusters


@pytest.mark.parametrize("files", [[[], []], [[row(1)], []]])
def test_no_rows_are_no_pairs(files):
    assert pair(files).n == 0


def test_pairing_by_line_would_have_been_wrong():
    """As in the public pairs whose rows are in different orders."""
    order = random.Random(0).sample(range(50), 50)
    one, two = [row(i, str(i)) for i in range(50)], [row(i, str(i)) for i in order]
    assert sum(a.pred == b.pred for a, b in zip(one, two, strict=True)) < 5
    assert all(a == b for a, b in pairs([one, two]))
