"""What the length limit cut out, from records to totals; and what a run records of it."""

import json

import pytest
from official_rows import predictions, record

from longbench_eval import RunSettings, run
from longbench_eval.scoring import PROFILES, summarize
from longbench_eval.scoring.cuts import AnswersCut, all_cuts, cuts_of, headline
from longbench_eval.signature import Signature
from longbench_eval.tasks import get_suite
from samples import write_rows
from toys import ToyTokenizer


def cut(before=100, after=60, **answer):
    return {"truncation": {"tokens_before": before, "tokens_after": after, "answer": answer or None}}


def summary_of(*rows, task="qasper"):
    files = {task: predictions([record(task, i, 100, pred) | more for i, (pred, more) in enumerate(rows)])}
    return summarize(Signature("longbench", {}), get_suite("longbench"), files, PROFILES["official"])


WHOLE = {"truncation": None}


def test_rows_tokens_scores_and_answers():
    found = cuts_of(
        summary_of(
            (None, WHOLE),
            ("wrong", WHOLE),
            ("wrong", cut(100, 60, cut=True, kept=False)),
            (None, cut(80, 60, cut=True, kept=True)),
            (None, cut(70, 60, cut=False, kept=True)),
            ("wrong", cut(70, 60, cut=False, kept=False)),
            ("wrong", cut(61, 60, cut=None, kept=None, reason="a count")),
        ).tasks["qasper"]
    )
    assert (found.rows, found.n, found.tokens_lost) == (5, 7, 81)
    assert (found.value, found.uncut_value) == (pytest.approx(40), 50)
    assert found.answers == AnswersCut(lost=1, both=1, kept=1, nowhere=1, untold=1)


@pytest.mark.parametrize(
    "truncation",
    [
        {},
        [],
        "cut",
        1,
        {"answer": "x"},
        {"answer": {"cut": [], "kept": {}}},
        {"tokens_before": "9", "tokens_after": None},
    ],
)
def test_records_of_other_tools_may_hold_anything(truncation):
    found = cuts_of(summary_of((None, {"truncation": truncation})).tasks["qasper"])
    assert (found.rows, found.tokens_lost, found.answers) == (1, 0, AnswersCut(untold=1))


def test_predictions_that_do_not_say_have_no_cuts():
    summary = summary_of((None, {}))
    assert cuts_of(summary.tasks["qasper"]) is None
    assert (all_cuts(summary), headline(summary)) == ({}, "")
    assert "cut" not in summary.to_json(counts=True)["tasks"]["qasper"]


def test_headline():
    lost = cut(1100, 60, cut=True, kept=False)
    assert headline(summary_of((None, WHOLE))) == ""
    assert headline(summary_of((None, WHOLE), (None, lost))) == (
        "cut to fit: 1 of 2 rows, 1,040 tokens lost; in 1 of them the answer stood only in the part that was cut"
    )


@pytest.mark.parametrize("chat", [None, "<user>{}<bot>"])
def test_a_run_records_whether_the_answer_was_cut(tmp_path, chat):
    contexts = [
        "Rome " + "x" * 200,
        "x" * 100 + " Rome " + "y" * 100,
        "Rome " + "x" * 100 + " Rome " + "y" * 100,
        "Rome",
    ]
    base = {"input": "where?", "answers": ["Rome"], "length": 9, "all_classes": None}
    rows = [base | {"context": context, "_id": f"{i:048x}"} for i, context in enumerate(contexts)]
    write_rows(tmp_path / "data" / "qasper.jsonl", rows)
    (tmp_path / "dataset2prompt.json").write_text(json.dumps({"qasper": "Read.\n{context}\nAsk: {input}"}))
    settings = RunSettings(
        tasks=("qasper",), data=tmp_path / "data", templates=tmp_path / "dataset2prompt.json", allow_unofficial=True,
        out=tmp_path / "run", max_input_tokens=100,
    )  # fmt: skip
    result = run(lambda request: "Rome", settings, tokenizer=ToyTokenizer(chat=chat))
    lines = (tmp_path / "run" / "predictions" / "qasper.jsonl").read_text("utf-8").splitlines()
    cuts = [json.loads(line)["truncation"] for line in lines]
    assert [one and list(one)[:5] for one in cuts[:1]] == [
        ["tokens_before", "tokens_after", "start", "end", "head_chars"]
    ]
    places = [one and (one["answer"]["cut"], one["answer"]["kept"]) for one in cuts]
    assert places == [(False, True), (True, False), (True, True), None]
    assert cuts_of(result.summary.tasks["qasper"]).answers == AnswersCut(lost=1, both=1, kept=1)
    stored = json.loads((tmp_path / "run" / "summary.json").read_text("utf-8"))["tasks"]["qasper"]["cut"]
    assert (stored["rows"], stored["answers"]["lost"]) == (3, 1)
    assert stored["tokens_lost"] == sum(one["tokens_before"] - one["tokens_after"] for one in cuts if one)
