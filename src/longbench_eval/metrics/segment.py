"""Chinese word segmentation: the only place that knows which segmenter does it.

Source: jieba 0.42.1 in its default mode (`cut_all=False`, HMM on), as in metrics.py of THUDM/LongBench at 2e00731.
"""

from __future__ import annotations

import logging
import warnings
from functools import cache, lru_cache
from importlib import import_module
from typing import Any


def cut(text: str) -> list[str]:
    """Split `text` into words; joined together they are `text` again, white space and punctuation included."""
    return list(_cut(text))


# A prediction is cut once for each of its answers, an answer once for each model scored.
@lru_cache(maxsize=4096)
def _cut(text: str) -> tuple[str, ...]:
    return tuple(_tokenizer().cut(text, cut_all=False))


@cache
def _tokenizer() -> Any:
    """Load a tokenizer of our own, so that words a user adds to jieba's global one cannot change a score.

    Its dictionary is read from the package, in the time jieba's cache file would take: that file lies in the temporary
    directory, is trusted whatever version of jieba wrote it, and may belong to someone else.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42.1 imports pkg_resources and has invalid escapes in its patterns
        jieba = import_module("jieba")
        jieba.setLogLevel(logging.WARNING)  # it reports its loading on stderr
        tokenizer = jieba.Tokenizer()
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer
