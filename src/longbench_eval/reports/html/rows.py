"""A sampled row as a page shows it: question, prediction with its match marked, answers, why it scored so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from longbench_eval.dataset import load_rows
from longbench_eval.errors import LongBenchError
from longbench_eval.metrics import METRICS
from longbench_eval.metrics.evidence import explain_match
from longbench_eval.records import Example
from longbench_eval.reports.html.read import Reported, ReportSettings
from longbench_eval.reports.html.sample import Chosen, choose
from longbench_eval.reports.html.texts import fold
from longbench_eval.scoring.profiles import get_profile
from longbench_eval.scoring.rows import classes_of
from longbench_eval.viewer.matches import mark_answer, mark_prediction, pieces
from longbench_eval.viewer.telling import tell

_ANSWERS = 8
_MARKED = 20_000


def sampled(run: Reported, settings: ReportSettings) -> list[dict[str, Any]]:
    """The rows of a run that its report shows."""
    chosen = choose(run.summary, settings.sample, settings.seed)
    questions = _questions(run, chosen, settings.data)
    return [_row(run, one, questions.get((one.task, one.row.id or "")), settings) for one in chosen]


def _questions(run: Reported, chosen: Sequence[Chosen], data: Path | None) -> Mapping[tuple[str, str], Example]:
    """Rows by their ids, where the data are at hand and the predictions have ids."""
    tasks, ids = sorted({one.task for one in chosen}), {one.row.id or "" for one in chosen}
    place = data or _own_data(run)
    if place is None and run.summary.suite.is_longbench:
        return {}
    try:
        rows = load_rows(run.summary.suite, tasks, place, allow_unofficial=True)
        return {(task, example.id): example for task, found in rows.items() for example in found.examples.only(ids)}
    except (LongBenchError, OSError):
        return {}


def _own_data(run: Reported) -> Path | None:
    given = run.manifest.settings.get("data") if run.manifest else None
    return Path(given) if isinstance(given, str) and run.summary.suite.is_longbench else None


def _row(run: Reported, one: Chosen, example: Example | None, settings: ReportSettings) -> dict[str, Any]:
    row, task = one.row, run.summary.suite.task(one.task)
    question = fold([[example.input[:_MARKED], ""]], len(example.input)) if example and example.input else None
    return {
        "task": one.task,
        "line": row.line or one.position + 1,
        "id": row.id,
        "why": one.why,
        "score": one.score.value,
        "metric": task.metric,
        "code": task.category == "code",
        "question": question,
        "facts": list(_facts(row.extra)),
        **_judged(run, one, task.metric, settings),
    }


def _judged(run: Reported, one: Chosen, metric: str, settings: ReportSettings) -> dict[str, Any]:
    row, profile = one.row, get_profile(settings.profile)
    best = one.score.answer_index
    plain = [{"best": n == best, **_text(answer)} for n, answer in enumerate(row.answers[:_ANSWERS])]
    more = max(0, len(row.answers) - _ANSWERS)
    if not row.answers or row.failed:
        return {"pred": _text(row.pred), "answers": plain, "more_answers": more, "evidence": ""}
    name, answer = profile.replaced.get(metric, metric), row.answers[best]
    if run.summary.suite.is_own(one.task) and name not in METRICS:
        return {"pred": _text(row.pred), "answers": plain, "more_answers": more, "evidence": ""}
    classes = classes_of(one.task, run.summary.tasks[one.task].rows, profile, run.summary.suite)[one.position]
    match = explain_match(name, one.score.extracted, answer, classes)
    pred = mark_prediction(metric, row.pred[:_MARKED], one.score.extracted[:_MARKED], answer, match)
    if best < len(plain):
        plain[best] = {"best": True, **fold(mark_answer(metric, answer, match), len(answer))}
    judged = {"pred": fold(pred, len(row.pred)), "answers": plain, "more_answers": more}
    return {**judged, "evidence": tell(match)}


def _text(text: str) -> dict[str, Any]:
    return fold(pieces(text[:_MARKED], (), 0, min(len(text), _MARKED)), len(text))


def _facts(extra: Mapping[str, Any]) -> Any:
    """What else is on record, in a few words each."""
    for key, words in (("prompt_tokens", "prompt tokens"), ("completion_tokens", "answer tokens")):
        if isinstance(extra.get(key), int):
            yield f"{extra[key]:,} {words}"
    if isinstance(cut := extra.get("truncation"), dict) and isinstance(cut.get("tokens_before"), int):
        yield f"cut from {cut['tokens_before']:,} tokens"
    if extra.get("finish_reason") == "length":
        yield "ended by the token cap"
    if isinstance(error := extra.get("error"), dict):
        yield f"error: {str(error.get('message', ''))[:300]}"
