"""Everything about one row, and the same row in other runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from longbench_eval.metrics.evidence import explain_match
from longbench_eval.predictions import Prediction
from longbench_eval.records import Score
from longbench_eval.viewer.finding import Found, stamp_of
from longbench_eval.viewer.kept import Kept
from longbench_eval.viewer.marks import MARKS, is_too_long, names_of
from longbench_eval.viewer.matches import mark_answer, mark_prediction, pieces
from longbench_eval.viewer.shelf import NotThereError, Shelf, TaskFile, pair
from longbench_eval.viewer.telling import facts_of, tell
from longbench_eval.viewer.wire import clip, small

_ANSWERS = 200
_EXCERPT = 1200
_LONGEST_FACT = 2000


def row_page(shelf: Shelf, file: TaskFile, position: int) -> dict[str, Any]:
    """A row with its prediction, answers, evidence and facts; without its prompt, which is asked for apart."""
    row, classes, score = shelf.read(file, position)
    marks = names_of(shelf.scored(file).marks[position])
    return {
        "task": file.task,
        "line": row.line,
        "n": len(file.lines),
        "id": row.id,
        "metric": file.suite.task(file.task).metric,
        "first_line": file.suite.task(file.task).first_line,
        "cap": file.suite.cap(file.task),
        "length": row.length,
        "marks": [{"name": name, "about": MARKS[name]} for name in marks],
        "answers": [clip(answer, 5000) for answer in row.answers[:_ANSWERS]],
        "answer_count": len(row.answers),
        "classes": list(row.all_classes or ())[:_ANSWERS],
        **judged(file, row, classes, score),
        "facts": _facts(row),
        "timing": _timing(shelf, file, row),
    }


def judged(file: TaskFile, row: Prediction, classes: Sequence[str] | None, score: Score | None) -> dict[str, Any]:
    """A prediction with its match marked, its score and why."""
    shape: dict[str, Any] = {"total": len(row.pred), "failed": row.failed}
    if score is None or not row.answers:
        why = (
            MARKS["too-long"]
            if is_too_long(file.suite, file.task, row)
            else "there is no answer that it can be scored by"
        )
        return {**shape, "score": None, "pred": pieces(row.pred, (), 0, len(row.pred)), "answer": None, "why": why}
    metric, answer = file.suite.task(file.task).metric, row.answers[score.answer_index]
    evidence = explain_match(metric, score.extracted, answer, classes)
    return {
        **shape,
        "score": score.value,
        "extracted": clip(score.extracted, _EXCERPT),
        "pred": mark_prediction(metric, row.pred, score.extracted, answer, evidence),
        "answer": {"index": score.answer_index, "pieces": mark_answer(metric, answer, evidence)},
        "why": tell(evidence),
        "evidence": facts_of(evidence),
    }


def _facts(row: Prediction) -> dict[str, Any]:
    """What else the line holds, whatever tool wrote it."""
    return {str(key)[:200]: small(value, _LONGEST_FACT) for key, value in list(row.extra.items())[:50]}


_TIMINGS: Kept[Mapping[int, int]] = Kept(8)


def _timing(shelf: Shelf, file: TaskFile, row: Prediction) -> Any:
    """The last line of `timings.jsonl` about a row."""
    path = file.found.path / "timings.jsonl"
    if not file.found.is_run or row.id is None or not path.is_file():
        return None
    offset = _TIMINGS.get(path, stamp_of(path), lambda: _index_timings(path)).get(hash((file.task, row.id)))
    if offset is None:
        return None
    with path.open("rb") as lines:
        lines.seek(offset)
        return small(json.loads(lines.readline()))


def _index_timings(path: Path) -> Mapping[int, int]:
    found, offset = dict[int, int](), 0
    with path.open("rb") as lines:
        for raw in lines:
            try:
                record = json.loads(raw)
                found[hash((record["task"], record["_id"]))] = offset
            except (ValueError, KeyError, TypeError, RecursionError):
                pass  # a torn line, which the next start of the run repairs
            offset += len(raw)
    return found


def counterpart(shelf: Shelf, file: TaskFile, position: int, other: Found) -> tuple[TaskFile, int]:
    """The same row in another run. Its suite is taken to be this one's: a row's official score does not depend on it.

    Raises:
        NotThereError: It has no such row.
    """
    second = shelf.task(other, file.task, file.suite)
    place = pair(file.lines, second.lines).get(position)
    if place is None:
        raise NotThereError(f"{other.name} has no answer to this row")
    return second, place


def other_page(shelf: Shelf, file: TaskFile, position: int, other: Found) -> dict[str, Any]:
    """What another run answered to the same row; `missing` says why there is nothing."""
    about = {"run": other.name, "model": shelf.card(other).model}
    try:
        second, place = counterpart(shelf, file, position, other)
    except NotThereError as error:
        return {**about, "missing": str(error)}
    row, classes, score = shelf.read(second, place)
    marks = names_of(shelf.scored(second).marks[place])
    shape = judged(second, row, classes, score)
    return {**about, **shape, "line": row.line, "marks": [{"name": name, "about": MARKS[name]} for name in marks]}


def others_page(shelf: Shelf, file: TaskFile, position: int, start: int, most: int) -> dict[str, Any]:
    """Other runs' answers, `most` runs from the `start`-th on: scores, and how the predictions begin."""
    runs = list(shelf.others(file))
    rows = [row for other in runs[start : start + most] for row in _brief(shelf, file, position, other)]
    return {"runs": len(runs), "next": start + most if start + most < len(runs) else None, "rows": rows}


def _brief(shelf: Shelf, file: TaskFile, position: int, other: Found) -> Iterator[dict[str, Any]]:
    try:
        second, place = counterpart(shelf, file, position, other)
    except NotThereError:
        return
    row, _, score = shelf.read(second, place)
    about = {"run": other.name, "model": shelf.card(other).model, "line": row.line, "failed": row.failed}
    yield {**about, "score": score.value if score else None, "pred": clip(row.pred, _EXCERPT)}
