"""The viewer shows tasks of one's own by what the run's manifest tells of them."""

import pytest

from longbench_eval import RunSettings, run
from longbench_eval.viewer.prompt import prompt_page
from longbench_eval.viewer.row import row_page
from longbench_eval.viewer.run_page import run_page
from longbench_eval.viewer.shelf import Shelf
from own_samples import write_sorting, write_task


@pytest.fixture(params=["longbench", "demo"])
def shelf(tmp_path, request):
    files = (write_task(tmp_path), write_sorting(tmp_path))
    settings = RunSettings(request.param, ("leases", "letters"), files, out=tmp_path / "runs" / "mine")
    run(lambda request: "a bill of sale" if request.task == "letters" else "", settings)
    for path in files:
        path.unlink()
    return Shelf(tmp_path / "runs")


def test_the_run_is_listed_with_its_rows(shelf):
    card = shelf.card(shelf.find("mine"), scored=True)
    assert (card.rows, card.planned, card.problem) == (6, 6, "")


def test_the_page_of_the_run(shelf):
    found = shelf.find("mine")
    tasks = {
        task["task"]: task for task in run_page(found, shelf.card(found, scored=True), shelf.suite(found))["tasks"]
    }
    assert list(tasks) == ["leases", "letters"]
    assert (tasks["letters"]["category"], tasks["letters"]["score"]) == ("your own: sorting mail", 83.33)


def test_the_page_of_a_row(shelf):
    letters = shelf.task(shelf.find("mine"), "letters")
    assert [row_page(shelf, letters, at)["score"] for at in range(3)] == [1.0, 0.5, 1.0]
    leases = shelf.task(shelf.find("mine"), "leases")
    shown = row_page(shelf, leases, 0)
    assert (shown["metric"], shown["cap"]) == ("qa_f1", 16)
    assert "empty" in {mark["name"] for mark in shown["marks"]}


def test_the_prompt_is_not_at_hand(shelf):
    leases = shelf.task(shelf.find("mine"), "leases")
    assert "leases is a task of your own" in prompt_page(shelf, leases, 0)["problem"]
