"""Chunks: where they end, how long they are, and that nothing is lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longbench_eval.compress.split import count_words, split, split_as_published

WORDS = [
    ("One two, three.", 3, "punctuation is no word"),
    ("don't", 2, "an apostrophe splits"),
    ("a_b 12 3.5", 4, "an underscore does not, a point does"),
    ("中文ab两个", 5, "each Chinese character, and the letters between"),
    ("Ünïcode straße", 2, "letters of any script"),
    ("\n\t ", 0, "white space"),
]


@pytest.mark.parametrize(("text", "expected", "why"), WORDS)
def test_words(text, expected, why):
    assert count_words(text) == expected, why


CHUNKS = [
    ("", 3, [], "nothing"),
    ("a b. c d. e", 4, ["a b. c d. ", "e"], "the end and its white space stay with the sentence"),
    ("a b. c d. e", 3, ["a b. ", "c d. e"], "as many sentences as fit"),
    ("a b c d e. f", 3, ["a b c d e", ". f"], "a longer sentence is alone, and its full stop begins the next"),
    ("一二。三四？五", 4, ["一二。三四？", "五"], "Chinese ends and words"),
    ("a\n\nb\nc", 2, ["a\n\nb\n", "c"], "a newline is an end"),
    ("a!? b", 1, ["a!? ", "b"], "two ends that touch"),
    (". a", 1, [". a"], "an end at the beginning"),
    ("一；二;三", 2, ["一；二;", "三"], "both semicolons"),
]


@pytest.mark.parametrize(("text", "size", "expected", "why"), CHUNKS)
def test_chunks(text, size, expected, why):
    assert split(text, size) == expected, why


def test_the_published_splitter_puts_a_space_between_two_ends_that_touch():
    assert split_as_published("a?! b", 5) == ["a? ! b"]
    assert split("a?! b", 5) == ["a?! b"]


TEXTS = st.text(st.sampled_from("ab _.!?;\n。？！；中文é,"), max_size=80)


def by_definition(text: str, size: int) -> list[str]:
    """Character by character: a piece is text up to an end, or an end with the white space after it."""
    pieces, piece = [], ""
    for char in text:
        inside = piece[:1] in tuple("。？！；\n.!?;")
        if char in "。？！；\n.!?;":
            if not (inside and char == "\n"):
                pieces.append(piece)
                piece = ""
        elif inside and not char.isspace():
            pieces.append(piece)
            piece = ""
        piece += char
    chunks: list[str] = []
    for part in filter(None, [*pieces, piece]):
        if chunks and count_words(chunks[-1]) + count_words(part) <= size:
            chunks[-1] += part
        else:
            chunks.append(part)
    return chunks


@settings(deadline=None)
@given(TEXTS, st.integers(1, 9))
def test_against_the_definition(text, size):
    assert split(text, size) == by_definition(text, size)


@settings(deadline=None)
@given(TEXTS, st.integers(1, 9))
def test_nothing_is_lost_and_only_single_sentences_are_longer(text, size):
    chunks = split(text, size)
    assert "".join(chunks) == text
    assert all(chunks)
    assert all(
        count_words(chunk) <= size or len(split(chunk, 1)) == 1 or not split(chunk, size)[1:] for chunk in chunks
    )
    for chunk in chunks:
        if count_words(chunk) > size:
            assert not set(chunk.strip()) & set("。？！；\n.!?;"), "more than one sentence"


@settings(deadline=None)
@given(TEXTS, st.integers(1, 9))
def test_the_published_chunks_differ_in_spaces_only(text, size):
    bare = [chunk.replace(" ", "") for chunk in split(text, size)]
    assert [chunk.replace(" ", "") for chunk in split_as_published(text, size)] == bare
