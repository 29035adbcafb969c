"""Middle truncation against the rule itself, and the record of what was cut against the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.prompts.truncate import TRUNCATIONS, shorten
from toys import MARKS, ToyTokenizer

PLAIN, WITH_BOS = ToyTokenizer(), ToyTokenizer(adds_bos=True)
both = pytest.mark.parametrize("tokenizer", [PLAIN, WITH_BOS], ids=["plain", "BOS"])

texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(["é", "中", "👍", "\0", "\ufffd"]))
marked_texts = st.lists(texts | st.sampled_from(list(MARKS))).map("".join)
ascii_texts = st.text(st.characters(max_codepoint=127, exclude_characters="<"), min_size=1)
budgets = st.integers(2, 40)


def by_the_rule(text: str, most: int, tokenizer: ToyTokenizer) -> str:
    """The protocol's sentence, word for word: half from the front, half from the end, decoded apart."""
    ids = tokenizer.encode(text)
    if len(ids) <= most:
        return text
    half = int(most / 2)
    return tokenizer.decode(ids[:half]) + tokenizer.decode(ids[-half:])


MIDDLE = [
    ("abcdefgh", 9, "abcdefgh", "one more than there are"),
    ("abcdefgh", 8, "abcdefgh", "as many as there are"),
    ("abcdefgh", 7, "abcfgh", "odd: one token less than allowed"),
    ("abcdefgh", 6, "abcfgh", "even"),
    ("abcdefgh", 3, "ah", "odd, one token for each half"),
    ("abcdefgh", 2, "ah", "the least there can be"),
    ("aéaéa", 4, "a��a", "a character in each half of which one byte is left: the halves are decoded apart"),
    ("中文", 4, "���", "two bytes of three at each side: one mark for a beginning, one for each stray byte"),
    ("<s>a<user>bcd<bot>e", 6, "ade", "marks count as tokens and are not decoded"),
    ("a\0b{}c", 4, "a\0}c", "NUL and braces"),
]


@pytest.mark.parametrize(("text", "budget", "expected", "why"), MIDDLE, ids=[case[3] for case in MIDDLE])
def test_middle(text, budget, expected, why):
    assert shorten(text, budget, PLAIN)[0] == expected


def test_bos_counts():
    assert shorten("abcdefgh", 8, WITH_BOS)[0] == "abcefgh"
    assert shorten("abcdefgh", 9, WITH_BOS)[:2] == ("abcdefgh", None)
    assert shorten("abcdefgh", 2, WITH_BOS)[0] == "h", "BOS is the whole head"


OTHERS = [("left", "abcdefgh", "fgh"), ("right", "abcdefgh", "abc"), ("left", "aé", "é"), ("right", "éa", "é")]


@pytest.mark.parametrize(("how", "text", "expected"), OTHERS)
def test_one_sided(how, text, expected):
    budget = len(expected.encode())
    cut, record, _ = shorten(text, budget, PLAIN, how)
    assert cut == expected
    assert record.tokens_after == budget, "an odd budget is kept whole"
    assert text[: record.start] + text[record.end :] == expected


def test_the_record():
    cut, record, _ = shorten("0123456789", 5, PLAIN)
    assert cut == "0189"
    assert (record.tokens_before, record.tokens_after) == (10, 4)
    assert (record.start, record.end, record.head_chars) == (2, 8, 2)


@both
@given(marked_texts, budgets)
def test_middle_is_the_rule(tokenizer, text, budget):
    assert shorten(text, budget, tokenizer)[0] == by_the_rule(text, budget, tokenizer)


@both
@pytest.mark.parametrize("how", TRUNCATIONS)
@given(text=ascii_texts, budget=budgets)
def test_the_record_rebuilds_the_text_when_decoding_is_lossless(tokenizer, how, text, budget):
    cut, record, _ = shorten(text, budget, tokenizer, how)
    if record is None:
        assert cut == text
        return
    assert cut[: record.head_chars] + text[record.start : record.end] + cut[record.head_chars :] == text
    assert record.head_chars == record.start
    assert record.tokens_before - record.tokens_after >= record.end - record.start


@both
@pytest.mark.parametrize("how", TRUNCATIONS)
@given(text=marked_texts, budget=budgets)
def test_the_record_never_claims_what_is_not_so(tokenizer, how, text, budget):
    cut, record, _ = shorten(text, budget, tokenizer, how)
    if record is None:
        return
    assert 0 <= record.start <= record.end <= len(text)
    assert 0 <= record.head_chars <= len(cut)
    assert cut.startswith(text[: record.start])
    assert cut.endswith(text[record.end :])
    assert record.tokens_after <= budget < record.tokens_before


@given(ascii_texts, budgets)
def test_an_odd_budget_keeps_one_token_less(text, budget):
    _, record, _ = shorten(text, budget, PLAIN)
    if record is not None:
        assert record.tokens_after == budget - budget % 2
