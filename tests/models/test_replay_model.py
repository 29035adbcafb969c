"""Recorded answers, found again by task and `_id`."""

import json
import time

import pytest

from longbench_eval.errors import DataError, ModelError
from longbench_eval.models import ModelOptions, open_model
from longbench_eval.models.replay import ReplayModel, open_replay
from longbench_eval.records import Completion, Failure
from toys import request

OFFICIAL = {"answers": ["x"], "all_classes": None, "length": 1}


def record(folder, task, rows):
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({**OFFICIAL, **row}) + "\n" for row in rows]
    (folder / f"{task}.jsonl").write_text("".join(lines), encoding="utf-8")


@pytest.fixture
def recorded(tmp_path):
    predictions = tmp_path / "my run, v=2" / "predictions"
    told = {"finish_reason": "newline", "prompt_tokens": 5, "completion_tokens": 2}
    record(predictions, "samsum", [{"pred": " from samsum\n", "_id": "a", **told}, {"pred": "b", "_id": "b"}])
    failed = {"pred": "", "_id": "failed", "error": {"kind": "model", "message": "gone"}}
    record(predictions, "qasper", [{"pred": "from qasper", "_id": "a"}, failed])
    return predictions.parent


def ask(model, task, id_):
    [completion] = model.generate([request(task=task, id_=id_)])
    return completion


def test_by_task_and_id(recorded):
    model = ReplayModel(recorded)
    assert ask(model, "samsum", "a") == Completion("a", " from samsum\n", "newline", 5, 2)
    assert ask(model, "qasper", "a") == Completion("a", "from qasper")


@pytest.mark.parametrize(("task", "id_"), [("qasper", "b"), ("hotpotqa", "a"), ("qasper", "failed")])
def test_a_row_that_is_not_there_fails(recorded, task, id_):
    failure = Failure("model", f"the replayed run has no answer to {task} {id_}")
    assert ask(ReplayModel(recorded), task, id_) == Completion(id_, "", error=failure)


def test_the_predictions_folder_itself_will_do(recorded):
    assert ask(ReplayModel(recorded / "predictions"), "samsum", "b").text == "b"


def test_a_path_with_commas_and_a_delay(recorded):
    model = open_model(f"replay:{recorded},delay=0.05", ModelOptions())
    began = time.perf_counter()
    assert ask(model, "samsum", "b").latency_s == 0.05
    assert time.perf_counter() - began >= 0.05


PATHS = [("", 0.0), (",delay=2", 2.0), (",delay=0.25", 0.25)]


@pytest.mark.parametrize(("ending", "delay"), PATHS)
def test_how_a_delay_is_written(recorded, ending, delay):
    assert open_replay(f"{recorded}{ending}", ModelOptions())._delay_s == delay


@pytest.mark.parametrize("ending", [",delay=", ",delay=x", ",delay=-1", ",delay=1,"])
def test_anything_else_is_part_of_the_path(recorded, ending):
    with pytest.raises(ModelError, match=f"{ending}' holds no predictions to replay: expected a run directory"):
        open_replay(f"{recorded}{ending}", ModelOptions())


def test_a_folder_of_another_tool_has_no_ids(tmp_path):
    record(tmp_path, "qasper", [{"pred": "x"}])
    with pytest.raises(ModelError, match=r"qasper\.jsonl has rows without _id.*`score` can score them"):
        ReplayModel(tmp_path)


def test_a_torn_file_says_where(tmp_path):
    record(tmp_path, "qasper", [{"pred": "x", "_id": "a"}])
    with (tmp_path / "qasper.jsonl").open("a") as file:
        file.write('{"pred": "y')
    with pytest.raises(DataError, match=r"qasper\.jsonl, line 2"):
        ReplayModel(tmp_path)


def test_what_it_says_of_itself(recorded, tmp_path, monkeypatch):
    model = ReplayModel(recorded)
    assert model.name == "replay-my run, v=2"
    assert (model.tokenizer, model.window, model.capacity, model.versions()) == (None, None, None, {})
    assert (model.newline_stop, model.prefix_reuse) == ("none", "off")
    monkeypatch.chdir(recorded)
    assert open_replay(".,delay=1", ModelOptions()).identity() == model.identity(), "delays change no answer"
    model.close()


def test_other_answers_are_another_model(recorded, tmp_path):
    before = ReplayModel(recorded).identity()
    record(recorded / "predictions", "qasper", [{"pred": "changed", "_id": "a"}])
    assert ReplayModel(recorded).identity() != before
