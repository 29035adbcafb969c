"""From predictions to a summary: scores, counts, warnings, and the averages that may be formed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from longbench_eval.predictions import Prediction
from longbench_eval.records import Score
from longbench_eval.scoring.averages import Average, Averages, averages_of, bucket_percents, flat_averages, percent
from longbench_eval.scoring.census import Census, take_census
from longbench_eval.scoring.profiles import Profile
from longbench_eval.scoring.rows import score_rows
from longbench_eval.scoring.summary import Counts, Summary, TaskSummary
from longbench_eval.scoring.suspicion import Suspicion, suspect_answers, suspect_rows
from longbench_eval.signature import Signature
from longbench_eval.tasks import BUCKETS, CATEGORIES, Suite


def summarize(
    signature: Signature,
    suite: Suite,
    files: Mapping[str, Sequence[Prediction]],
    profile: Profile,
    warnings: Sequence[str] = (),
    censuses: Mapping[str, Census] | None = None,
    stored: Mapping[str, Sequence[Score]] | None = None,
) -> Summary:
    """Score predictions and average them.

    Args:
        signature: What is known of how the predictions were made; the profile is added.
        suite: What they are measured against; tasks it lacks are left out.
        files: Predictions by task.
        profile: How to score.
        warnings: What the reader must know beyond the tasks' own warnings.
        censuses: Which rows the predictions are of, by task; taken when not given.
        stored: Row scores of this profile that are known already, by task; these are not scored again.

    Raises:
        DataError: A row has answers or classes that its task's metric cannot use.
    """
    scored = signature.add(**_thinking(signature, files), profile=profile.name, edit=profile.edit)
    known, counted, known_scores = _known_kinds(signature, suite), censuses or {}, stored or {}
    tasks = {
        task: summarize_task(suite, task, files[task], profile, known, counted.get(task), known_scores.get(task))
        for task in suite.all_tasks
        if task in files
    }
    if not suite.has_buckets:
        cells = _cells(suite, tasks)
        categories, overall = averages_of(suite, cells)
        flat = flat_averages(suite, cells)
        return Summary(scored, profile.name, suite, tasks, categories, overall, None, tuple(warnings), flat)
    by_length = {bucket: averages_of(suite, _cells(suite, tasks, bucket)).overall["All"] for bucket in BUCKETS}
    categories, overall = _ONLY_BY_LENGTH
    return Summary(scored, profile.name, suite, tasks, categories, overall, by_length, tuple(warnings))


def _thinking(signature: Signature, files: Mapping[str, Sequence[Prediction]]) -> dict[str, str]:
    """Thoughts that were taken off, where nobody had asked whether the model thinks."""
    told = "thinking" in signature.choices
    return {} if told or not any("thinking" in row.extra for rows in files.values() for row in rows) else _STRIPPED


_STRIPPED = {"thinking": "stripped"}
_WITHHELD = Average(None, ("LongBench-E is averaged by length: see bucket_averages",))
_ONLY_BY_LENGTH = Averages(dict.fromkeys(CATEGORIES, _WITHHELD), dict.fromkeys(("EN", "ZH", "All"), _WITHHELD))


def _cells(suite: Suite, tasks: Mapping[str, TaskSummary], bucket: str | None = None) -> dict[str, Average]:
    none = "" if any(task in tasks for task in suite.tasks) else f"no task of {suite.name} is here"
    missing = {task: Average(None, (none or f"{task} is missing",)) for task in suite.tasks}
    return missing | {name: task.cell(bucket) for name, task in tasks.items()}


def _known_kinds(signature: Signature, suite: Suite) -> frozenset[str]:
    """Kinds of suspicion that are no news: told elsewhere, or meant to be so."""
    known = {"rows-doubled"}
    if {"limit", "shard"} & signature.choices.keys():
        known.add("rows-missing")
    if signature.choices.get("data") == "unofficial":
        known.add("rows-foreign")
    if not suite.is_longbench:
        known.add("capped")  # the demo's caps are small, to be quick
    return frozenset(known)


def summarize_task(
    suite: Suite,
    task: str,
    rows: Sequence[Prediction],
    profile: Profile,
    known: Collection[str] = (),
    census: Census | None = None,
    stored: Sequence[Score] | None = None,
) -> TaskSummary:
    """Score one task's predictions and say what is odd about them, but for `known` kinds of suspicion."""
    scores = score_rows(task, rows, profile, suite) if stored is None else stored
    values = [score.value for score in scores]
    census, counts = census or take_census(suite, task, rows), _count(rows)
    return TaskSummary(
        task=task,
        value=percent(values),
        n=len(rows),
        expected_n=census.expected_n,
        scores=tuple(scores),
        ids=tuple(row.id for row in rows),
        counts=counts,
        warnings=(*_warnings(suite, rows, counts), *_doubled(suite, rows, values, census)),
        suspicions=tuple(sign for sign in _suspicions(suite, task, rows, census) if sign.kind not in known),
        gap=next((f"{task} has {lack}" for lack in _lacks(suite, rows, census, counts)), ""),
        buckets=bucket_percents(values, [row.length for row in rows]) if suite.has_buckets else None,
        rows=rows,
    )


