"""The calls of the API: each takes a shelf and the query of the address, and returns what becomes JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from longbench_eval.errors import UsageError, unknown_name
from longbench_eval.version import __version__
from longbench_eval.viewer.marks import MARKS
from longbench_eval.viewer.prompt import prompt_page, prompt_text
from longbench_eval.viewer.query import Query, Sort
from longbench_eval.viewer.row import other_page, others_page, row_page
from longbench_eval.viewer.run_page import run_page
from longbench_eval.viewer.search import question_of
from longbench_eval.viewer.shelf import Shelf, TaskFile
from longbench_eval.viewer.table import make_table
from longbench_eval.viewer.table_page import table_page
from longbench_eval.viewer.wire import PIECE

Call = Callable[[Shelf, Mapping[str, str]], Any]
_MOST_TEXT = 1_000_000
_MOST_QUESTIONS = 1000


def _runs(shelf: Shelf, given: Mapping[str, str]) -> Any:
    walk = shelf.walk()
    runs = [shelf.card(found).to_json() for found in walk.found.values()]
    return {"folder": str(shelf.root), "version": __version__, "whole": walk.whole, "runs": runs, "marks": MARKS}


def _run(shelf: Shelf, given: Mapping[str, str]) -> Any:
    found = shelf.find(_text(given, "run"))
    return run_page(found, shelf.card(found, scored=True), shelf.suite(found))


def _card(shelf: Shelf, given: Mapping[str, str]) -> Any:
    return shelf.card(shelf.find(_text(given, "run")), scored=True).to_json()


def _rows(shelf: Shelf, given: Mapping[str, str]) -> Any:
    found, query = shelf.find(_text(given, "run")), _query(shelf, given)
    return table_page(make_table(shelf, found, query), _number(given, "page", 0))


def _questions(shelf: Shelf, given: Mapping[str, str]) -> Any:
    """The beginnings of the questions of some lines; null where the data are not at hand."""
    file = shelf.task(shelf.find(_text(given, "run")), _text(given, "task"))
    lines = [int(line) for line in given.get("lines", "").split(",")[:_MOST_QUESTIONS] if line.isdecimal()]
    places = [(line, place) for line in lines if (place := file.lines.position_of(line)) is not None]
    found = {line: question_of(shelf, file, place, file.lines.read(place)) for line, place in places}
    return {line: text and text[:240] for line, text in found.items()}


def _row(shelf: Shelf, given: Mapping[str, str]) -> Any:
    """A row, the same of the run it is compared with, and its neighbours in the table that it was opened from."""
    file, position = _place(shelf, given)
    query = _query(shelf, given, task="" if given.get("list") == "*" else file.task)
    shape = row_page(shelf, file, position)
    if query.other is not None:
        shape["other"] = other_page(shelf, file, position, query.other)
    return {
        **shape,
        "run": file.found.name,
        "model": shelf.card(file.found).model,
        **_walk(shelf, file, position, query),
    }


def _walk(shelf: Shelf, file: TaskFile, position: int, query: Query) -> dict[str, Any]:
    lines = make_table(shelf, file.found, query).lines
    at = next((i for i, line in enumerate(lines) if (line.file.task, line.position) == (file.task, position)), None)
    if at is None:
        return {"place": None, "of": len(lines), "previous": None, "next": None}
    ends = {"previous": lines[at - 1] if at else None, "next": lines[at + 1] if at + 1 < len(lines) else None}
    places = {
        name: line and {"task": line.file.task, "line": line.file.lines.numbers[line.position]}
        for name, line in ends.items()
    }
    return {"place": at + 1, "of": len(lines), **places}


def _others(shelf: Shelf, given: Mapping[str, str]) -> Any:
    file, position = _place(shelf, given)
    return others_page(shelf, file, position, _number(given, "start", 0), min(_number(given, "most", 8), 50))


def _prompt(shelf: Shelf, given: Mapping[str, str]) -> Any:
    return prompt_page(shelf, *_place(shelf, given))


def _text_of(shelf: Shelf, given: Mapping[str, str]) -> Any:
    """Some characters of a long text: of the prediction, or of the prompt."""
    file, position = _place(shelf, given)
    start = _number(given, "start", 0)
    end = min(_number(given, "end", start + PIECE), start + _MOST_TEXT)
    if given.get("of") == "prompt":
        return {"text": prompt_text(shelf, file, position, start, end)}
    return {"text": file.lines.read(position).pred[start:end]}


CALLS: Mapping[str, Call] = {
    "runs": _runs,
    "run": _run,
    "card": _card,
    "rows": _rows,
    "questions": _questions,
    "row": _row,
    "others": _others,
    "prompt": _prompt,
    "text": _text_of,
}
"""The API, by name."""


def _query(shelf: Shelf, given: Mapping[str, str], task: str | None = None) -> Query:
    sort = given.get("sort") or "line"
    if sort not in get_args(Sort):
        raise unknown_name("sort", sort, get_args(Sort))
    return Query(
        task=given.get("task", "") if task is None else task,
        other=shelf.find(given["with"]) if given.get("with") else None,
        sort=sort,  # type: ignore[arg-type]  # just checked
        down=given.get("down") == "1",
        text=given.get("q", "")[:1000],
        mark=given.get("mark", ""),
        score=_number(given, "score", 0) if given.get("score") else None,
    )


def _place(shelf: Shelf, given: Mapping[str, str]) -> tuple[TaskFile, int]:
    file = shelf.task(shelf.find(_text(given, "run")), _text(given, "task"))
    return file, file.position_of(_number(given, "line", 0))


def _text(given: Mapping[str, str], name: str) -> str:
    if not given.get(name):
        raise UsageError(f"{name} is missing; expected ?{name}=...")
    return given[name]


def _number(given: Mapping[str, str], name: str, default: int) -> int:
    text = given.get(name) or str(default)
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise UsageError(f"{name} is {text[:40]!r}; expected a whole number from 0.")
    return int(text)
