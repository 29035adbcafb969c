"""Runs with contexts changed, through the command line and the library, by scripted models."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from longbench_eval import RunSettings, run, run_with_baseline
from longbench_eval.errors import RunError, UsageError
from longbench_eval.reports.contexts import contrast
from samples import write_rows, write_sample_data

TASKS = ("qasper", "multifieldqa_zh")


@pytest.fixture
def data(tmp_path):
    """Three rows a task; the answer to each is a word of its own passage."""
    folder = write_sample_data(tmp_path / "data", TASKS, n=1)
    for task in TASKS:
        shape = {"length": 30, "dataset": task, "language": "en", "all_classes": None}
        passages = [f"The number {n} is called word{n}, and that is all there is. " for n in range(3)]
        rows = [
            {
                **shape,
                "input": f"What is number {n}?",
                "context": "".join(passages),
                "answers": [f"word{n}"],
                "_id": f"{n}",
            }
            for n in range(3)
        ]
        write_rows(folder / "data" / f"{task}.jsonl", rows)
    templates = dict.fromkeys(TASKS, "Read the text.\n\n{context}\n\nAnswer from the text above: {input}\nAnswer:")
    (folder / "config" / "dataset2prompt.json").write_text(json.dumps(templates), "utf-8")
    return folder


@pytest.fixture
def settings(data, tmp_path):
    return RunSettings(tasks=TASKS, data=data, allow_unofficial=True, out=tmp_path / "run")


def reader(request):
    """Knows word0 by heart; for the others it must find them in the prompt."""
    number = request.prompt.text.rpartition("number ")[2][0]
    return f"word{number}" if number == "0" or f"word{number}," in request.prompt.text else "nothing"


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_without_context(settings):
    asked = []

    def model(request):
        asked.append(request.prompt.text)
        return reader(request)

    result = run(model, replace(settings, no_context=True))
    assert asked[0] == "Answer: What is number 0?\nAnswer:"
    assert [row["context"]["kind"] for row in lines(settings.out / "predictions" / "qasper.jsonl")] == ["none"] * 3
    assert result.summary.tasks["qasper"].score == 33.33
    assert "|context:none|" in str(result.summary.signature)
    assert any("without their documents" in warning for warning in result.summary.warnings)


def test_retrieval(settings):
    result = run(reader, replace(settings, compress="retrieval:bm25,chunk=12,top=1"))
    assert result.summary.tasks["qasper"].score == 100.0
    rows = lines(settings.out / "predictions" / "qasper.jsonl")
    assert [row["context"]["kept"] for row in rows] == [[0], [1], [2]]
    assert all(row["context"]["answer_kept"] for row in rows)
    assert list(rows[0])[-1] == "context", "after the keys that every run has"


def test_the_keys_of_a_plain_run_are_the_same_as_ever(settings):
    run(reader, settings)
    assert "context" not in lines(settings.out / "predictions" / "qasper.jsonl")[0]
    manifest = json.loads((settings.out / "run.json").read_text("utf-8"))
    assert "context" not in manifest["identity"]
    assert "context:" not in manifest["signature"]


CHANGES = [{"no_context": True}, {"compress": "retrieval:bm25"}, {"compress": "summarize"}]


@pytest.mark.parametrize("change", CHANGES)
def test_another_change_is_another_run(settings, change):
    run(reader, settings)
    with pytest.raises(RunError, match=r"context\.kind: None there"):
        run(reader, replace(settings, **change))


def test_both_runs_lie_side_by_side_and_are_compared(settings):
    pair = run_with_baseline(reader, settings)
    assert pair.changed.directory.name == "run-no-context"
    assert [(c.task, round(c.baseline, 2), round(c.changed, 2), c.memory) for c in compared(pair)] == [
        ("qasper", 100.0, 33.33, False),
        ("multifieldqa_zh", 100.0, 33.33, False),
    ]
    again = run_with_baseline(reader, settings)
    assert again.changed.directory == pair.changed.directory
    assert [len(json.loads((one / "run.json").read_text("utf-8"))["invocations"]) for one in directories(pair)] == [
        2,
        2,
    ]


def compared(pair):
    return contrast(pair.baseline.summary, pair.changed.summary)


def directories(pair):
    return pair.baseline.directory, pair.changed.directory


def test_a_compressed_run_may_have_a_baseline_too(settings):
    pair = run_with_baseline(reader, replace(settings, compress="retrieval:bm25,chunk=12,top=1"))
    assert pair.changed.directory.name == "run-bm25-12-1"
    other = run_with_baseline(reader, replace(settings, compress="retrieval:bm25,chunk=12,top=2"))
    assert other.baseline.directory == pair.baseline.directory, "one baseline for several changes"
    assert not any(line.memory for line in compared(pair)), "only what was not read is memory"


MARKS = [
    ("word", "word", True, "all of it"),
    ("word other", "word other", True, "half of it and more"),
    ("word", "no", False, "nothing without documents"),
    ("no", "no", False, "nothing at all"),
    ("no", "word", True, "more without than with"),
]


@pytest.mark.parametrize(("with_documents", "without", "marked", "why"), MARKS)
def test_marks(settings, with_documents, without, marked, why):
    file = settings.data / "data" / "qasper.jsonl"
    file.write_text(file.read_text("utf-8").replace('["word', '["word", "'), "utf-8")

    def model(request):
        return with_documents if "called" in request.prompt.text else without

    pair = run_with_baseline(model, replace(settings, tasks=("qasper",)))
    assert [line.memory for line in compared(pair)] == [marked], why


REFUSED = [
    ({"no_context": True, "compress": "retrieval:bm25"}, "--no-context leaves nothing that --compress"),
    ({"compress": "retreival:bm25"}, "Did you mean 'retrieval'"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED)
def test_refused_before_rows_are_read(settings, change, message):
    with pytest.raises(UsageError) as refusal:
        run(reader, replace(settings, data="nowhere", **change))
    assert message in str(refusal.value)


@pytest.fixture
def recorded(data, tmp_path):
    """A recorded run to replay."""
    folder = tmp_path / "recorded"
    folder.mkdir()
    for task in TASKS:
        rows = [{"pred": row["answers"][0], **row} for row in lines(data / "data" / f"{task}.jsonl")]
        write_rows(folder / f"{task}.jsonl", rows)
    return folder


def command(recorded, data, *more):
    named = ["--tasks", ",".join(TASKS), "--data", data, "--allow-unofficial", "--out", "run"]
    return ["run", "--model", f"replay:{recorded}", *named, *more]


def test_the_command_ends_in_the_table_of_the_paper(cli, recorded, data):
    code, out, _ = cli(*command(recorded, data, "--with-baseline"))
    table = [line.split() for line in out.splitlines()]
    assert code == 0
    assert table[:4] == [
        ["task", "with", "without", "delta"],
        ["qasper", "100.00", "100.00", "+0.00", "memory"],
        ["multifieldqa_zh", "100.00", "100.00", "+0.00", "memory"],
        ["mean", "100.00", "100.00", "+0.00"],
    ]
    assert "memory: qasper, multifieldqa_zh: at least half of the score" in " ".join(out.split())
    assert "runs: run run-no-context" in out
    assert max(len(line) for line in out.splitlines() if "|" not in line) <= 80
    assert out.endswith("report: run-no-context/report.html\n")
    assert "run-no-context" in Path("run-no-context/report.html").read_text("utf-8")


def test_the_comparison_as_json(cli, recorded, data):
    code, out, _ = cli(*command(recorded, data, "--with-baseline", "--compress", "retrieval:bm25", "--json"))
    shape = json.loads(out)
    assert code == 0
    assert (shape["baseline"]["run"], shape["changed"]["run"]) == ("run", "run-bm25-200-7")
    assert shape["tasks"][0] == {"task": "qasper", "baseline": 100.0, "changed": 100.0, "memory": False, "delta": 0.0}


@pytest.mark.parametrize("change", [["--no-context"], ["--compress", "retrieval:bm25"], ["--compress", "summarize"]])
def test_each_command_alone_ends_in_a_table(cli, recorded, data, change):
    code, out, err = cli(*command(recorded, data, *change))
    if change[-1] == "summarize":  # the replayed run has no summaries
        assert (code, "could not be summarized" in err) == (1, True)
    else:
        assert (code, "qasper" in out) == (0, True)


def test_the_prompt_of_a_changed_row(cli, data):
    base = ["--data", data, "--allow-unofficial"]
    assert cli("prompt", "qasper", 1, *base, "--no-context")[1] == "Answer: What is number 1?\nAnswer:\n"
    code, out, _ = cli("prompt", "qasper", 1, *base, "--compress", "retrieval:bm25,chunk=12,top=1")
    assert code == 0
    assert out.split("\n\n")[1].strip() == "The number 1 is called word1, and that is all there is."
    code, _, err = cli("prompt", "qasper", 1, *base, "--compress", "summarize")
    assert (code, "made by a run" in err) == (1, True)


def test_the_demo_has_all_three(cli):
    code, out, _ = cli("prompt", "hotpotqa", 0, "--suite", "demo", "--no-context")
    assert code == 0
    assert out.startswith("Question: ")
