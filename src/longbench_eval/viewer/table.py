"""The rows of a run as a table: filtered, searched, sorted, beside another run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from longbench_eval.viewer.finding import Found
from longbench_eval.viewer.lines import NONE
from longbench_eval.viewer.marks import Scored, bit_of, names_of, weight_of
from longbench_eval.viewer.query import Line, Query, Sort
from longbench_eval.viewer.search import search
from longbench_eval.viewer.shelf import Shelf, TaskFile, pair

_BINS = 10


@dataclass(frozen=True, slots=True)
class Table:
    """What a query found.

    Attributes:
        lines: Its rows, in order.
        n: Rows before filtering.
        marks: How many of those have each mark.
        histogram: How many have a score in each tenth.
        mean: Their mean score, or None; with `other_mean` over the rows that both runs have.
        paired: How many rows the other run has too.
        whole: Whether the search came to its end.
    """

    lines: Sequence[Line]
    n: int
    marks: Mapping[str, int]
    histogram: Sequence[int]
    mean: float | None
    means_of_pairs: tuple[float, float] | None = None
    paired: int = 0
    whole: bool = True
    problems: Sequence[str] = ()


def make_table(shelf: Shelf, found: Found, query: Query) -> Table:
    """Answer a query.

    Raises:
        NotThereError: The run has no such task.
    """
    files = shelf.tasks(found, query.task)
    lines = [line for file in files for line in _lines(shelf, file, query.other)]
    paired = [(line.score, line.other) for line in lines if line.other is not None]
    chosen, whole = search(shelf, [line for line in lines if _fits(line, query)], query.text)
    return Table(
        lines=_sorted(chosen, query),
        n=len(lines),
        marks=_count_marks(line.marks for line in lines),
        histogram=histogram([line.score for line in lines]),
        mean=_mean([line.score for line in lines]),
        means_of_pairs=(fsum(a for a, _ in paired) / len(paired), fsum(b for _, b in paired) / len(paired))
        if paired
        else None,
        paired=len(paired),
        whole=whole,
        problems=[f"{file.task}, {problem.text}" for file in files for problem in file.lines.problems],
    )


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


def _count_marks(marks: Iterator[int]) -> Mapping[str, int]:
    counts = Counter(marks)
    found: Counter[str] = Counter()
    for bits, n in counts.items():
        found.update(dict.fromkeys(names_of(bits), n))
    return found


def histogram(scores: Sequence[float]) -> list[int]:
    """How many scores lie in each tenth; 1.0 is in the last."""
    counts = Counter(tenth(score) for score in scores)
    return [counts[number] for number in range(_BINS)]


def tenth(score: float) -> int:
    """The tenth that a score lies in; the perfect ROUGE-L of 0.999999995 is in the last, as 1.0 is."""
    return min(max(int(score * _BINS), 0), _BINS - 1)


def _lines(shelf: Shelf, file: TaskFile, other: Found | None) -> Iterator[Line]:
    scored, pairs, others = shelf.scored(file), dict[int, int](), None
    if other is not None and file.task in other.files:
        second = shelf.task(other, file.task)
        pairs, others = pair(file.lines, second.lines), shelf.scored(second)
    for at in range(len(file.lines)):
        place = pairs.get(at)
        value = _score_at(others, place)
        yield Line(file, at, scored.scores[at], scored.marks[at], value, place)


def _score_at(scored: Scored | None, place: int | None) -> float | None:
    return None if scored is None or place is None else scored.scores[place]


def _fits(line: Line, query: Query) -> bool:
    if query.mark and not line.marks & bit_of(query.mark):
        return False
    return query.score is None or tenth(line.score) == query.score


_VALUES: Mapping[Sort, Callable[[Line], float | None]] = {
    "line": lambda line: None,
    "score": lambda line: line.score,
    "other": lambda line: line.other,
    "difference": lambda line: None if line.difference is None else abs(line.difference),
    "length": lambda line: known(line.file.lines.lengths[line.position]),
    "tokens": lambda line: known(line.file.lines.tokens[line.position]),
    "marks": lambda line: weight_of(line.marks),
}


def known(value: int) -> int | None:
    """A number of an index, or None where it holds none."""
    return None if value == NONE else value


def _sorted(lines: list[Line], query: Query) -> list[Line]:
    """Sort stably by file order; rows whose value is not known come last, either way."""
    if query.sort == "line":
        return lines[::-1] if query.down else lines
    value = _VALUES[query.sort]
    known = [(number, line) for line in lines if (number := value(line)) is not None]
    known.sort(key=lambda item: -item[0] if query.down else item[0])
    return [line for _, line in known] + [line for line in lines if value(line) is None]
