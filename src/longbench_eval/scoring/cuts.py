"""What the length limit cut out of a run's prompts, and what it may have cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from longbench_eval.predictions import Prediction
from longbench_eval.scoring.averages import percent, two_decimals
from longbench_eval.scoring.summary import Summary, TaskSummary


@dataclass(frozen=True, slots=True)
class AnswersCut:
    """Where the reference answers of cut rows stood; each row counts once.

    Attributes:
        lost: In the part that was cut, and nowhere else.
        both: In the part that was cut, and in what was kept too.
        kept: Only in what was kept.
        nowhere: In no part, as it is worded.
        untold: The question makes no sense for the row, or the run did not record it.
    """

    lost: int = 0
    both: int = 0
    kept: int = 0
    nowhere: int = 0
    untold: int = 0


@dataclass(frozen=True, slots=True)
class Cuts:
    """The cut rows of one task, or of several.

    Attributes:
        rows: How many rows were cut.
        n: Of how many.
        tokens_lost: Tokens that were cut out of them, in all.
        value: The score of the cut rows, on the 0 to 100 scale; None without any.
        uncut_value: The score of the other rows.
        answers: Where their answers stood.
    """

    rows: int
    n: int
    tokens_lost: int
    value: float | None
    uncut_value: float | None
    answers: AnswersCut

    def to_json(self) -> dict[str, Any]:
        """The key `cut` of a task of `score --cut --json`."""
        return {
            "rows": self.rows,
            "tokens_lost": self.tokens_lost,
            "score": two_decimals(self.value),
            "uncut_score": two_decimals(self.uncut_value),
            "answers": asdict(self.answers),
        }


def cuts_of(task: TaskSummary) -> Cuts | None:
    """What was cut out of a task's rows; None where the predictions do not say."""
    if not any("truncation" in row.extra for row in task.rows):
        return None
    cut = [_cut_of(row) is not None for row in task.rows]
    values = [score.value for score in task.scores]
    return Cuts(
        rows=sum(cut),
        n=len(cut),
        tokens_lost=sum(_tokens_lost(row) for row in task.rows),
        value=percent([value for value, is_cut in zip(values, cut, strict=True) if is_cut]),
        uncut_value=percent([value for value, is_cut in zip(values, cut, strict=True) if not is_cut]),
        answers=_count([row for row, is_cut in zip(task.rows, cut, strict=True) if is_cut]),
    )


def all_cuts(summary: Summary) -> dict[str, Cuts]:
    """What was cut, by task, of the tasks whose predictions say."""
    found = {name: cuts_of(task) for name, task in summary.tasks.items()}
    return {name: cuts for name, cuts in found.items() if cuts is not None}


def headline(summary: Summary) -> str:
    """One sentence on what was cut; empty where nothing was."""
    cuts = all_cuts(summary).values()
    rows, tokens = sum(one.rows for one in cuts), sum(one.tokens_lost for one in cuts)
    lost = sum(one.answers.lost for one in cuts)
    if not rows:
        return ""
    answers = f"; in {lost} of them the answer stood only in the part that was cut" if lost else ""
    return f"cut to fit: {rows:,} of {sum(one.n for one in cuts):,} rows, {tokens:,} tokens lost{answers}"


def _cut_of(row: Prediction) -> Mapping[str, Any] | None:
    """The record of the cut; one that some other tool wrote may hold anything."""
    cut = row.extra.get("truncation")
    if cut is None:
        return None
    return cut if isinstance(cut, dict) else {}


def _tokens_lost(row: Prediction) -> int:
    cut = _cut_of(row) or {}
    before, after = cut.get("tokens_before"), cut.get("tokens_after")
    return before - after if type(before) is int and type(after) is int else 0


_PLACES = {(True, False): "lost", (True, True): "both", (False, True): "kept", (False, False): "nowhere"}


def _count(rows: Sequence[Prediction]) -> AnswersCut:
    counts = Counter(map(_place, rows))
    return AnswersCut(**{field.name: counts[field.name] for field in fields(AnswersCut)})


def _place(row: Prediction) -> str:
    place = (_cut_of(row) or {}).get("answer")
    cut, kept = (place.get("cut"), place.get("kept")) if isinstance(place, dict) else (None, None)
    return _PLACES[cut, kept] if isinstance(cut, bool) and isinstance(kept, bool) else "untold"
