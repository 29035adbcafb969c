"""Chinese word segmentation: the only place that knows which segmenter does it.

The segmenter is jieba 0.42.1 in its default mode (`cut_all=False`, HMM on), as in metrics.py of THUDM/LongBench at
2e00731. Its own code is the definition; `cut` gives the same words ten times as fast from rjieba 0.2.2, which has the
same dictionary and finds the same best route through it, but rounds the tables of the HMM (one run of characters in
a hundred thousand comes out differently), takes more characters for Chinese ones, and joins ASCII by rules of its own.
So only the route is taken from it, and what jieba does with the single characters on the route is done here.
"""

from __future__ import annotations

import logging
import re
import warnings
from functools import cache, lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from typing import Any

from longbench_eval.metrics.hmm import split_unknown

_MARK = "\0"  # stands between words
# What rjieba takes for Chinese characters and jieba does not, what it cannot take at all (surrogates), and the mark.
_ALONE = re.compile(f"([{_MARK}\u3400-\u4dbf\u9fd6-\u9fff\ud800-\udfff\uf900-\ufaff\U00020000-\U0010ffff])")
# Two and more words that are single characters; rjieba has joined letters and digits already. The brackets hold what
# jieba looks up in its dictionary, without the letters and digits: re_han_default in its __init__.py.
_SINGLES = re.compile(rf"{_MARK}((?:(?:[\u4e00-\u9fd5+#&._%\-]|[a-zA-Z0-9]++){_MARK}){{2,}}+)")
# Chinese characters, re_skip of jieba's finalseg/__init__.py, and what lies between.
_PARTS = re.compile(r"[\u4e00-\u9fd5]+|[a-zA-Z0-9]+(?:\.[0-9]+)?%?|[^\u4e00-\u9fd5a-zA-Z0-9]+")


def cut(text: str) -> list[str]:
    """Split `text` into words; joined together they are `text` again, white space and punctuation included."""
    if _rjieba() is None:
        return cut_definition(text)
    words: list[str] = []
    for place, piece in enumerate(_ALONE.split(text)):
        if place % 2:
            words.append(piece)
        elif piece:
            words += _marked(piece).split(_MARK)
    return words


@lru_cache(maxsize=2)  # a prediction stays while its answers pass
def spaced(text: str) -> str:
    """Put a space between each two words of `text`."""
    if _rjieba() is None or _ALONE.search(text):
        return " ".join(cut(text))
    return _marked(text).replace(_MARK, " ")


def _marked(text: str) -> str:
    route = _MARK.join(["", *_rjieba().cut(text, False), ""])
    return _SINGLES.sub(_cut_singles, route)[1:-1]


def _cut_singles(match: re.Match[str]) -> str:
    return _MARK + _cut_run(match[1].replace(_MARK, ""))


# Runs are short and repeat: "的是", "1.", "think".
@lru_cache(maxsize=16384)
def _cut_run(run: str) -> str:
    """Put the mark after each word of a run of characters that stand alone on the route."""
    if _rjieba().has_word(run):  # a known word that was less likely than its characters
        return "".join(char + _MARK for char in run)
    parts = _PARTS.findall(run)
    return "".join(split_unknown(part, _MARK) if part[0] >= "\u4e00" else part + _MARK for part in parts)


@cache
def _rjieba() -> Any:
    """Load a tokenizer of our own, so that words a user adds to rjieba's global one cannot change a score.

    Its compiled module is loaded alone: the package would load the dictionary once more. None where rjieba is missing.
    """
    package = find_spec("rjieba")
    compiled = package and PathFinder.find_spec("rjieba", package.submodule_search_locations)
    spec = compiled and compiled.origin and spec_from_file_location(f"{__name__}.rjieba", compiled.origin)
    if not spec or not spec.loader:
        return None
    try:
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError:  # built for another machine
        return None
    tokenizer = module.Jieba()
    # jieba's dictionary lists B超, of frequency 3, twice; it counts once as a word but twice in the sum of frequencies.
    tokenizer.add_word(_MARK, 3, "")
    return tokenizer


def cut_definition(text: str) -> list[str]:
    """Split `text` as `cut` does, by jieba itself, which takes a second to load."""
    return list(_tokenizer().cut(text, cut_all=False))


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
