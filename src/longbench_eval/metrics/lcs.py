"""The longest common subsequence of two sentences as `rouge` 1.0.1 walks it, as a definition and fast.

ROUGE-L needs the words on one longest common subsequence. There may be several; which one is taken, and how deep the
recursion that takes it goes, are properties of that package (`_recon_lcs` in rouge_score.py) and decide scores.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Words: TypeAlias = tuple[str, ...]

# CPython keeps one object for each int up to here. A larger index in a key of the package's table is compared by value,
# for which CPython 3.11 needs one more level of recursion.
_LARGEST_SHARED_INT = 256


class Path(NamedTuple):
    """One longest common subsequence.

    Attributes:
        words: The distinct words on it.
        depth: Levels of recursion that the package needs to walk it, counted from the first call of its `_recon`; more
            than CPython has left is a RecursionError there.
    """

    words: frozenset[str]
    depth: int


def lcs_path_definition(reference: Words, prediction: Words) -> Path:
    """Fill the whole table of lengths, then walk back from its end: the definition, in time O(n m).

    The walk takes a match wherever it stands on one; else it goes one word back in the reference if that keeps a
    strictly longer subsequence, and in the prediction if not.
    """
    table = _lcs_table(reference, prediction)
    i, j = len(reference), len(prediction)
    words, level, depth = set(), 1, 1
    while i and j:
        if reference[i - 1] == prediction[j - 1]:
            words.add(reference[i - 1])
            i, j = i - 1, j - 1
        else:
            # Looking up the neighbours compares keys of the table: one level, two if an index is not a shared int.
            depth = max(depth, level + (1 if max(i, j) <= _LARGEST_SHARED_INT else 2))
            i, j = (i - 1, j) if table[i - 1][j] > table[i][j - 1] else (i, j - 1)
        level += 1
    return Path(frozenset(words), max(depth, level))


def _lcs_table(reference: Words, prediction: Words) -> list[list[int]]:
    table = [[0] * (len(prediction) + 1)]
    for word in reference:
        above, row = table[-1], [0]
        for j, other in enumerate(prediction):
            row.append(above[j] + 1 if word == other else max(above[j + 1], row[j]))
        table.append(row)
    return table


class Sentence(NamedTuple):
    """A sentence, and where its words are.

    Attributes:
        words: The words in order, repeats included.
        places: For each distinct word the set of its places, as an int whose bit j stands for word j.
    """

    words: Words
    places: dict[str, int]


def index_words(words: Words) -> Sentence:
    """Find the places of each word."""
    places: dict[str, int] = {}
    for j, word in enumerate(words):
        places[word] = places.get(word, 0) | (1 << j)
    return Sentence(words, places)


def lcs_path(reference: Sentence, prediction: Sentence) -> Path:
    """Walk the same path as the definition over rows of bits, one big-integer step a reference word.

    Neighbours in a row of the table differ by 0 or 1, so a row is the set of places where it rises. Off a match, the
    entry above is the longer neighbour exactly if the row rises here; so in each row the walk goes left to the nearest
    match or rise, takes it, and is done with the row.
    """
    rises = _lcs_rises(reference, prediction)
    matched: list[str] = []
    i, j, edge_row = len(reference.words), len(prediction.words), 0
    while i and j:
        word = reference.words[i - 1]
        matches = prediction.places.get(word, 0)
        j = ((matches | rises[i - 1]) & ((1 << j) - 1)).bit_length()
        if not j:
            edge_row = i  # nothing to the left: the walk leaves the table in this row, by a step that is no match
            break
        i -= 1
        if matches >> (j - 1) & 1:
            matched.append(word)
            j -= 1
    steps = len(reference.words) - i + len(prediction.words) - j - len(matched)
    return Path(frozenset(matched), steps + (1 if edge_row <= _LARGEST_SHARED_INT else 2))


def _lcs_rises(reference: Sentence, prediction: Sentence) -> list[int]:
    """For each reference word, find where its row of the table rises: bit j is set if prediction word j adds one.

    Source: Hyyrö, Bit-Parallel LCS-Length Computation Revisited (2004). Cut a row into stretches that each end with a
    rise: in every stretch that holds a match, the carry of the sum moves the rise back to the first match.
    """
    everywhere = (1 << len(prediction.words)) - 1
    level = everywhere  # where the row does not rise
    rises = []
    for word in reference.words:
        matches = prediction.places.get(word, 0)
        if matches:
            found = level & matches
            level = ((level + found) | (level - found)) & everywhere
        rises.append(everywhere ^ level)
    return rises
