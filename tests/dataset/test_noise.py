"""Rows known to be wrong: the numbers are those that the rules find in the real answers."""

import json
import re
from pathlib import Path

import pytest

from longbench_eval.dataset.noise import noise_json, noise_kinds, noise_rows
from longbench_eval.dataset.official import official_digests
from longbench_eval.scoring import read_folder
from longbench_eval.tasks import get_suite

SHARED = Path(__file__).parents[3] / "shared"
CHINESE = re.compile("[\u4e00-\u9fff]{4}")
RUNS = {"longbench": "llama3-8b-instruct", "longbench-e": "llama2-7b-chat-e"}
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs the real answers in ../shared")


def plain(answers):
    return {answer.strip().lower().rstrip(".") for answer in answers}


def unanswerable_or_not(task, answers):
    return task == "qasper" and "unanswerable" in plain(answers) and plain(answers) != {"unanswerable"}


def code(task):
    return task in ("lcc", "repobench-p")


RULES = {
    "unanswerable-or-not": unanswerable_or_not,
    "yes-and-no": lambda task, answers: task == "qasper" and plain(answers) >= {"yes", "no"},
    "unscorable-line": lambda task, answers: code(task) and bool(re.search("`|#|//", answers[0])),
    "carriage-return": lambda task, answers: code(task) and answers[0].endswith("\r"),
    "class-cut-short": lambda task, answers: task == "trec" and "Lasting time of somethin" in answers,
}


def rows_by_kind(kind):
    return {stem: set(rows) for one in noise_kinds() if one.kind == kind for stem, rows in one.rows.items()}


def answers_of(suite):
    """All answers of a suite, by task and row number, out of a complete run."""
    found = read_folder(SHARED / "oracle" / RUNS[suite])
    for task, census in found.censuses.items():
        assert (census.missing, census.doubled) == ((), ())
        yield task, {number: row.answers for number, row in zip(census.found, found.files[task], strict=True)}


@needs_shared
@pytest.mark.parametrize("suite", RUNS)
def test_rules_find_these_rows_and_no_others(suite):
    found = {}
    for task, answers in answers_of(suite):
        stem = get_suite(suite).file_name(task).removesuffix(".jsonl")
        for kind, rule in RULES.items():
            if numbers := {number for number, texts in answers.items() if rule(task, texts)}:
                found.setdefault(kind, {})[stem] = numbers
    even = suite == "longbench-e"
    known = {kind: {s: n for s, n in rows_by_kind(kind).items() if s.endswith("_e") == even} for kind in RULES}
    assert found == known


@needs_shared
def test_chinese_answers_in_the_english_task():
    known = rows_by_kind("other-language")
    chinese = {number for task, answers in answers_of("longbench") if task == "multifieldqa_en"
               for number, texts in answers.items() if any(map(CHINESE.search, texts))}  # fmt: skip
    assert chinese < known["multifieldqa_en"], "the other has a Chinese document and an English answer"
    models = ("llama3.1-8b-window", "llama3.1-8b-fused")
    lines = [
        (SHARED / "oracle" / m / "predictions" / "multifieldqa_en.jsonl").read_text("utf-8").splitlines()
        for m in models
    ]
    assert all(CHINESE.search(json.loads(one[101])["pred"]) for one in lines), "models answer it in Chinese"
    plain, even = official_digests("multifieldqa_en"), official_digests("multifieldqa_en_e")
    assert {plain[number] for number in known["multifieldqa_en"]} == {even[n] for n in known["multifieldqa_en_e"]}


@needs_shared
def test_one_question_is_asked_twice():
    lines = (SHARED / "longbench" / "data" / "multifieldqa_zh.jsonl").read_text("utf-8").splitlines()
    rows = [{k: v for k, v in json.loads(line).items() if k != "_id"} for line in lines]
    repeated = {number for number, one in enumerate(rows) if one in rows[:number]}
    assert repeated == rows_by_kind("asked-twice")["multifieldqa_zh"] == {25}
    assert rows[25] == rows[18]


def test_numbers_are_in_the_files():
    for kind in noise_kinds():
        for stem, rows in kind.rows.items():
            assert list(rows) == sorted(set(rows))
            assert rows[-1] < len(official_digests(stem))


def test_minilongbench_has_those_of_its_rows():
    mini, full = get_suite("minilongbench"), get_suite("longbench")
    for task in mini.tasks:
        assert set(noise_rows(mini, task)) == set(noise_rows(full, task)) & set(mini.row_numbers[task])
    assert any(noise_rows(mini, task) for task in mini.tasks)
    assert noise_rows(get_suite("demo"), "qasper") == {}


def test_json():
    shape = noise_json([get_suite("longbench")])
    row = next(one for one in shape["rows"] if one["kind"] == "asked-twice")
    digest = official_digests("multifieldqa_zh")[25]
    assert row == {"kind": "asked-twice", "suite": "longbench", "task": "multifieldqa_zh", "row": 25, "digest": digest}
    assert {one["kind"] for one in shape["rows"]} == {one["kind"] for one in shape["kinds"]}
