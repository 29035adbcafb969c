"""The prompt as it was sent, the cut, and what proves it."""

import json

import pytest
from starlette.testclient import TestClient

from longbench_eval import PromptPolicy, build_prompt, load_examples
from longbench_eval.viewer.app import make_app
from longbench_eval.viewer.shelf import Shelf
from toys import ToyTokenizer
from viewer.conftest import asker, client_of


def sent_text(folder, task, line):
    """What the run sent, made again."""
    example = load_examples(task, data=folder.data, allow_unofficial=True)[line - 1]
    template = json.loads((folder.data / "config" / "dataset2prompt.json").read_text("utf-8"))[task]
    return build_prompt(example, template, ToyTokenizer(), PromptPolicy(budget_tokens=64))


@pytest.mark.parametrize("task", ["qasper", "multifieldqa_zh", "samsum"])
def test_the_cut_is_where_it_was(ask, folder, task):
    shape = ask("prompt", run="cut", task=task, line=3)
    text = ask("text", run="cut", task=task, line=3, of="prompt", start=0, end=shape["total"])["text"]
    cut = shape["cut"]
    kept = text[: cut["start"]] + text[cut["end"] :]
    assert kept in sent_text(folder, task, 3).text
    assert cut["tokens_after"] <= 64 < cut["tokens_before"]


@pytest.mark.parametrize(("task", "proof"), [("samsum", "sent"), ("qasper", "wrapped")])
def test_what_proves_that_it_was_sent(ask, task, proof):
    """A few-shot task goes out bare, so that its hash can be made again; the others go into the chat template."""
    assert ask("prompt", run="cut", task=task, line=3)["proof"] == proof
    assert ask("prompt", run="pred/other tool", task=task, line=3)["proof"] == "unknown"


def test_other_data_are_noticed(own_folder):
    path = own_folder.data / "data" / "samsum.jsonl"
    path.write_text(path.read_text("utf-8").replace("the answers are here", "nothing is here"), "utf-8")
    shape = asker(client_of(own_folder))("prompt", run="whole", task="samsum", line=1)
    assert (shape["proof"], shape["other_data"]) == ("differs", True)


def test_a_prediction_without_id_finds_its_row(ask):
    shape = ask("prompt", run="pred/other tool", task="qasper", line=8)
    assert shape["question"]["text"] == "question 7 of qasper?"


def test_where_the_context_says_the_answer(own_folder):
    path = own_folder.data / "data" / "qasper.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rows[1]["context"] = "Answer 1 first, not answer 11; then, at the end, answer 1."
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    ask = asker(client_of(own_folder))
    hits = ask("prompt", run="cut", task="qasper", line=2)["hits"]
    text = ask("text", run="cut", task="qasper", line=2, of="prompt")["text"]
    assert [text[hit["start"] : hit["end"]] for hit in hits] == ["Answer 1", "answer 1"]


def test_without_data_the_page_says_which_command_fetches_them(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path))
    ask = asker(TestClient(make_app(Shelf(folder.runs)), base_url="http://localhost"))
    assert "longbench-eval data pull" in ask("prompt", run="cut", task="qasper", line=1)["problem"]
    assert ask("row", run="cut", task="qasper", line=1)["score"] is not None
    assert ask("questions", run="cut", task="qasper", lines="1") == {"1": None}


def test_prompts_of_the_demo_need_nothing(tmp_path):
    from longbench_eval import RunSettings, run
    from samples import answer_by_hash

    run(answer_by_hash, RunSettings(suite="demo", tasks=("hotpotqa",), out=tmp_path / "demo"), tokenizer=ToyTokenizer())
    ask = asker(TestClient(make_app(Shelf(tmp_path)), base_url="http://localhost"))
    assert ask("prompt", run="demo", task="hotpotqa", line=1)["total"] > 500


def test_data_in_a_zip(own_folder, tmp_path):
    import zipfile

    archive = tmp_path / "data.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for path in own_folder.data.rglob("*.json*"):
            zipped.write(path, path.relative_to(own_folder.data))
    ask = asker(TestClient(make_app(Shelf(own_folder.runs, archive)), base_url="http://localhost"))
    direct = asker(client_of(own_folder))
    for line in (1, 4):
        query = {"run": "cut", "task": "qasper", "line": line, "of": "prompt"}
        assert ask("text", **query) == direct("text", **query)
