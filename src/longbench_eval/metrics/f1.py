"""F1 over bags of words, for question answering in English and Chinese.

Source: qa_f1_score and qa_f1_zh_score of metrics.py in THUDM/LongBench at 2e00731; the English one is SQuAD's.
"""

from __future__ import annotations

from functools import lru_cache

from longbench_eval.metrics.metric import Classes
from longbench_eval.metrics.segment import spaced
from longbench_eval.metrics.text import Bag, bag_f1, bag_of, chinese_words, english_words


def qa_f1(prediction: str, answer: str, classes: Classes = None) -> float:
    """Score word overlap after SQuAD's normalization, in [0, 1]; words are bags, so repeats count."""
    return bag_f1(english_bag(prediction), english_words(answer))


def qa_f1_zh(prediction: str, answer: str, classes: Classes = None) -> float:
    """Score overlap of jieba's words, each normalized and the empty ones dropped, in [0, 1]."""
    return bag_f1(chinese_bag(prediction), chinese_words(spaced(answer)))


# A prediction meets up to 182 answers (triviaqa) and is normalized once for all of them.
@lru_cache(maxsize=1)
def english_bag(text: str) -> Bag:
    """Count the normalized words of an English text."""
    return bag_of(english_words(text))


@lru_cache(maxsize=1)
def chinese_bag(text: str) -> Bag:
    """Count the normalized words of a Chinese text."""
    return bag_of(chinese_words(spaced(text)))
