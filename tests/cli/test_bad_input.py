"""Each mistake gets one message that says what was given, what was expected, and how to mend it; exit code 1."""

import json
import zipfile

import pytest

from longbench_eval.tasks import TASKS
from samples import TASKS_USED, options, rows_of, write_rows


def refused(answer, *needles):
    code, _, err = answer
    assert code == 1, err
    assert "Traceback" not in err
    for needle in needles:
        assert needle in err
    assert len([line for line in err.splitlines() if line.startswith("Error")]) == 1, err


UNKNOWN = [
    (["run", "--model", "replay:x", "--tasks", "hotpot"], ["no task 'hotpot'", "'hotpotqa'", "longbench-eval tasks"]),
    (["run", "--model", "replay:x", "--suite", "longbench_e"], ["no suite 'longbench_e'", "'longbench-e'"]),
    (["run", "--model", "smolm2", "--suite", "demo"], ["no model 'smolm2'", "'smollm2'", "longbench-eval models ls"]),
    (["run", "--model", "lama.cpp:x.gguf", "--suite", "demo"], ["no model", "llama.cpp:..."]),
    (["run", "--model", "replay:", "--suite", "demo"], ["replay:NAME"]),
    (["run", "--model", "replay:x", "--suite", "demo", "--chat", "alway"], ["no chat policy 'alway'", "'always'"]),
    (["run", "--model", "replay:x", "--suite", "demo", "--truncate", "centre"], ["no truncation 'centre'"]),
    (["run", "--model", "replay:x", "--suite", "demo", "--limit", "0"], ["--limit is 0"]),
    (["run", "--model", "replay:x", "--suite", "demo", "--max-input-tokens", "1"], ["is 1; it must be at least 2"]),
    (["run", "--model", "replay:nowhere", "--suite", "demo"], ["'nowhere' holds no predictions"]),
    (["run", "--model", "nowhere.gguf", "--suite", "demo"], ["no model file 'nowhere.gguf'"]),
    (["run", "--model", "replay:x", "--suite", "longbench-e", "--tasks", "lsht"], ["has no task 'lsht'"]),
    (["run", "--model", "replay:x"], ["longbench-eval data pull"]),
    (["score", "nowhere"], ["'nowhere'"]),
    (["score", ".", "--profile", "offical"], ["no profile 'offical'", "'official'"]),
    (["runs", "rm", "--yes", "."], ["no run directory"]),
    (["models", "pull", "smolm"], ["'smollm2'"]),
    (["prompt", "qaspar", "0"], ["'qasper'"]),
]


@pytest.mark.parametrize(("words", "needles"), UNKNOWN, ids=lambda value: " ".join(value)[:40])
def test_unknown_names_and_impossible_values(cli, words, needles):
    refused(cli(*words), *needles)


@pytest.mark.parametrize("words", [["run", "--nonsense"], ["run"], ["nonsense"], ["score"]])
def test_wrong_usage_exits_with_1_too(cli, words):
    code, _, err = cli(*words)
    assert code == 1
    assert "Traceback" not in err
    assert "Usage" in err


def test_one_task_of_the_prompt_must_have_that_row(cli, data):
    refused(cli("prompt", "qasper", 6, *options(data)), "no row '6'", "0 to 5")


def test_a_tokenizer_is_needed_to_count(cli, data, recorded):
    answer = cli("run", "--model", f"replay:{recorded}", "--max-input-tokens", 100, *options(data))
    refused(answer, "--max-input-tokens needs a tokenizer")


def line(**changes):
    """The first row of qasper with some fields changed, or left out where the value is `...`."""
    row = {**rows_of("qasper", 1)[0], **changes}
    return json.dumps({key: value for key, value in row.items() if value is not ...})


BAD_ROWS = [
    ('{"input": "a"', ["qasper.jsonl", "line 2", "JSON"]),
    ("[1]", ["line 2", "object"]),
    (line(context=...), ["line 2", "context"]),
    (line(context=5), ["line 2", "context", "int"]),
    (line(answers="a"), ["line 2", "answers"]),
    (line(answers=[]), ["line 2", "answers", "empty"]),
    (line(length="long"), ["line 2", "length"]),
    (line(), ["line 2", "line 1", "_id"]),
    (line(_id="other", context="a\ud800b"), ["line 2", "surrogate"]),
]


