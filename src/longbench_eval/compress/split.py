"""Cutting a context into chunks at sentence ends.

Source: the paper's splitter, LongBench/retrieval/splitter.py in THUDM/LongBench. A text is split at each of
`。？！；`, newline and `.!?;`, together with the white space behind it; pieces are put together while a chunk has no
more than so many words. Quirk kept: a sentence longer than a chunk is one by itself, and its own full stop begins the
next one.
"""

from __future__ import annotations

import re

_ENDS = re.compile(r"([。？！；\n.!?;]\s*)")
# A Chinese character is a word; any other run of letters, digits and underscores is one.
_WORDS = re.compile(r"[\u4e00-\u9fa5]|[^\W\u4e00-\u9fa5]+")


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return _WORDS.findall(text.lower())


def count_words(text: str) -> int:
    """Number of words, in which chunks and parts are measured."""
    return len(words_of(text))


def split(text: str, size: int) -> list[str]:
    """Cut a text into chunks of at most `size` words, but for longer sentences; joined they are the text again."""
    return ["".join(group) for group in _groups(text, size)]


def split_as_published(text: str, size: int) -> list[str]:
    """The same with the published code's spaces: it adds one between two ends that touch, as in `?!`."""
    return [group[0] + "".join(piece or " " for piece in group[1:]) for group in _groups(text, size)]


def _groups(text: str, size: int) -> list[list[str]]:
    """Pieces by chunk. Pieces are text and sentence end in turn, so no word reaches over two of them."""
    groups: list[list[str]] = []
    words = 0
    for piece in _ENDS.split(text):
        more = count_words(piece)
        if groups and words + more <= size:
            groups[-1].append(piece)
            words += more
        elif piece:
            groups.append([piece])
            words = more
    return groups
