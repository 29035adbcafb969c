"""The rules by which published scores came about, as a closed list: the simplest first, free choices last.

A rule is a function from the evidence of a task to its candidates: what the score would be, and in words why. To add a
rule, write the function, give it a row in `RULES` and a row in docs/explain.md; the shared tests run over every row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from longbench_eval.scoring.explain.evidence import ENGLISH, LEVENSHTEIN, Evidence, Means, Values
from longbench_eval.scoring.explain.repeats import in_words, names_of, repeated, runs_in
from longbench_eval.scoring.explain.written import WHOLE, Numbers
from longbench_eval.scoring.profiles import PROFILES
from longbench_eval.tasks import BUCKETS, TASKS

_RUN_SHARE = 0.5  # fewer rows are copies, not a run of their own


class Candidate(NamedTuple):
    """What a rule gives.

    Attributes:
        numbers: The score, unrounded but for rules of rounding.
        detail: The rule in words, with its numbers.
        combined: Whether another edit similarity goes with it, which makes it less simple.
    """

    numbers: Numbers
    detail: str
    combined: bool = False


Candidates = Iterable[Candidate]


@dataclass(frozen=True, slots=True)
class Rule:
    """One way in which a published score may have come about.

    Attributes:
        slug: Its name.
        about: What it means, for people.
        candidates: What it gives for a task; nothing where it does not apply or does not differ from the official one.
        searched: Whether it tries so many choices that one may well fit by chance.
    """

    slug: str
    about: str
    candidates: Callable[[Evidence], Candidates]
    searched: bool = False


def _profile(name: str) -> Callable[[Evidence], Candidates]:
    """A profile's own score, where it gives some row another value than a simpler one does."""

    def candidates(task: Evidence) -> Candidates:
        if name in task.values and task.in_official_form:
            yield Candidate(task.numbers(task.values[name]), _scored_as(task, name))

    return candidates


def _scored_as(task: Evidence, name: str) -> str:
    copies = len(repeated(task.suite, task.task, names_of(task.rows)))
    rows = f"all {len(task.rows)} rows" + (f", {copies} of them repeated" if copies else "")
    if name not in task.edits:
        return f"{rows}; {PROFILES[name].about}"
    edit = "python-Levenshtein" if name == LEVENSHTEIN else "difflib"
    return f"{rows}; edit similarity of {edit}" if TASKS[task.task].metric == "code_sim" else rows


def _english_error(task: Evidence) -> Candidates:
    if ENGLISH.name in task.raised:
        detail = "the English metric raises on these reference answers; its error was taken as 0.0"
        yield Candidate(dict.fromkeys(task.committed, 0.0), detail)


def _english(task: Evidence) -> Candidates:
    if ENGLISH.name in task.values:
        metric = ENGLISH.replaced[TASKS[task.task].metric]
        yield Candidate(task.numbers(task.values[ENGLISH.name]), f"all {len(task.rows)} rows by the English {metric}")


def _rouge_raised(task: Evidence) -> Candidates:
    if TASKS[task.task].metric in ("rouge", "rouge_zh"):
        detail = "every ROUGE raised, which counts 0.0: the module `rouge` was missing, or another package's"
        yield Candidate(dict.fromkeys(task.committed, 0.0), detail)


def _each_edit(find: Callable[[Evidence, Values], Candidates]) -> Callable[[Evidence], Candidates]:
    """The rule on top of the official values, and for code on top of those by the other edit similarity."""

    def candidates(task: Evidence) -> Candidates:
        for way, values in task.edits.items():
            for found in find(task, values):
                yield _with_levenshtein(found) if way == LEVENSHTEIN else found

    return candidates


def _with_levenshtein(candidate: Candidate) -> Candidate:
    return candidate._replace(detail=f"{candidate.detail}; edit similarity of python-Levenshtein", combined=True)