def _count(rows: Sequence[Prediction]) -> Counts:
    return Counts(
        failed=sum(row.failed for row in rows),
        truncated=sum(row.extra.get("truncation") is not None for row in rows),
        empty=sum(not row.failed and not row.pred.strip() for row in rows),
        capped=sum(row.extra.get("finish_reason") == "length" for row in rows),
        unfinished=sum(row.unfinished for row in rows),
    )


def _lacks(suite: Suite, rows: Sequence[Prediction], census: Census, counts: Counts) -> Iterator[str]:
    """What keeps a task out of the averages."""
    if census.distinct_n != census.expected_n:
        yield f"{census.distinct_n} of {census.expected_n} rows"
    if census.foreign:
        yield f"{len(census.foreign)} foreign rows"
    if counts.failed:
        yield f"{counts.failed} failed rows"
    if lengthless := _lengthless(suite, rows):
        yield f"{lengthless} rows without length"


def _lengthless(suite: Suite, rows: Sequence[Prediction]) -> int:
    return sum(row.length is None for row in rows) if suite.has_buckets else 0


def _warnings(suite: Suite, rows: Sequence[Prediction], counts: Counts) -> Iterator[str]:
    if counts.failed:
        yield f"{counts.failed} rows have no answer; they count 0, as an empty prediction does officially"
    if lengthless := _lengthless(suite, rows):
        yield f"{lengthless} rows have no length; they are in no bucket"


def _suspicions(suite: Suite, task: str, rows: Sequence[Prediction], census: Census) -> Iterator[Suspicion]:
    yield from suspect_answers(suite, task, rows)
    yield from suspect_rows(suite, rows, census)


def _doubled(suite: Suite, rows: Sequence[Prediction], values: Sequence[float], census: Census) -> Iterator[str]:
    """What the official scorer would not tell: it counts a row as often as it stands in the file."""
    if not census.doubled:
        return
    line, again = _line(rows, census.doubled[0]), set(census.doubled)
    once = [(value, row.length) for i, (value, row) in enumerate(zip(values, rows, strict=True)) if i not in again]
    yield (
        f"{len(again)} rows are repeated, the first in line {line}; they count again, as they do officially; "
        f"without them the score is {_score_text(suite, once)}"
    )


def _score_text(suite: Suite, scored: Sequence[tuple[float, int | None]]) -> str:
    values, lengths = [value for value, _ in scored], [length for _, length in scored]
    if not suite.has_buckets:
        return f"{percent(values):.2f}"
    found = bucket_percents(values, lengths)
    return ", ".join(f"{bucket} {value:.2f}" for bucket, value in found.items() if value is not None)


def _line(rows: Sequence[Prediction], position: int) -> int:
    return rows[position].line or position + 1
