"""Contexts as summaries: made once, kept, gone on with."""

import json
from dataclasses import replace

import pytest

from longbench_eval import CallableModel, Completion, RunSettings, run
from longbench_eval.errors import ModelError
from longbench_eval.records import Failure
from samples import write_rows, write_sample_data

CONTEXTS = {
    "gov_report": ("One two three. Four five six. ", "Four five six. Seven eight. "),
    "vcsum": ("一二三。四五。",),
}
PARTS = ("One two three. ", "Four five six. ", "Seven eight. ", "一二三。", "四五。")


@pytest.fixture
def settings(tmp_path) -> RunSettings:
    """Two English rows, which share a part, and a Chinese one."""
    data = write_sample_data(tmp_path / "data", tuple(CONTEXTS), n=1)
    for task, contexts in CONTEXTS.items():
        shape = {"input": "", "answers": ["Five"], "length": 9, "dataset": task, "language": "en", "all_classes": None}
        rows = [{**shape, "context": context, "_id": f"{task}{n}"} for n, context in enumerate(contexts)]
        write_rows(data / "data" / f"{task}.jsonl", rows)
    compress = "summarize:part=3,max_new=40"
    return RunSettings(tasks=tuple(CONTEXTS), data=data, allow_unofficial=True, out=tmp_path / "run", compress=compress)


class Scribe:
    """Summarizes a part by its beginning in brackets; fails, or is killed, at the parts it is told."""

    def __init__(self, fails: str = "", killed_at: str = ""):
        self.asked: list[str] = []
        self.fails, self.killed_at = fails, killed_at

    def __call__(self, request):
        text = request.prompt.text
        if self.killed_at and text.startswith(self.killed_at):
            raise KeyboardInterrupt
        self.asked.append(text)
        if self.fails and text.startswith(self.fails):
            return Completion("", "", error=Failure("model", "out of ink"))
        return f" <{text.split()[0]}>\n" if text.startswith(PARTS) else "final"


def carry_out(scribe: Scribe, settings: RunSettings):
    return run(CallableModel(scribe, name="scribe"), settings)


def rows_of(settings: RunSettings, task: str) -> list[dict]:
    return list(map(json.loads, (settings.out / "predictions" / f"{task}.jsonl").read_text("utf-8").splitlines()))


def test_each_part_is_summarized_once_and_the_summaries_are_asked(settings):
    scribe = Scribe()
    result = carry_out(scribe, settings)
    parts, rows = scribe.asked[:5], scribe.asked[5:]
    assert all(text.startswith(part) for text, part in zip(parts, PARTS, strict=True))
    assert "at most 30 words" in parts[0]
    assert "不超过40字" in parts[4]
    assert [text.split("\nAsk:")[0] for text in rows] == [
        "Read.\n<One>\n<Four>",
        "Read.\n<Four>\n<Seven>",
        "Read.\n<一二三。>\n<四五。>",
    ]
    assert "|context:summaries(3,40)|" in str(result.summary.signature)
    assert any("made by the model itself" in warning for warning in result.summary.warnings)


def test_the_record_of_a_row(settings):
    carry_out(Scribe(), settings)
    assert [row["context"] for row in rows_of(settings, "gov_report")] == [
        {
            "kind": "summaries",
            "parts": 2,
            "words_before": words,
            "words_after": 2,
            "answer_in_context": True,
            "answer_kept": False,
        }
        for words in (6, 5)
    ]


def test_a_killed_run_asks_no_part_again(settings):
    with pytest.raises(KeyboardInterrupt):
        carry_out(killed := Scribe(killed_at="Seven"), settings)
    again = Scribe()
    carry_out(again, settings)
    assert len(killed.asked) == 2
    assert len(again.asked) == 3 + 3
    assert again.asked[0].startswith("Seven")


def test_a_torn_or_damaged_line_is_asked_again(settings):
    carry_out(Scribe(), settings)
    file = settings.out / "summaries.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b'{"part_sha256": 5}\n' + b"garbage\n" + b"".join(lines[1:4]) + lines[4][:-9])
    again = Scribe()
    carry_out(again, settings)
    assert [text.split()[0] for text in again.asked] == ["One", "四五。"]
    assert all(json.loads(line) for line in file.read_bytes().splitlines()[2:])


def test_a_part_that_fails_stops_the_run_and_the_others_are_kept(settings):
    with pytest.raises(ModelError, match=r"1 of 5 parts could not be summarized.*out of ink"):
        carry_out(Scribe(fails="Four"), settings)
    again = Scribe()
    carry_out(again, settings)
    assert [text.split()[0] for text in again.asked[:1]] == ["Four"]
    assert len(again.asked) == 1 + 3


def test_another_model_may_summarize(settings, tmp_path, monkeypatch):
    by = Scribe()
    opened = []

    def open_other(spec, options):
        opened.append((spec, options.max_new_tokens))
        return CallableModel(by, name="other")

    monkeypatch.setattr("longbench_eval.compress.summarize.open_model", open_other)
    settings = replace(settings, compress="summarize:part=3,max_new=40,by=llama.cpp:other.gguf")
    result = carry_out(own := Scribe(), settings)
    assert opened == [("llama.cpp:other.gguf", 40)]
    assert (len(by.asked), len(own.asked)) == (5, 3)
    assert "|context:summaries(3,40,other)|" in str(result.summary.signature)


def test_the_paper_s_four_tasks_by_default(settings):
    from longbench_eval.compress import select_tasks
    from longbench_eval.tasks import get_suite

    chosen = select_tasks(replace(settings, tasks=None), get_suite("longbench"))
    assert chosen == ("gov_report", "qmsum", "multi_news", "vcsum")
    assert select_tasks(replace(settings, tasks=None), get_suite("longbench-e")) == ("gov_report", "multi_news")