def _once(task: Evidence, values: Values) -> Candidates:
    """Each row counted once, by its first prediction or by its last; a file of whole runs is another rule's."""
    names = names_of(task.rows)
    if _is_whole_runs(task, names):
        return
    for kept, copies in (("first", repeated(task.suite, task.task, names)), ("last", _earlier(task, names))):
        if copies:
            left_out, lines = set(copies), in_words([position + 1 for position in copies])
            positions = [position for position in range(len(names)) if position not in left_out]
            rows = f"{len(copies)} repeated row{'' if len(copies) == 1 else 's'}"
            detail = f"{rows} counted once, by the {kept} prediction (left out: line {lines})"
            yield Candidate(task.numbers(values, positions), detail)


def _earlier(task: Evidence, names: Sequence[str]) -> list[int]:
    """Positions of the rows that come again."""
    return sorted(len(names) - 1 - position for position in repeated(task.suite, task.task, names[::-1]))


def _is_whole_runs(task: Evidence, names: Sequence[str]) -> bool:
    """Whether the file is the same rows some times over, one run after the other."""
    lengths = [len(run) for run in runs_in(task.suite, task.task, names)]
    return len(lengths) > 1 and len(set(lengths)) == 1


def _appended(task: Evidence, values: Values) -> Candidates:
    """One of the runs in the file alone, or the file as it was before the last ones were appended."""
    runs = _whole_runs(task, names_of(task.rows))
    if len(runs) < 2:
        return
    stand = f"{len(runs)} runs stand in the file one after the other"
    for number, run in enumerate(runs, 1):
        detail = f"{stand}; scored was run {number} alone, lines {run.start + 1} to {run.stop}"
        yield Candidate(task.numbers(values, run), detail)
    for count in range(2, len(runs)):
        detail = f"{stand}; scored were the first {count}, lines 1 to {runs[count - 1].stop}"
        yield Candidate(task.numbers(values, range(runs[count - 1].stop)), detail)


def _whole_runs(task: Evidence, names: Sequence[str]) -> list[range]:
    least = _RUN_SHARE * len(set(names))
    return [run for run in runs_in(task.suite, task.task, names) if len(run) >= least]


def _other_buckets(task: Evidence, values: Values) -> Candidates:
    if WHOLE in task.committed:
        return
    for words, first, second in _EDGES:
        edged = Means(task.committed, _edged(first, second))
        lengths = [row.length for row in task.rows]
        for value, length in zip(values, lengths, strict=True):
            edged.add(value, length)
        if moved := sum(length is not None and _is_moved(length, first, second) for length in lengths):
            yield Candidate(edged.numbers(), f"buckets {words}: {moved} rows are in another one")


# What is said of the edges, and the lengths that the second and the third bucket begin with; official: 4000 and 8000.
_EDGES = (
    ("up to 4000 and 8000 inclusive", 4001, 8001),
    ("below 4096 and 8192", 4096, 8192),
    ("up to 4096 and 8192 inclusive", 4097, 8193),
)


def _edged(first: int, second: int) -> Callable[[int], str]:
    return lambda length: BUCKETS[(length >= first) + (length >= second)]


def _is_moved(length: int, first: int, second: int) -> bool:
    return 4000 <= length < first or 8000 <= length < second


def _other_averaging(task: Evidence, values: Values) -> Candidates:
    """Other means and other printing; nothing where the official ones fit, from which some differ but in a tie."""
    official = task.numbers(values)
    if not task.in_official_form:
        yield from _other_form(task, values, official)
    elif not task.fits(official):
        yield from _other_means(task, values)
        yield from _other_printing(task, official)


def _other_form(task: Evidence, values: Values, numbers: Numbers) -> Iterator[Candidate]:
    """One number for LongBench-E, or numbers by bucket for LongBench."""
    if not task.suite.has_buckets:
        yield Candidate(numbers, "means by length, as of LongBench-E")
        return
    yield Candidate(numbers, "one mean over all rows, not by length")
    by_bucket = Means(BUCKETS)
    for value, row in zip(values, task.rows, strict=True):
        by_bucket.add(value, row.length)
    found = [number for number in by_bucket.numbers().values() if number is not None]
    if found:
        yield Candidate({WHOLE: math.fsum(found) / len(found)}, f"the mean of the {len(found)} buckets' means")


