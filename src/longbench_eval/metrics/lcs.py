"""The longest common subsequence of two sentences as `rouge` 1.0.1 walks it, as a definition and fast.

ROUGE-L needs the words on one longest common subsequence. There may be several; which one is taken, and how deep the
recursion that takes it goes, are properties of that package (`_recon_lcs` in rouge_score.py) and decide scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

Words: TypeAlias = Sequence[str]

# CPython keeps one object for each int up to here. A larger index in a key of the package's table is compared by value,
# for which CPython 3.11 needs one more level of recursion.
_LARGEST_SHARED_INT = 256


class Path(NamedTuple):
    """One longest common subsequence.

    Attributes:
        words: The words on it, the last one first.
        depth: Levels of recursion that the package needs to walk it, counted from the first call of its `_recon`; more
            than CPython has left is a RecursionError there.
    """

    words: list[str]
    depth: int


def lcs_path_definition(reference: Words, prediction: Words) -> Path:
    """Fill the whole table of lengths, then walk back from its end: the definition, in time O(n m).

    The walk takes a match wherever it stands on one; else it goes one word back in the reference if that keeps a
    strictly longer subsequence, and in the prediction if not.
    """
    table = _lcs_table(reference, prediction)
    i, j = len(reference), len(prediction)
    words, level, depth = [], 1, 1
    while i and j:
        if reference[i - 1] == prediction[j - 1]:
            words.append(reference[i - 1])
            i, j = i - 1, j - 1
        else:
            # Looking up the neighbours compares keys of the table: one level, two if an index is not a shared int.
            depth = max(depth, level + (1 if max(i, j) <= _LARGEST_SHARED_INT else 2))
            i, j = (i - 1, j) if table[i - 1][j] > table[i][j - 1] else (i, j - 1)
        level += 1
    return Path(words, max(depth, level))


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
        length: Number of words, repeats included.
        places: For each distinct word the set of its places, as an int whose bit j stands for word j.
    """

    length: int
    places: dict[str, int]


def index_words(words: Words) -> Sentence:
    """Find the places of each word."""
    places: dict[str, int] = {}
    place = 1
    for word in words:
        if word in places:
            places[word] |= place
        else:
            places[word] = place
        place += place
    return Sentence(len(words), places)


def lcs_path(reference: Words, prediction: Sentence) -> Path:
    """Walk the same path as the definition over rows of bits."""
    words, row, left = walk(reference, prediction)
    columns, edge_row = left.bit_length(), 0
    if row and columns:
        columns, edge_row = 0, row  # nothing to the left: out of the table in this row, by a step that is no match
    steps = len(reference) - row + prediction.length - columns - len(words)
    return Path(words, steps + (1 if edge_row <= _LARGEST_SHARED_INT else 2))


def walk(reference: Words, prediction: Sentence) -> tuple[list[str], int, int]:
    """Find the words on the path, the last one first, and where it stops: the rows and the places that are left.

    Neighbours in a row of the table differ by 0 or 1, so a row is the set of places where it rises. Off a match, the
    entry above is the longer neighbour exactly if the row rises here; so in each row the walk goes left to the nearest
    match or rise, takes it, and is done with the row. The rows of words that the prediction lacks rise where the row
    above them does; they are not kept, and of several in a row only the lowest can move the walk.

    The rows are filled as in Hyyrö, Bit-Parallel LCS-Length Computation Revisited (2004). Cut a row into stretches that
    each end with a rise: in every stretch that holds a match, the carry of the sum moves the rise to the first match.
    """
    level = left = (1 << prediction.length) - 1  # where the row does not rise; the places the walk has not passed
    rows: list[tuple[int, int, int]] = []  # number, matches, rises (and ones beyond the sentence)
    for i, matches in enumerate(map(prediction.places.get, reference)):
        if matches:
            found = level & matches
            level = (level + found) | (level - found)
            rows.append((i, matches, ~level))
    words: list[str] = []
    row = len(reference)  # the walk is done with this one and those below
    for i, matches, rises in reversed(rows):
        if row > i + 1:  # there are words between that the prediction lacks
            stops = left & rises
            if not stops:
                break
            left = (1 << stops.bit_length()) - 1
        stops = left & (matches | rises)
        if not stops:
            break
        place = 1 << (stops.bit_length() - 1)
        if matches & place:
            words.append(reference[i])
            left = place - 1
        else:
            left = 2 * place - 1
        row = i
    return words, row, left