@pytest.mark.parametrize(("second", "needles"), BAD_ROWS, ids=[needles[-1] for _, needles in BAD_ROWS])
def test_bad_rows(cli, data, recorded, second, needles):
    (data / "data" / "qasper.jsonl").write_text(line() + "\n" + second + "\n", encoding="utf-8")
    refused(cli("run", "--model", f"replay:{recorded}", *options(data)), *needles)


ODD_CONTEXTS = ["{braces} {0} {input!r} }{", "a\0b", "\u2028\x85\x1c", "x" * 10_000_000]


@pytest.mark.parametrize("context", ODD_CONTEXTS, ids=["braces", "NUL", "line separators", "10 MB"])
def test_odd_contexts_are_sent_as_they_are(cli, data, context):
    write_rows(data / "data" / "qasper.jsonl", [{**rows_of("qasper", 1)[0], "context": context}])
    code, out, _ = cli("prompt", "qasper", 0, *options(data))
    assert code == 0
    assert out == f"Read.\n{context}\nAsk: question 0 of qasper?\nSay:\n"


BAD_TEMPLATES = [
    ("{contxt} {input}", ["qasper", "contxt"]),
    ("{context.__class__}", ["qasper", "context"]),
    ("{context", ["qasper"]),
    (7, ["qasper"]),
]


@pytest.mark.parametrize(("template", "needles"), BAD_TEMPLATES)
def test_bad_templates(cli, data, recorded, template, needles):
    file = data / "config" / "dataset2prompt.json"
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), "qasper": template}), encoding="utf-8")
    refused(cli("run", "--model", f"replay:{recorded}", *options(data)), *needles)


def test_unproved_rows_and_templates_need_the_option(cli, data, recorded):
    words = ["run", "--model", f"replay:{recorded}", "--tasks", ",".join(TASKS_USED), "--data", data]
    refused(cli(*words), "--allow-unofficial", "qasper")


def test_folders_and_archives(cli, data, recorded, tmp_path):
    def run_on(path):
        words = ["--tasks", "qasper", "--data", path, "--allow-unofficial"]
        return cli("run", "--model", f"replay:{recorded}", *words)

    empty = tmp_path / "empty"
    empty.mkdir()
    refused(run_on(empty), "empty", "longbench-eval data pull")
    refused(run_on(tmp_path / "absent"), "absent")
    archive = tmp_path / "data.zip"
    with zipfile.ZipFile(archive, "w") as out:
        out.write(data / "data" / "qasper.jsonl", "data/qasper.jsonl")
        out.write(data / "config" / "dataset2prompt.json", "config/dataset2prompt.json")
    assert run_on(archive)[0] == 0
    cut = tmp_path / "cut.zip"
    cut.write_bytes(archive.read_bytes()[:-30])
    refused(run_on(cut), "cut.zip")
    hostile = tmp_path / "hostile.zip"
    with zipfile.ZipFile(hostile, "w") as out:
        out.writestr("../../qasper.jsonl", "{}")
    refused(run_on(hostile), "hostile.zip", "..")


def test_a_missing_task_is_named_with_the_way_to_leave_it_out(cli, data, recorded):
    answer = cli("run", "--model", f"replay:{recorded}", "--data", data, "--allow-unofficial")
    refused(answer, "narrativeqa", "--tasks", *TASKS_USED)


@pytest.mark.parametrize("damage", ["cut", "no gguf", "empty"])
def test_damaged_model_files(cli, tmp_path, damage):
    model = tmp_path / "model.gguf"
    model.write_bytes({"cut": b"GGUF\3\0\0\0\1\0", "no gguf": b"PK\3\4 is a zip", "empty": b""}[damage])
    refused(cli("run", "--model", model, "--suite", "demo"), "model.gguf")


def test_every_task_has_a_row_in_the_demo(cli, recorded):
    for task in ("qasper", "lcc"):
        assert task in TASKS
        assert cli("prompt", task, 0, "--suite", "demo")[0] == 0
