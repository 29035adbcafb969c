"""What the API tells of runs, tables and rows, against the files and the scorer."""

import json
import os

import pytest

from longbench_eval import score
from longbench_eval.predictions import read_predictions
from samples import TASKS_USED
from viewer.conftest import asker, client_of


def test_the_list_has_every_run_with_its_scores(ask, folder):
    listed = ask("runs")
    runs = {run["name"]: run for run in listed["runs"]}
    assert {"cut", "whole", "pred/other tool"} < runs.keys()
    assert listed["whole"]
    summary = json.loads((folder.runs / "cut" / "summary.json").read_text("utf-8"))
    assert runs["cut"]["tasks"] == {task: summary["tasks"][task]["score"] for task in TASKS_USED}
    assert (runs["cut"]["kind"], runs["cut"]["state"], runs["cut"]["rows"], runs["cut"]["planned"]) == (
        "run",
        "scored",
        36,
        36,
    )
    assert (runs["pred/other tool"]["kind"], runs["pred/other tool"]["state"]) == ("folder", "unscored")


def test_a_folder_of_predictions_is_scored_when_it_is_looked_at(ask, folder):
    name = "pred/other tool"
    page, expected = ask("run", run=name), score(folder.runs / name)
    assert page["state"] == "scored"
    assert page["signature"] == str(expected.signature)
    assert {task["task"]: task["score"] for task in page["tasks"]} == {t: s.score for t, s in expected.tasks.items()}
    assert next(run for run in ask("runs")["runs"] if run["name"] == name)["state"] == "unscored" or page


def test_warnings_name_the_row_to_look_at(own_folder):
    path = own_folder.runs / "cut" / "predictions" / "qasper.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rows[2]["pred"] = "<think> without an end"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    os.utime(path, (2e9, 2e9))  # after the summary
    ask = asker(client_of(own_folder))
    assert next(run for run in ask("runs")["runs"] if run["name"] == "cut")["state"] == "stale"
    page = ask("run", run="cut")
    qasper = next(task for task in page["tasks"] if task["task"] == "qasper")
    assert {warning["line"] for warning in qasper["warnings"] if "thinking" in warning["text"]} == {3}
    marked = ask("rows", run="cut", task="qasper", mark="thinking-unclosed")
    assert [row["line"] for row in marked["rows"]] == [3]


def test_a_run_that_grows_is_read_again(own_folder):
    ask = asker(client_of(own_folder))
    assert ask("rows", run="cut", task="samsum")["n"] == 4
    path = own_folder.runs / "cut" / "predictions" / "samsum.jsonl"
    with path.open("a", encoding="utf-8") as file:
        file.write('{"pred": "more", "answers": ["answer"], "length": 1}\n{"pred": "torn')
    table = ask("rows", run="cut", task="samsum")
    assert table["n"] == 5
    assert table["problems"] == []  # a torn last line is being written, and no fault


def test_scores_in_the_table_are_the_scorers(ask, folder):
    expected = score(folder.runs / "cut")
    for task in TASKS_USED:
        rows = ask("rows", run="cut", task=task)["rows"]
        assert [row["score"] for row in rows] == [one.value for one in expected.tasks[task].scores]


VALUES = {
    "line": lambda row: row["line"],
    "score": lambda row: row["score"],
    "other": lambda row: row["other"],
    "difference": lambda row: abs(row["difference"]),
    "length": lambda row: row["length"],
    "tokens": lambda row: row["tokens"],
}


@pytest.mark.parametrize("down", ["", "1"])
@pytest.mark.parametrize("sort", VALUES)
def test_sorting(ask, sort, down):
    rows = ask("rows", run="cut", task="qasper", with_="whole", sort=sort, down=down)["rows"]
    values = [VALUES[sort](row) for row in rows]
    assert values == sorted(values, reverse=bool(down))
    assert sorted(row["line"] for row in rows) == list(range(1, 13))


@pytest.mark.parametrize("other", ["whole", "pred/other tool"])
def test_rows_are_paired_by_id_or_by_answers_and_length(ask, other):
    """The plain predictions are those of `whole`, without ids: the pairs are the same."""
    rows = ask("rows", run="cut", task="multifieldqa_zh", with_=other)["rows"]
    assert [row["other"] == 1.0 for row in rows] == [True, False] * 6
    assert all(row["difference"] == row["other"] - row["score"] for row in rows)


