"""BM25 over words; Chinese is cut into words by the segmenter the metrics use."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np

from longbench_eval.compress.retrieval import Chunks
from longbench_eval.errors import UsageError
from longbench_eval.metrics.segment import cut

_RUNS = re.compile(r"\w+")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


class WordBM25:
    """The library bm25s with its default variant (Lucene's)."""

    name = "bm25"

    def __init__(self) -> None:
        try:
            import bm25s
        except ImportError:
            raise UsageError("retrieval:bm25 needs the package bm25s: pip install 'longbench-eval[compress]'") from None
        self._library = bm25s
        self._index = lru_cache(2)(self._make_index)

    def identity(self) -> Mapping[str, Any]:
        """The library's version."""
        return {"bm25s": version("bm25s")}

    def rank(self, chunks: Chunks, question: str) -> Sequence[int]:
        """By the score of the question's words."""
        index = self._index(chunks)
        words = [word for word in words_to_rank(question) if index is not None and word in index.vocab_dict]
        if not words:
            return range(len(chunks))
        # A stable sort keeps equals in the order of the document.
        order: list[int] = np.argsort(-index.get_scores(words), kind="stable").tolist()
        return order

    def _make_index(self, chunks: Chunks) -> Any:
        corpus = [words_to_rank(chunk) for chunk in chunks]
        if not any(corpus):
            return None
        index = self._library.BM25()
        index.index(corpus, show_progress=False)
        return index

    def close(self) -> None:
        """Nothing to free."""


def words_to_rank(text: str) -> list[str]:
    """The words of a text in lower case, Chinese ones as jieba cuts them, followed by their characters.

    The same Chinese word may be cut in one way in the question and in another in the chunk that answers it.
    """
    text = text.lower()
    if not _CHINESE.search(text):
        return _RUNS.findall(text)
    words = [word for piece in cut(text) for word in _RUNS.findall(piece)]
    return words + [char for word in words if len(word) > 1 for char in _CHINESE.findall(word)]
