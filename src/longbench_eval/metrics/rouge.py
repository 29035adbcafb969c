"""ROUGE-L for English and Chinese, as the package `rouge` 1.0.1 computes it (not the package `rouge-score`).

A text is a list of sentences. Every pair of a reference and a predicted sentence gives the words on one longest common
subsequence (`lcs.py`), and the union of these words over all pairs, as a share of the distinct words of the reference
and of the prediction, gives recall and precision. Source: rouge_score and rouge_zh_score of metrics.py in
THUDM/LongBench at 2e00731, and `rouge_l_summary_level` in rouge_score.py of the package.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from longbench_eval.metrics.lcs import Words, index_words, lcs_path, lcs_path_definition, walk
from longbench_eval.metrics.metric import Classes
from longbench_eval.metrics.segment import spaced

# The package recurses once for each step of a path, and metrics.py scores every exception 0.0: so does a path for which
# CPython 3.11's default limit of 1000 leaves no room. Below the recursion stand nine frames: the module and `scorer` of
# eval.py; `rouge_score` of metrics.py (in Chinese `rouge_zh_score` too); and of the package `get_scores`,
# `_get_avg_scores`, a lambda, `rouge_l_summary_level`, `_union_lcs` and `_recon_lcs`.
MAX_DEPTH = 1000 - 9
MAX_DEPTH_ZH = MAX_DEPTH - 1


def rouge(prediction: str, answer: str, classes: Classes = None) -> float:
    """Return the F-measure of ROUGE-L, in [0, 1]; a perfect match is 0.999999995.

    0.0 is also the score of what raises in the reference: a text without sentences (empty, or nothing but dots), and
    two sentences whose path has more than 990 steps.
    """
    return rouge_l(prediction, answer, MAX_DEPTH)


def rouge_zh(prediction: str, answer: str, classes: Classes = None) -> float:
    """Return `rouge` over the words that the segmenter finds, in [0, 1].

    Only the ASCII full stop ends a sentence, so most Chinese texts are one sentence.
    """
    return rouge_l(spaced(prediction), spaced(answer), MAX_DEPTH_ZH)


def rouge_l_definition(prediction: str, reference: str, max_depth: int = MAX_DEPTH) -> float:
    """Return what `rouge_l` returns, from every pair of sentences and the whole table of each."""
    predicted, referenced = _sentences(prediction), _sentences(reference)
    paths = [lcs_path_definition(ours, theirs) for ours, theirs in product(referenced, predicted)]
    if not paths or max(path.depth for path in paths) > max_depth:
        return 0.0
    words = {word for path in paths for word in path.words}
    return LcsUnion(words, len(set().union(*predicted)), len(set().union(*referenced))).f_measure


def rouge_l(prediction: str, reference: str, max_depth: int = MAX_DEPTH) -> float:
    """Return the F-measure of summary-level ROUGE-L over words between white space, in [0, 1].

    Args:
        prediction: The text to score.
        reference: The text to score it against.
        max_depth: Levels of recursion the reference implementation has; a path that needs more makes the score 0.0.
    """
    union = lcs_union(prediction, reference, max_depth)
    return union.f_measure if union else 0.0


class LcsUnion(NamedTuple):
    """What summary-level ROUGE-L rests on.

    Attributes:
        words: The distinct words on the paths of all pairs of a reference and a predicted sentence.
        predicted: Number of distinct words of the prediction.
        referenced: Number of distinct words of the reference.
    """

    words: set[str]
    predicted: int
    referenced: int

    @property
    def f_measure(self) -> float:
        """Precision and recall combined as the package does: the order of operations decides the last bit."""
        precision, recall = len(self.words) / self.predicted, len(self.words) / self.referenced
        return 2.0 * ((precision * recall) / (precision + recall + 1e-8))


def lcs_union(prediction: str, reference: str, max_depth: int = MAX_DEPTH) -> LcsUnion | None:
    """Find the words on the paths of all pairs of sentences; None where the package raises.

    The union only grows, so a pair is walked only for a word that is in both sentences and not yet met on a path: one
    pair in ten. Words that come late in a text are rare ones; the walks they ask for meet most of the frequent words.
    """
    referenced, predicted = _sentences(reference), _sentences(prediction)
    if not referenced or not predicted or _any_too_deep(referenced, predicted, max_depth):
        return None
    if len(referenced) == len(predicted) == 1:
        words, *_ = walk(referenced[0], index_words(predicted[0]))
        return LcsUnion(set(words), len(set(predicted[0])), len(set(referenced[0])))
    here, there = _homes(referenced), _homes(predicted)
    indexed = cache(lambda number: index_words(predicted[number]))
    common = set(here).intersection(there)
    missing, walked = set(common), set()
    for word in reversed(here):
        if word not in missing:
            continue
        for pair in product(here[word], there[word]):
            if pair not in walked:
                walked.add(pair)
                words, *_ = walk(referenced[pair[0]], indexed(pair[1]))
                missing.difference_update(words)
                if word not in missing:
                    break
    return LcsUnion(common - missing, len(there), len(here))


def _sentences(text: str) -> list[Words]:
    """Split at every ASCII full stop, decimal points included, and each piece at white space; repeats are left out.

    A piece of nothing but white space is a sentence of one word, the empty one: a quirk of the package, which splits
    the piece `""` at spaces. A sentence said again can add nothing to a union.
    """
    return [piece.split() or [""] for piece in dict.fromkeys(text.split(".")) if piece]


def _homes(sentences: Sequence[Words]) -> dict[str, list[int]]:
    """Number the sentences that each word occurs in, as often as it does."""
    homes: dict[str, list[int]] = {}
    for number, words in enumerate(sentences):
        for word in words:
            if word in homes:
                homes[word].append(number)
            else:
                homes[word] = [number]
    return homes


def _any_too_deep(referenced: Sequence[Words], predicted: Sequence[Words], max_depth: int) -> bool:
    """Judge the pairs with enough words to be too deep, whether or not the words on their path count.

    A path has fewer steps than the two sentences have words, and is at most two levels deeper than it has steps.
    """
    longest = max(map(len, predicted))
    suspects = [words for words in referenced if len(words) + longest >= max_depth]
    return any(lcs_path(ours, index_words(theirs)).depth > max_depth for ours, theirs in product(suspects, predicted))
