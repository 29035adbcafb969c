"""F1 over bags of words, for question answering in English and Chinese.

Source: qa_f1_score and qa_f1_zh_score of metrics.py in THUDM/LongBench at 2e00731; the English one is SQuAD's.
"""

from __future__ import annotations

from functools import lru_cache

from longbench_eval.metrics.metric import Classes
from longbench_eval.metrics.segment import cut
from longbench_eval.metrics.text import Bag, bag_f1, bag_of, normalize_chinese, normalize_english


def qa_f1(prediction: str, answer: str, classes: Classes = None) -> float:
    """Score word overlap after SQuAD's normalization, in [0, 1]; words are bags, so repeats count."""
    return bag_f1(_english_bag(prediction), _english_bag(answer))


def qa_f1_zh(prediction: str, answer: str, classes: Classes = None) -> float:
    """Score overlap of jieba's words, each normalized and the empty ones dropped, in [0, 1]."""
    return bag_f1(_chinese_bag(prediction), _chinese_bag(answer))


# A prediction meets up to 182 answers (triviaqa) and is normalized once for all of them.
@lru_cache(maxsize=4096)
def _english_bag(text: str) -> Bag:
    return bag_of(normalize_english(text).split())


@lru_cache(maxsize=4096)
def _chinese_bag(text: str) -> Bag:
    # Cut first, normalize after, as the reference does: punctuation still guides the segmenter.
    words = (normalize_chinese(word) for word in cut(text))
    return bag_of(word for word in words if word)
