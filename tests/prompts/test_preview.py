"""`longbench-eval prompt` shows what a run would send."""

import sys

import pytest

from longbench_eval.cli import main
from longbench_eval.errors import DataError, UsageError
from longbench_eval.records import Prompt, Truncation
from longbench_eval.runs import preview as preview_module
from longbench_eval.runs.preview import marked
from longbench_eval.runs.preview import preview as preview_with_notes
from longbench_eval.runs.settings import RunSettings
from samples import TASKS_USED, write_sample_data
from toys import MARKS, ScriptedModel, ToyTokenizer


@pytest.fixture
def data(tmp_path):
    return write_sample_data(tmp_path / "data", n=4)


@pytest.fixture
def toy_model(monkeypatch):
    """Every model's name opens a toy that holds 1,000 tokens."""
    toy = ScriptedModel([], ToyTokenizer())
    toy.window = toy.capacity = 1000
    monkeypatch.setattr(preview_module, "open_model", lambda spec, options: toy)
    return toy


def settings(data, **rest):
    return RunSettings(**{"tasks": TASKS_USED, "data": data, "allow_unofficial": True, **rest})


def preview(*what):
    return preview_with_notes(*what)[0]


WHOLE = "Read.\ncontext 1 of qasper: the answers are here. 上下文\nAsk: question 1 of qasper?\nSay:"


def test_without_a_model_the_rendered_prompt(data):
    assert preview("qasper", "1", None, settings(data)).text == WHOLE


def test_by_number_and_by_id(data, toy_model):
    by_number = preview("qasper", "1", "toy", settings(data))
    assert by_number.text == f"<user>{WHOLE}<bot>"
    assert preview("qasper", by_number.example_id, "toy", settings(data)) == by_number


def test_the_cut_is_marked_where_it_is(data, toy_model):
    shown = marked(preview("qasper", "1", "toy", settings(data, max_input_tokens=20)))
    assert shown == (
        "<user>Read.\ncont\n[[[ 70 tokens, 64 characters cut here; this line is not sent ]]]\nsper?\nSay:<bot>"
    )


def test_m_leaves_room_for_the_longest_answer_of_the_run(data, toy_model):
    toy_model.capacity = 128 + 2 + 32 + 40
    narrow = preview("multifieldqa_zh", "0", "toy", settings(data, max_input_tokens=200))
    (note,) = [
        n for n in preview_with_notes("qasper", "0", "toy", settings(data, max_input_tokens=200))[1] if "cut" in n
    ]
    assert "cut to 40 tokens instead of 200" in note
    assert narrow.truncation.tokens_after == 40, "samsum and qasper answer with 128 tokens"
    alone = settings(data, max_input_tokens=200, tasks=("multifieldqa_zh",))
    assert preview("multifieldqa_zh", "0", "toy", alone).truncation.tokens_after == 104, "it alone with 64"


def test_nothing_is_marked_in_a_prompt_that_fitted():
    assert marked(Prompt("a", "text", False, None, None)) == "text"


def test_the_mark_counts_from_the_body():
    prompt = Prompt("a", "<user>headtail", True, None, Truncation(9, 8, 4, 5, 4), body_start=6)
    assert marked(prompt).splitlines()[0] == "<user>head"


@pytest.mark.parametrize("row", ["4", "-1", "no such id", ""])
def test_a_row_that_is_not_there(data, row):
    with pytest.raises(DataError, match="give a number from 0 to 3, or an _id"):
        preview("qasper", row, None, settings(data))


def test_an_unknown_task(data):
    with pytest.raises(UsageError, match="'qasper'"):
        preview("qaspar", "0", None, settings(data))


def test_ids(data, toy_model, monkeypatch, capsys):
    words = ["prompt", "qasper", "1", "--model", "toy", "--tasks", "qasper", "--data", str(data), "--ids"]
    monkeypatch.setattr(sys, "argv", ["longbench-eval", *words, "--allow-unofficial"])
    with pytest.raises(SystemExit) as leaving:
        main()
    assert not leaving.value.code
    assert capsys.readouterr().out.split() == [*map(str, [MARKS["<user>"], *WHOLE.encode(), MARKS["<bot>"]])]
