import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longbench_eval.metrics.lcs import index_words, lcs_path, lcs_path_definition

TABLE = [
    # reference, prediction, words on the path, depth, why
    ("a b c", "a b c", "a b c", 4, "three matches, and the call that finds nothing left"),
    ("a b c", "x y", "", 3, "no match: left through the whole prediction"),
    ("a b", "b a", "b", 3, "a tie goes left, so of two words the earlier one of the prediction is found"),
    ("b a", "a b", "a", 3, "whichever that is"),
    ("a x b", "a b", "a b", 4, "up only where the subsequence would get shorter on the left"),
    ("a b c a", "a", "a", 2, "the last of equal words of the reference"),
    ("a", "a b a", "a", 2, "and of the prediction"),
    ("c a x b", "a c b", "a b", 5, "a match, left at a tie, up, a match"),
    ("", "a", "", 1, "nothing to walk"),
]


@pytest.mark.parametrize(("reference", "prediction", "words", "depth", "why"), TABLE)
def test_path(reference, prediction, words, depth, why):
    expected = (words.split()[::-1], depth)
    assert lcs_path_definition(reference.split(), prediction.split()) == expected, why
    assert lcs_path(reference.split(), index_words(prediction.split())) == expected, why


def test_words_and_their_places():
    assert index_words(("a", "b", "a")) == (3, {"a": 0b101, "b": 0b010})


def sentences(alphabet, **size):
    return st.lists(st.sampled_from(alphabet), **size)


@given(sentences("abc", max_size=12), sentences("abd", max_size=12))
def test_fast_path_is_the_definition_with_few_words(reference, prediction):
    assert lcs_path(reference, index_words(prediction)) == lcs_path_definition(reference, prediction)


@given(sentences("abcdefghijkl", max_size=80), sentences("acegikmnopqrst", max_size=80))
def test_fast_path_is_the_definition_with_many_words(reference, prediction):
    assert lcs_path(reference, index_words(prediction)) == lcs_path_definition(reference, prediction)


@given(st.integers(250, 260), sentences("abc", max_size=4), sentences("abcd", max_size=4), st.booleans())
@settings(max_examples=200)  # the definition fills 60,000 cells for each
def test_fast_path_is_the_definition_around_the_last_shared_int(filler, start, end, is_reference):
    long, short = [*start, *["-"] * filler, *end], [*end, *start]
    reference, prediction = (long, short) if is_reference else (short, long)
    assert lcs_path(reference, index_words(prediction)) == lcs_path_definition(reference, prediction)
