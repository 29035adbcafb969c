"""What the rules look at: one task's rows, its published score, and row values under every way to score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from longbench_eval.errors import DataError
from longbench_eval.predictions import Prediction
from longbench_eval.scoring.averages import bucket_of
from longbench_eval.scoring.explain.written import WHOLE, Committed, Numbers, fits
from longbench_eval.scoring.profiles import PROFILES, Profile
from longbench_eval.scoring.rows import OFFICIAL, score_row, score_rows
from longbench_eval.tasks import TASKS, Suite

ENGLISH = Profile(
    "english-rule",
    "the English metric on a Chinese task",
    replaced={"qa_f1_zh": "qa_f1", "rouge_zh": "rouge", "retrieval_zh": "retrieval"},
)
LEVENSHTEIN = "official-levenshtein"
WAYS: Sequence[Profile] = (*PROFILES.values(), ENGLISH)
_EDITS = ("official", LEVENSHTEIN)
Values = Sequence[float]
Memo = dict[tuple[int, tuple[object, ...]], float]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One task.

    Attributes:
        suite: Whose rows they are.
        task: Its name.
        rows: The predictions, in the order of the file.
        committed: The published score.
        values: A value a row in [0, 1], by way of scoring; only ways whose values are no simpler way's.
        raised: What a way raised that cannot score these rows.
    """

    suite: Suite
    task: str
    rows: Sequence[Prediction] = field(repr=False)
    committed: Committed
    values: Mapping[str, Values] = field(repr=False)
    raised: Mapping[str, str]

    @property
    def in_official_form(self) -> bool:
        """Whether the score is one number in LongBench, numbers by bucket in LongBench-E."""
        return self.suite.has_buckets == (WHOLE not in self.committed)

    @property
    def edits(self) -> dict[str, Values]:
        """The official values, and for code also those by the other edit similarity."""
        return {way: self.values[way] for way in _EDITS if way in self.values}

    def numbers(self, values: Values, positions: Sequence[int] | None = None) -> dict[str, float | None]:
        """The score of these rows, all by default: 100 times the mean, by bucket where the published score is."""
        sums = Means(self.committed)
        for position in range(len(values)) if positions is None else positions:
            sums.add(values[position], self.rows[position].length)
        return sums.numbers()

    def fits(self, numbers: Numbers) -> bool:
        """Whether these are the published numbers."""
        return fits(self.committed, numbers)


class Means:
    """Running means, whole or by bucket; rows are added one by one, as eval.py adds them.

    Attributes:
        sums: The sum of the values in each cell.
        counts: How many rows each cell has.
    """

    def __init__(self, cells: Iterable[str], bucket: Callable[[int], str] = bucket_of) -> None:
        self.sums = dict.fromkeys(cells, 0.0)
        self.counts = dict.fromkeys(self.sums, 0)
        self._bucket = bucket

    def add(self, value: float, length: int | None) -> None:
        """Add a row; one without a length is in no bucket."""
        cell = WHOLE if WHOLE in self.sums else None if length is None else self._bucket(length)
        if cell in self.sums:
            self.sums[cell] += value
            self.counts[cell] += 1

    def numbers(self) -> dict[str, float | None]:
        """100 times the means so far."""
        return {cell: 100 * total / n if (n := self.counts[cell]) else None for cell, total in self.sums.items()}


def gather(suite: Suite, task: str, rows: Sequence[Prediction], committed: Committed) -> Evidence:
    """Score the rows in every way that differs.

    Raises:
        DataError: The official scorer cannot use the answers of a row.
    """
    official = [score.value for score in score_rows(task, rows, OFFICIAL, suite)]
    values: dict[str, Values] = {OFFICIAL.name: official}
    raised: dict[str, str] = {}
    memo: Memo = {}
    _remember(memo, suite, task, rows, official)
    for way in WAYS[1:]:
        try:
            found = list(_score(memo, suite, task, rows, way))
        except (DataError, ValueError) as error:
            raised[way.name] = str(error)
            continue
        if all(found != known for known in values.values()):
            values[way.name] = found
    return Evidence(suite, task, rows, committed, values, raised)


# Most ways differ from the official one in few tasks, or in few rows: what is compared, and how, is the key.
def _key(suite: Suite, task: str, row: Prediction, way: Profile) -> tuple[object, ...]:
    known, several = TASKS[task], len(row.answers) > 1
    text = way.extraction(suite)(known, row.pred)
    joined = (known.metric in way.summed, way.between.get(known.metric)) if several else (False, None)
    return (way.metric(known.metric), text, *joined)


def _remember(
    memo: Memo,
    suite: Suite,
    task: str,
    rows: Sequence[Prediction],
    values: Values,
) -> None:
    for position, (row, value) in enumerate(zip(rows, values, strict=True)):
        memo[position, _key(suite, task, row, OFFICIAL)] = value


def _score(
    memo: Memo,
    suite: Suite,
    task: str,
    rows: Sequence[Prediction],
    way: Profile,
) -> Iterator[float]:
    if TASKS[task].metric == "classification":  # whose classes count depends on the file; it is quick
        yield from (score.value for score in score_rows(task, rows, way, suite))
        return
    for position, row in enumerate(rows):
        key = position, _key(suite, task, row, way)
        if key not in memo:
            memo[key] = score_row(task, row.pred, row.answers, row.all_classes, way, suite).value
        yield memo[key]
