"""The paper's BM25 as it was published: over characters.

Source: retrieval/BM25/generate_BM25.py in THUDM/LongBench. Its BM25Okapi (the package rank-bm25: k1 1.5, b 0.75,
epsilon 0.25) takes lists of words but is given raw strings, so that characters are its words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from longbench_eval.compress.retrieval import Chunks

_K1, _B, _EPSILON = 1.5, 0.75, 0.25


class _Index(NamedTuple):
    """Counts of characters by chunk, the chunks' length terms, and each character's weight."""

    counts: Sequence[Counter[str]]
    length_terms: NDArray[np.float64]
    weights: Mapping[str, float]


class PaperBM25:
    """Okapi BM25 over characters; of equals the later chunk comes first."""

    name = "paper-bm25"

    def identity(self) -> Mapping[str, Any]:
        """Nothing more."""
        return {}

    def rank(self, chunks: Chunks, question: str) -> Sequence[int]:
        """By the score of the question's characters."""
        index = _index(chunks)
        scores = np.zeros(len(chunks))
        for char in question:
            found = np.array([counts[char] for counts in index.counts])
            scores += index.weights.get(char, 0.0) * found * (_K1 + 1) / (found + index.length_terms)
        order: list[int] = np.argsort(scores, kind="stable")[::-1].tolist()
        return order

    def close(self) -> None:
        """Nothing to free."""


@lru_cache(maxsize=2)
def _index(chunks: Chunks) -> _Index:
    lengths = np.array([len(chunk) for chunk in chunks])
    return _Index(
        counts := [Counter(chunk) for chunk in chunks],
        _K1 * (1 - _B + _B * lengths / lengths.mean()),
        _weights(counts),
    )


def _weights(counts: Sequence[Counter[str]]) -> dict[str, float]:
    """Inverse document frequency; a negative one is replaced by a share of the mean of all."""
    within = Counter(char for chunk in counts for char in chunk)
    weights = {char: float(np.log(len(counts) - n + 0.5) - np.log(n + 0.5)) for char, n in within.items()}
    floor = _EPSILON * sum(weights.values()) / len(weights)
    return {char: floor if weight < 0 else weight for char, weight in weights.items()}
