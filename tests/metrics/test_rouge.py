import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge import Rouge

from longbench_eval.metrics import rouge, rouge_zh
from longbench_eval.metrics.rouge import MAX_DEPTH, MAX_DEPTH_ZH, rouge_l, rouge_l_definition

PERFECT = 0.999999995
TABLE = [
    # prediction, answer, expected, why
    ("the cat sat", "the cat sat", PERFECT, "1e-8 in the denominator"),
    ("the cat", "the dog", 0.5, "one word of two"),
    ("The cat", "the cat", 0.5, "case counts"),
    ("the cat!", "the cat", 0.5, "so does punctuation"),
    ("a a a b", "a b", PERFECT, "distinct words only"),
    ("b a", "a b", 0.5, "order counts within a sentence"),
    ("b. a", "a. b", PERFECT, "but not between sentences"),
    ("b. a. a. b.", "a. b. a", PERFECT, "a sentence said again changes nothing"),
    ("3.5 cats", "3 cats", 0.8, "a decimal point ends a sentence"),
    ("a b。c d", "c d。a b", 0.0, "no other full stop does: b。c and d。a are words"),
    ("", "the cat", 0.0, "a text without sentences raises"),
    ("...", "the cat", 0.0, "so do dots alone"),
    ("...", "...", 0.0, "even on both sides"),
    ("the cat", "", 0.0, "and an empty answer"),
    (" ", "Hello. ", 2 / 3, "a piece of white space is a sentence of one empty word"),
    ("\n\t", " ", PERFECT, "and equal to another"),
    ("the\u3000 cat\n", "the cat", PERFECT, "white space is folded"),
    ("b c a", "a x b c", 2 * (2 / 3 * 2 / 4) / (2 / 3 + 2 / 4), "the longest: b c"),
]


@pytest.mark.parametrize(("prediction", "answer", "expected", "why"), TABLE)
def test_rouge(prediction, answer, expected, why):
    assert rouge(prediction, answer) == pytest.approx(expected, abs=2e-8), why
    assert rouge(prediction, answer) == package_rouge(prediction, answer), why


def test_a_perfect_match_is_short_of_1_by_the_package_s_epsilon():
    assert rouge("the cat", "the cat") == 2.0 * ((1.0 * 1.0) / (1.0 + 1.0 + 1e-8)) == PERFECT


@pytest.mark.parametrize(
    ("prediction", "answer", "expected", "why"),
    [
        ("我来到北京", "我来到北京", PERFECT, "equal"),
        ("北京", "我来到北京", 0.5, "words are jieba's: 我 来到 北京"),
        ("我来到北京。", "我来到北京", 6 / 7, "a Chinese full stop is a word"),
        ("来到北京.", "我来到北京", 0.8, "an ASCII one is none"),
        ("", "北京", 0.0, "nothing predicted"),
    ],
)
def test_rouge_zh(prediction, answer, expected, why):
    assert rouge_zh(prediction, answer) == pytest.approx(expected, abs=2e-8), why


def package_rouge(prediction, answer):
    try:
        return Rouge().get_scores([prediction], [answer], avg=True)["rouge-l"]["f"]
    except ValueError:
        return 0.0


def texts(pieces, max_size):
    return st.lists(st.sampled_from(pieces), max_size=max_size).map("".join)


few_words = texts(["a ", "b ", "c ", "d ", ".", ". ", "..", " ", "\n", "a", "b"], 24)
many_words = texts(["".join((x, y, " ")) for x in "abcd" for y in "efg"] + [". ", "."], 60)


@given(few_words, few_words)
def test_fast_is_definition_is_package_with_few_words(prediction, answer):
    assert rouge_l(prediction, answer) == rouge_l_definition(prediction, answer) == package_rouge(prediction, answer)


@given(many_words, many_words)
def test_fast_is_definition_is_package_with_many_words(prediction, answer):
    assert rouge_l(prediction, answer) == rouge_l_definition(prediction, answer) == package_rouge(prediction, answer)