def test_repeated_rows_without_ids_are_paired_in_order(own_folder):
    row = {"answers": ["same"], "all_classes": None, "length": 5}
    for name, preds in (("a", ["same", "x"]), ("b", ["x", "same", "same"])):
        path = own_folder.runs / name / "qasper.jsonl"
        path.parent.mkdir()
        path.write_text("".join(json.dumps({"pred": pred, **row}) + "\n" for pred in preds), "utf-8")
    rows = asker(client_of(own_folder))("rows", run="a", task="qasper", with_="b")["rows"]
    assert [(row["score"], row["other"]) for row in rows] == [(1.0, 0.0), (0.0, 1.0)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("NOT 3", [4]),  # of a prediction, in any case
        ("answer 11", [12]),  # of a reference answer
        ("question 7 of qasper", [8]),  # of the data
        ("nowhere at all", []),
    ],
)
def test_search(ask, text, lines):
    table = ask("rows", run="whole", task="qasper", q=text)
    assert [row["line"] for row in table["rows"]] == lines
    assert (table["matched"], table["n"], table["whole"]) == (len(lines), 12, True)


def test_search_stops_and_says_so(ask, monkeypatch):
    monkeypatch.setattr("longbench_eval.viewer.search.SEARCH_SECONDS", -1.0)
    assert ask("rows", run="whole", task="qasper", q="answer")["whole"] is False


def test_all_tasks_in_pages(ask, monkeypatch):
    table = ask("rows", run="cut", sort="score")
    assert {row["task"] for row in table["rows"]} == set(TASKS_USED)
    assert sum(table["histogram"]) == table["n"] == 36
    fullest = max(range(10), key=lambda tenth: table["histogram"][tenth])
    assert ask("rows", run="cut", score=fullest)["matched"] == table["histogram"][fullest]
    assert ask("rows", run="cut", page=1)["rows"] == []


def test_questions_come_from_the_data(ask):
    assert ask("questions", run="cut", task="qasper", lines="2,5,99,x") == {
        "2": "question 1 of qasper?",
        "5": "question 4 of qasper?",
    }


def test_a_row_has_its_neighbours_in_the_order_it_was_opened_from(ask):
    order = [
        row["line"] for row in ask("rows", run="cut", task="qasper", with_="whole", sort="difference", down=1)["rows"]
    ]
    row = ask("row", run="cut", task="qasper", line=order[3], with_="whole", sort="difference", down=1)
    assert (row["previous"]["line"], row["next"]["line"]) == (order[2], order[4])
    assert (row["place"], row["of"]) == (4, 12)
    first = ask("row", run="cut", task="qasper", line=1, list="*")
    assert first["previous"] is None
    assert ask("row", run="cut", task="qasper", line=12, list="*")["next"] == {"task": "multifieldqa_zh", "line": 1}


def test_a_row_tells_everything_of_its_line(ask, folder):
    line = read_predictions(folder.runs / "cut" / "predictions" / "qasper.jsonl")[4]
    row = ask("row", run="cut", task="qasper", line=5, with_="whole")
    assert "".join(text for text, _ in row["pred"]) == line.pred
    assert row["answers"] == [{"text": "answer 4", "total": 8}]
    assert row["facts"]["prompt_sha256"] == line.extra["prompt_sha256"]
    assert row["timing"]["latency_s"] >= 0
    assert row["id"] == line.id
    assert {mark["name"] for mark in row["marks"]} >= {"truncated"}
    assert row["other"]["pred"] == [[" ", ""], ["answer", "hit"], [" ", ""], ["4", "hit"]]
    assert row["other"]["why"] == "2 words shared, of 2 predicted and 2 in the answer: precision 100%, recall 100%"


def test_the_same_row_in_other_runs(ask):
    found = ask("others", run="cut", task="qasper", line=5, most=50)
    assert {row["run"]: row["score"] for row in found["rows"]}.items() >= {("whole", 1.0), ("pred/other tool", 1.0)}
    assert found["next"] is None
    assert ask("others", run="cut", task="qasper", line=5, most=1)["next"] == 1


@pytest.mark.parametrize(
    ("call", "query", "status", "says"),
    [
        ("run", {}, 400, "run is missing"),
        ("run", {"run": "../.."}, 404, "no run"),
        ("run", {"run": "/etc"}, 404, "no run"),
        ("rows", {"run": "cut", "task": "hotpotqa"}, 404, "no rows of 'hotpotqa'"),
        ("rows", {"run": "cut", "task": "../../data/data/qasper"}, 404, "no rows"),
        ("rows", {"run": "cut", "sort": "scores"}, 400, "Did you mean 'score'"),
        ("rows", {"run": "cut", "page": "-1"}, 400, "whole number"),
        ("rows", {"run": "cut", "with": "nobody"}, 404, "nobody"),
        ("row", {"run": "cut", "task": "qasper", "line": "13"}, 404, "line 13"),
        ("row", {"run": "cut", "task": "qasper", "line": "9" * 30}, 400, "whole number"),
        ("prompt", {"run": "cut", "task": "qasper", "line": "0"}, 404, "line 0"),
    ],
)
def test_what_is_not_there(ask, call, query, status, says):
    assert says in ask(call, status, **query)["error"]
