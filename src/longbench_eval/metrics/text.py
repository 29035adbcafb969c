"""Text helpers the metrics share: answer normalization and F1 over bags of words.

Source: normalize_answer, normalize_zh_answer and f1_score of metrics.py in THUDM/LongBench at 2e00731.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

# Quirk of normalize_zh_answer in metrics.py: the list holds the closing 》 but not the opening 《, and lacks 〈, 〉, ·
# and the full-width full stop ．. These stay, and where the segmenter sets them apart they count as words.
_CHINESE_PUNCTUATION = (
    "！＂＃＄％＆＇（）＊＋，－／：；＜＝＞？＠［＼］＾＿｀｛｜｝～"  # full-width forms of ASCII
    "、。〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿"  # CJK symbols and punctuation
    "｟｠｡｢｣､"  # white parentheses and half-width forms
    "–—‘’‛“”„‟…‧﹏"  # dashes, quotation marks, leaders
)
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_NO_CHINESE_PUNCTUATION = str.maketrans("", "", string.punctuation + _CHINESE_PUNCTUATION)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalize_english(text: str) -> str:
    """Lower the case, drop ASCII punctuation and the articles a, an, the, and fold white space.

    Punctuation goes first, so `don't` becomes `dont` and `a-b` becomes `ab`, of which no article is left to drop.
    """
    bare = text.lower().translate(_NO_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def normalize_chinese(text: str) -> str:
    """Lower the case, drop ASCII and the listed Chinese punctuation, and drop all white space."""
    return "".join(text.lower().translate(_NO_CHINESE_PUNCTUATION).split())


class Bag(NamedTuple):
    """A multiset of words.

    Attributes:
        counts: How often each distinct word occurs.
        size: Number of words, repeats included.
    """

    counts: Mapping[str, int]
    size: int


def bag_of(words: Iterable[str]) -> Bag:
    """Count `words`."""
    counts = Counter(words)
    return Bag(counts, counts.total())


def bag_f1(prediction: Bag, answer: Bag) -> float:
    """Return the harmonic mean of precision and recall of the words two bags share, in [0, 1].

    A word counts as often as it occurs in both. Nothing shared, which includes an empty bag on either side, is 0.0.
    Source: f1_score in metrics.py, whose order of operations is kept: it decides the last bit.
    """
    shared = prediction.counts.keys() & answer.counts.keys()
    if not shared:
        return 0.0
    same = sum(min(prediction.counts[word], answer.counts[word]) for word in shared)
    precision, recall = same / prediction.size, same / answer.size
    return (2 * precision * recall) / (precision + recall)
