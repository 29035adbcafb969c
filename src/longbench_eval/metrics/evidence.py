"""What a score rests on: for each metric a small record, from which the score follows.

The records are plain data, so that they can be written beside a row's score; `value` is what the metric returns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from longbench_eval.metrics.classification import named_classes, without_parts
from longbench_eval.metrics.code_sim import code_line, difflib_ratio, indel_ratio, whole_percent
from longbench_eval.metrics.count import numbers_in
from longbench_eval.metrics.f1 import chinese_bag, english_bag
from longbench_eval.metrics.metric import Classes
from longbench_eval.metrics.retrieval import paragraph_number, paragraph_number_zh
from longbench_eval.metrics.rouge import MAX_DEPTH, MAX_DEPTH_ZH, LcsUnion, lcs_union
from longbench_eval.metrics.segment import spaced
from longbench_eval.metrics.text import Bag, chinese_words, english_words, f1, shared_words


@dataclass(frozen=True, slots=True)
class SharedWords:
    """Of `qa_f1` and `qa_f1_zh`.

    Attributes:
        words: The words that prediction and answer share, and how often: the lesser of the two counts.
        predicted: Number of words of the prediction, after normalization.
        referenced: Number of words of the answer.
    """

    words: Mapping[str, int]
    predicted: int
    referenced: int

    @property
    def value(self) -> float:
        """The F1."""
        return f1(sum(self.words.values()), self.predicted, self.referenced)


@dataclass(frozen=True, slots=True)
class CommonSubsequences:
    """Of `rouge` and `rouge_zh`.

    Attributes:
        words: The distinct words on the longest common subsequences of all pairs of sentences, sorted.
        predicted: Number of distinct words of the prediction.
        referenced: Number of distinct words of the answer.
        raised: Whether the reference implementation raises, which scores 0.0; then the rest is empty.
    """

    words: tuple[str, ...]
    predicted: int
    referenced: int
    raised: bool = False

    @property
    def value(self) -> float:
        """The F-measure."""
        return 0.0 if self.raised else LcsUnion(set(self.words), self.predicted, self.referenced).f_measure


@dataclass(frozen=True, slots=True)
class Numbers:
    """Of `count`, `retrieval` and `retrieval_zh`.

    Attributes:
        found: The numbers in the prediction, in order.
        sought: The right one.
    """

    found: tuple[str, ...]
    sought: str

    @property
    def value(self) -> float:
        """The share of right ones."""
        return self.found.count(self.sought) / len(self.found) if self.found else 0.0


@dataclass(frozen=True, slots=True)
class NamedClasses:
    """Of `classification`.

    Attributes:
        found: The classes that occur in the prediction.
        kept: Those that count: parts of the right one are removed, but for the quirk of `without_parts`.
        sought: The right class.
    """

    found: tuple[str, ...]
    kept: tuple[str, ...]
    sought: str

    @property
    def value(self) -> float:
        """One divided by the number of classes that count, if the right one is among them."""
        return 1.0 / len(self.kept) if self.sought in self.kept else 0.0


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """Of `code_sim` and `code_sim_levenshtein`.

    Attributes:
        line: The line of the prediction that is compared.
        ratio: Its similarity to the answer before rounding, in [0, 1].
    """

    line: str
    ratio: float

    @property
    def value(self) -> float:
        """The similarity in whole hundredths."""
        return whole_percent(self.ratio)


Evidence: TypeAlias = SharedWords | CommonSubsequences | Numbers | NamedClasses | ComparedLine


def explain_match(metric: str, prediction: str, answer: str, classes: Classes = None) -> Evidence:
    """Tell what `METRICS[metric](prediction, answer, classes)` rests on; its value is that of the metric.

    Raises:
        KeyError: There is no such metric.
        ValueError: The metric cannot use this answer, or needs classes.
    """
    return _EXPLAIN[metric](prediction, answer, classes)


def _shared_words(prediction: Bag, answer: list[str]) -> SharedWords:
    return SharedWords(shared_words(prediction, answer), prediction.size, len(answer))


def _subsequences(prediction: str, answer: str, max_depth: int) -> CommonSubsequences:
    union = lcs_union(prediction, answer, max_depth)
    if union is None:
        return CommonSubsequences((), 0, 0, raised=True)
    return CommonSubsequences(tuple(sorted(union.words)), union.predicted, union.referenced)


def _numbers(prediction: str, number: str) -> Numbers:
    return Numbers(tuple(numbers_in(prediction)), number)


def _classes(prediction: str, answer: str, classes: Classes) -> NamedClasses:
    found = named_classes(prediction, classes)
    return NamedClasses(tuple(found), tuple(without_parts(found, answer)), answer)


def _line(prediction: str, answer: str, ratio: Callable[[str, str], float]) -> ComparedLine:
    line = code_line(prediction)
    return ComparedLine(line, ratio(line, answer))


_EXPLAIN: dict[str, Callable[[str, str, Classes], Evidence]] = {
    "qa_f1": lambda prediction, answer, _: _shared_words(english_bag(prediction), english_words(answer)),
    "qa_f1_zh": lambda prediction, answer, _: _shared_words(chinese_bag(prediction), chinese_words(spaced(answer))),
    "rouge": lambda prediction, answer, _: _subsequences(prediction, answer, MAX_DEPTH),
    "rouge_zh": lambda prediction, answer, _: _subsequences(spaced(prediction), spaced(answer), MAX_DEPTH_ZH),
    "classification": _classes,
    "retrieval": lambda prediction, answer, _: _numbers(prediction, paragraph_number(answer)),
    "retrieval_zh": lambda prediction, answer, _: _numbers(prediction, paragraph_number_zh(answer)),
    "count": lambda prediction, answer, _: _numbers(prediction, answer),
    "code_sim": lambda prediction, answer, _: _line(prediction, answer, difflib_ratio),
    "code_sim_levenshtein": lambda prediction, answer, _: _line(prediction, answer, indel_ratio),
}
