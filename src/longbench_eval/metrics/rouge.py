"""ROUGE-L for English and Chinese, as the package `rouge` 1.0.1 computes it (not the package `rouge-score`).

A text is a list of sentences. Every pair of a reference and a predicted sentence gives the words on one longest common
subsequence (`lcs.py`), and the union of these words over all pairs, as a share of the distinct words of the reference
and of the prediction, gives recall and precision. Source: rouge_score and rouge_zh_score of metrics.py in
THUDM/LongBench at 2e00731, and `rouge_l_summary_level` in rouge_score.py of the package.
"""

from __future__ import annotations

from itertools import chain, product

from longbench_eval.metrics.lcs import Sentence, Words, index_words, lcs_path, lcs_path_definition
from longbench_eval.metrics.metric import Classes
from longbench_eval.metrics.segment import cut

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
    return rouge_l(" ".join(cut(prediction)), " ".join(cut(answer)), MAX_DEPTH_ZH)


def rouge_l_definition(prediction: str, reference: str, max_depth: int = MAX_DEPTH) -> float:
    """Return what `rouge_l` returns, from every pair of sentences and the whole table of each."""
    predicted, referenced = _sentences(prediction), _sentences(reference)
    paths = [lcs_path_definition(ours, theirs) for ours, theirs in product(referenced, predicted)]
    if not paths or max(path.depth for path in paths) > max_depth:
        return 0.0
    union = {word for path in paths for word in path.words}
    return _f_measure(len(union), len(_vocabulary(predicted)), len(_vocabulary(referenced)))


def rouge_l(prediction: str, reference: str, max_depth: int = MAX_DEPTH) -> float:
    """Return the F-measure of summary-level ROUGE-L over words between white space, in [0, 1].

    Args:
        prediction: The text to score.
        reference: The text to score it against.
        max_depth: Levels of recursion the reference implementation has; a path that needs more makes the score 0.0.
    """
    predicted, referenced = _sentences(prediction), _sentences(reference)
    ours, theirs = [index_words(words) for words in referenced], [index_words(words) for words in predicted]
    if not ours or not theirs or _any_too_deep(ours, theirs, max_depth):
        return 0.0
    answer_words, predicted_words = _vocabulary(referenced), _vocabulary(predicted)
    overlap = _union_size(ours, theirs, answer_words & predicted_words)
    return _f_measure(overlap, len(predicted_words), len(answer_words))


def _sentences(text: str) -> list[Words]:
    """Split at every ASCII full stop, decimal points included, and each piece at white space; repeats are left out.

    A piece of nothing but white space is a sentence of one word, the empty one: a quirk of the package, which splits
    the piece `""` at spaces. A sentence said again can add nothing to a union.
    """
    return list(dict.fromkeys(tuple(piece.split()) or ("",) for piece in text.split(".") if piece))


def _vocabulary(sentences: list[Words]) -> set[str]:
    return set(chain.from_iterable(sentences))


def _any_too_deep(referenced: list[Sentence], predicted: list[Sentence], max_depth: int) -> bool:
    """Judge the pairs with enough words to be too deep, whether or not the words on their path count.

    A path has fewer steps than the two sentences have words, and is at most two levels deeper than it has steps.
    """
    pairs = product(referenced, predicted)
    long_pairs = ((ours, theirs) for ours, theirs in pairs if len(ours.words) + len(theirs.words) >= max_depth)
    return any(lcs_path(ours, theirs).depth > max_depth for ours, theirs in long_pairs)


def _union_size(referenced: list[Sentence], predicted: list[Sentence], common: set[str]) -> int:
    """Count the words on the paths of all pairs, walking a path only if a word of `common` is still to be met on it."""
    missing = set(common)
    for ours in referenced:
        sought = missing & ours.places.keys()
        for theirs in predicted:
            if not sought.isdisjoint(theirs.places):
                met = lcs_path(ours, theirs).words
                sought -= met
                missing -= met
    return len(common) - len(missing)


def _f_measure(overlap: int, predicted: int, referenced: int) -> float:
    """Combine precision and recall as the package does: the order of operations decides the last bit."""
    precision, recall = overlap / predicted, overlap / referenced
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))
