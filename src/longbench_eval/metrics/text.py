"""Text helpers the metrics share: answer normalization and F1 over bags of words.

Source: normalize_answer, normalize_zh_answer and f1_score of metrics.py in THUDM/LongBench at 2e00731.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

# Quirk of normalize_zh_answer in metrics.py: the list holds the closing 》 but not the opening 《, and lacks 〈, 〉, ·
# and the full-width full stop ．. These stay, and where the segmenter sets them apart they count as words.
_CHINESE_PUNCTUATION = (
    "！＂＃＄％＆＇（）＊＋，－／：；＜＝＞？＠［＼］＾＿｀｛｜｝～"  # full-width forms of ASCII
    "、。〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿"  # CJK symbols and punctuation
    "｟｠｡｢｣､"  # white parentheses and half-width forms
    "–—‘’‛“”„‟…‧﹏"  # dashes, quotation marks, leaders
)
_PUNCTUATION = string.punctuation.encode()
_NO_CHINESE_PUNCTUATION = str.maketrans("", "", string.punctuation + _CHINESE_PUNCTUATION)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def english_words(text: str) -> list[str]:
    """Lower the case, drop ASCII punctuation and the articles a, an, the, and split at white space.

    Punctuation goes first, so `don't` becomes `dont` and `a-b` becomes `ab`, of which no article is left to drop.
    """
    # In UTF-8 an ASCII byte is an ASCII character; bytes lose theirs four times as fast as `str.translate` drops them.
    encoded = text.lower().encode(errors="surrogatepass").translate(None, _PUNCTUATION)
    return _ARTICLES.sub(" ", encoded.decode(errors="surrogatepass")).split()


def chinese_words(spaced: str) -> list[str]:
    """Lower the case, drop ASCII and the listed Chinese punctuation, and split at white space.

    The text is cut before, with spaces between the words, as the reference does: punctuation guides the segmenter.
    """
    return spaced.lower().translate(_NO_CHINESE_PUNCTUATION).split()


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


def shared_words(prediction: Bag, answer: Sequence[str]) -> dict[str, int]:
    """Tell which words both have, and how often: the lesser of the two counts."""
    if prediction.counts.keys().isdisjoint(answer):
        return {}
    counts = Counter(answer)
    return {word: min(count, prediction.counts[word]) for word, count in counts.items() if word in prediction.counts}


def bag_f1(prediction: Bag, answer: Sequence[str]) -> float:
    """Return the F1 of the words two texts share, in [0, 1]; a word counts as often as it occurs in both."""
    return f1(sum(shared_words(prediction, answer).values()), prediction.size, len(answer))


def f1(same: int, predicted: int, referenced: int) -> float:
    """Return the harmonic mean of precision and recall; with nothing in common, as of an empty text, it is 0.0.

    Source: f1_score in metrics.py, whose order of operations is kept: it decides the last bit.
    """
    if not same:
        return 0.0
    precision, recall = same / predicted, same / referenced
    return (2 * precision * recall) / (precision + recall)