def _other_means(task: Evidence, values: Values) -> Iterator[Candidate]:
    yield Candidate(task.numbers([round(value, 2) for value in values]), "every row rounded to 2 decimals first")
    answered = [position for position, row in enumerate(task.rows) if row.pred.strip()]
    if empty := len(values) - len(answered):
        yield Candidate(task.numbers(values, answered), f"{empty} rows without an answer left out of the mean")
    yield from _missing_as_zero(task, values)


def _missing_as_zero(task: Evidence, values: Values) -> Iterator[Candidate]:
    there = Means(task.committed)
    for value, row in zip(values, task.rows, strict=True):
        there.add(value, row.length)
    expected = _expected(task)
    if missing := sum(max(n - there.counts[cell], 0) for cell, n in expected.items()):
        filled = {cell: 100 * there.sums[cell] / max(n, there.counts[cell], 1) for cell, n in expected.items()}
        yield Candidate(filled, f"{missing} missing rows counted as 0, over all {sum(expected.values())}")


def _expected(task: Evidence) -> dict[str, int]:
    """Rows the data have for each number."""
    if WHOLE in task.committed:
        return {WHOLE: task.suite.counts[task.task]}
    by_bucket = zip(BUCKETS, TASKS[task.task].bucket_rows or (0, 0, 0), strict=True)
    return {bucket: n for bucket, n in by_bucket if bucket in task.committed}


def _other_printing(task: Evidence, official: Numbers) -> Iterator[Candidate]:
    yield Candidate(_each(official, lambda number: number / 100), "on the scale from 0 to 1")
    decimals = max((number.decimals for number in task.committed.values()), default=0)
    for fewer in range(min(decimals, 3) - 1, -1, -1):
        yield Candidate(_each(official, partial(round, ndigits=fewer)), f"rounded to {_decimals(fewer)}")
    for kept in range(min(decimals, 2), -1, -1):
        yield Candidate(_each(official, partial(_cut, decimals=kept)), f"cut, not rounded, to {_decimals(kept)}")


def _each(numbers: Numbers, change: Callable[[float], float]) -> Numbers:
    return {cell: None if number is None else change(number) for cell, number in numbers.items()}


def _cut(number: float, decimals: int) -> float:
    scale = float(10**decimals)
    return math.floor(number * scale + 1e-9) / scale


def _decimals(count: int) -> str:
    return f"{count} decimal{'' if count == 1 else 's'}" if count else "a whole number"


def _first_rows(task: Evidence, values: Values) -> Candidates:
    """The file as it was with fewer rows, the longest first."""
    n, sums, found = len(values), Means(task.committed), []
    for count, (value, row) in enumerate(zip(values[:-1], task.rows[:-1], strict=True), 1):
        sums.add(value, row.length)
        found.append(Candidate(sums.numbers(), f"the first {count} of {n} rows"))
    return reversed(found)


RULES: Sequence[Rule] = (
    Rule("official", "the official scorer with its official requirements", _profile("official")),
    Rule(LEVENSHTEIN, "the official scorer where python-Levenshtein is installed (code)", _profile(LEVENSHTEIN)),
    *(
        Rule(name, f"the rules of {name}, where they give a row another value", _profile(name))
        for name in PROFILES
        if name not in ("official", LEVENSHTEIN)
    ),
    Rule(
        "english-rule-error", "the English metric raised on a Chinese task; its error was taken as 0.0", _english_error
    ),
    Rule("english-rule", "the English metric on a Chinese task", _english),
    Rule("rouge-raised", "every ROUGE raised and counted 0.0: no package `rouge`, or another one", _rouge_raised),
    Rule("ignored-duplicates", "rows that stand in the file more than once counted once", _each_edit(_once)),
    Rule(
        "appended-runs", "the file holds several runs; one of them was scored, or the first ones", _each_edit(_appended)
    ),
    Rule("other-buckets", "LongBench-E's buckets with other edges", _each_edit(_other_buckets)),
    Rule("other-averaging", "another mean, scale or rounding", _each_edit(_other_averaging)),
    Rule("first-N-rows", "scored before the file was complete", _each_edit(_first_rows), searched=True),
)
