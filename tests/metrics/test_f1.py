import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.metrics import qa_f1, qa_f1_zh
from longbench_eval.metrics.text import bag_f1, bag_of, chinese_words, english_words

ENGLISH = [
    # prediction, answer, expected, why
    ("Paris", "Paris", 1.0, "equal"),
    ("paris.", "PARIS", 1.0, "case and punctuation do not count"),
    ("the capital is Paris", "Paris", 0.5, "precision 1/3, recall 1"),
    ("a cat", "the cat", 1.0, "articles do not count"),
    ("Another", "other", 0.0, "an article within a word stays"),
    ("the-cat", "cat", 0.0, "punctuation goes before articles: thecat"),
    ("the—cat", "—cat", 1.0, "a dash that is not ASCII stays and bounds the article"),
    ("x x y", "x y", 0.8, "bags: the second x of the prediction is a miss"),
    ("x x y", "x x z", 2 / 3, "bags: both x count"),
    ("a\u00a0b\tc", "b c", 1.0, "all Unicode white space parts words"),
    ("", "Paris", 0.0, "nothing predicted"),
    ("", "", 0.0, "nothing on both sides is no match"),
    ("the", "the", 0.0, "an answer that is an article is never right"),
]
CHINESE = [
    ("北京", "北京", 1.0, "equal"),
    ("北京。", "《北京》", 2 / 3, "quirk: 《 is not in the list of punctuation, 》 is"),
    ("我来到北京", "北京", 0.5, "jieba: 我 来到 北京"),
    ("NBA 2020", "nba2020", 0.0, "words are cut before they are normalized: nba 2020, nba2020"),
    ("北京 ，上海", "北京上海", 1.0, "white space and punctuation are no words"),
    ("北京．", "北京", 2 / 3, "quirk: the full-width full stop stays, a word of its own"),
    ("，。", "，。", 0.0, "nothing left on both sides is no match"),
]


@pytest.mark.parametrize(("prediction", "answer", "expected", "why"), ENGLISH)
def test_qa_f1(prediction, answer, expected, why):
    assert qa_f1(prediction, answer) == pytest.approx(expected, abs=1e-15), why


@pytest.mark.parametrize(("prediction", "answer", "expected", "why"), CHINESE)
def test_qa_f1_zh(prediction, answer, expected, why):
    assert qa_f1_zh(prediction, answer) == pytest.approx(expected, abs=1e-15), why


def test_order_of_operations_decides_the_last_bit():
    assert bag_f1(bag_of("abcx"), "abcyzw") == (2 * (3 / 4) * (3 / 6)) / (3 / 4 + 3 / 6)


words = st.lists(st.sampled_from("abcde"))


@given(words, words)
def test_bag_f1_is_what_counters_say(prediction, answer):
    same = (Counter(prediction) & Counter(answer)).total()
    precision, recall = same / max(len(prediction), 1), same / max(len(answer), 1)
    expected = (2 * precision * recall) / (precision + recall) if same else 0.0
    assert bag_f1(bag_of(prediction), answer) == expected


@given(st.text(st.sampled_from("aAnNtThHeE .,-'é—\n"), max_size=40))
def test_english_words_are_lower_case_without_punctuation_and_articles(text):
    assert not re.search(r"[A-Z.,'-]|\b(a|an|the)\b", " ".join(english_words(text)))


@given(st.lists(st.text(st.sampled_from("aAΣσ中文.，。《》“”…—"), min_size=1, max_size=4), max_size=10))
def test_chinese_words_are_each_normalized_by_itself(words):
    alone = [chinese_words(word) for word in words]
    assert chinese_words(" ".join(words)) == [word for found in alone for word in found]
    assert all(len(found) <= 1 and set("".join(found)) <= set("aσς中文《") for found in alone)