@given(st.text(max_size=20), st.text(max_size=20))
def test_fast_is_definition_is_package_with_any_text(prediction, answer):
    assert rouge_l(prediction, answer) == rouge_l_definition(prediction, answer) == package_rouge(prediction, answer)


@given(few_words, few_words, st.integers(2, 12))
def test_fast_is_definition_with_little_room(prediction, answer, max_depth):
    assert rouge_l(prediction, answer, max_depth) == rouge_l_definition(prediction, answer, max_depth)


def row_of(stem, count):
    return "".join(f"{stem}{i} " for i in range(count))


@pytest.mark.parametrize(
    ("prediction", "answer", "deepest", "why"),
    [
        (row_of("p", 990), row_of("r", 5), True, "990 steps, each to the left"),
        (row_of("p", 991), row_of("r", 5), False, "991 steps"),
        (row_of("p", 990), row_of("p", 990), True, "990 matches"),
        (row_of("p", 991), row_of("p", 991), False, "991 matches"),
        (row_of("p", 990), row_of("r", 256), True, "the last step looks at entry (256, 0)"),
        (row_of("p", 990), row_of("r", 257), False, "quirk: (257, 0) takes CPython 3.11 one level more"),
        (row_of("p", 989), row_of("r", 257), True, "which is there after 989 steps"),
        ("r " + row_of("p", 989), row_of("r", 300) + "r", True, "a last step that is a match looks nothing up"),
        ("a " + row_of("p", 989), row_of("r", 300) + "a. a", True, "two sentences, each judged alone"),
        ("a. " + row_of("p", 991), "a", False, "a pair is judged though its words are all met"),
    ],
)
def test_a_path_too_deep_for_the_package_is_worth_nothing(prediction, answer, deepest, why):
    expected = rouge_l(prediction, answer, max_depth=10**6) if deepest else 0.0
    assert rouge(prediction, answer) == expected, why
    assert rouge_l(prediction, answer, MAX_DEPTH_ZH - 1) == 0.0, why


def deep_pairs():
    """Pairs whose paths need about as many levels as there are: some found by chance, some made."""
    chance = random.Random(1)
    for _ in range(40):
        unmet = ["!"]  # keeps the walk from ending before it has gone through the whole prediction
        answer = unmet + chance.choices("abcdefgh", k=chance.randint(3, 30))
        yield " ".join(chance.choices("abcdefghijklmnopq", k=chance.randint(980, 1000))), " ".join(answer)
    for columns in range(988, 993):
        yield row_of("p", columns), row_of("r", 1)  # to the left all the way
        yield "a " + row_of("p", columns - 1), row_of("r", 2) + "a"  # a match at the end
        yield row_of("p", columns) + "a", row_of("r", 2) + "a " + row_of("s", 3)  # up at the start
    for columns in (989, 990):
        yield row_of("p", columns), row_of("r", 256)
        yield row_of("p", columns), row_of("r", 257)  # the last step looks at an entry past the shared ints
        yield "a " + row_of("p", columns - 1), row_of("r", 257) + "a"  # the last step looks nothing up


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="how deep a stack may get is CPython 3.11's here")
def test_depth_is_where_the_package_raises_in_the_official_script():
    pairs = list(deep_pairs())
    script = Path(__file__).with_name("reference_frames.py")
    asked = json.dumps({"rouge": pairs, "rouge_zh": pairs})
    done = subprocess.run([sys.executable, str(script)], input=asked, capture_output=True, text=True, check=True)
    scores = json.loads(done.stdout)
    for metric, max_depth in (("rouge", MAX_DEPTH), ("rouge_zh", MAX_DEPTH_ZH)):
        assert 20 < scores[metric].count(None) < len(pairs) - 20
        assert [rouge_l(*pair, max_depth) for pair in pairs] == [score or 0.0 for score in scores[metric]]
