"""Where answers stood in what was cut: by table, and by brute force over real rows."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval import Example
from longbench_eval.metrics.text import chinese_words, english_words
from longbench_eval.prompts.answers import chinese_units, english_units, field_spans, place_answer
from longbench_eval.records import AnswerPlace, Rendered, Truncation
from longbench_eval.tasks import TASKS

SHARED = Path(__file__).parents[3] / "shared" / "longbench"
TEMPLATE = "Read.\n{context}\nAsk: {input}\nSay:"


def row(task, context, answers, question="why?"):
    return Example(task, "a", question, context, tuple(answers), len(context))


def rendered_as(example, text, spans):
    return Rendered(TASKS[example.task], text, spans)


def place(example, lost, template=TEMPLATE):
    """Cut the characters `lost` of the context out of the prompt."""
    text = template.format(context=example.context, input=example.input)
    spans = field_spans(template, example.context, example.input)
    start = spans["context"][0] + example.context.index(lost) if lost else 0
    return place_answer(example, rendered_as(example, text, spans), Truncation(9, 5, start, start + len(lost), start))


@pytest.mark.parametrize(
    ("task", "context", "lost", "answers", "cut", "kept", "why"),
    [
        ("qasper", "We saw Rome. Then Paris.", "Then Paris.", ["paris"], True, False, "case and punctuation"),
        ("qasper", "Paris! We saw Rome. Paris.", "We saw Rome. Paris.", ["paris"], True, True, "it stands twice"),
        ("qasper", "We saw Rome. Then Paris.", "Then Paris.", ["Rome"], False, True, "in the rest"),
        ("qasper", "We saw Rome. Then Paris.", "Then Paris.", ["Oslo"], False, False, "nowhere"),
        ("qasper", "We saw Rome. Then Paris.", "Then Paris.", ["Oslo", "Paris"], True, False, "any answer will do"),
        ("qasper", "the Parisian and comparison", "Parisian", ["Paris"], False, False, "whole words only"),
        ("qasper", "A tale of the two cities", "of the two", ["tale of two cities"], True, False, "cut in two"),
        ("qasper", "the great Rome", "great Ro", ["Rome"], True, False, "a word that is cut in two is lost"),
        ("qasper", "Why Paris?", "Why", ["why?"], True, False, "what the question says does not count"),
        ("multifieldqa_zh", "他住在 北京，市 朝阳区。", "北京，市", ["北京市"], True, False, "punctuation"),
        ("multifieldqa_zh", "增长 25.89%。是的", "5.89%", ["25.89%。"], True, False, "numbers, cut in two"),
        ("multifieldqa_zh", "增长 125.89%。", "125", ["25.89%"], False, False, "no part of a longer number"),
        ("passage_retrieval_zh", "段落1：甲\n段落16：乙", "段落16：", ["段落1"], False, True, "段落16 is not 段落1"),
        ("passage_retrieval_en", "Paragraph 1: a\nParagraph 12: b", "Paragraph 12:", ["Paragraph 1"], False, True, ""),
        ("dureader", "他们说 蓝色 很好", "蓝色", ["蓝色。"], True, False, "articles are quoted there"),
        ("trec", "Q: x\nType: Food\nQ: y\nType: City", "Type: City", ["City"], True, False, "examples of the class"),
        ("lsht", "新闻甲\n类别：体育", "类别：体育", ["体育"], True, False, "examples of the class"),
    ],
)  # fmt: skip
def test_place(task, context, lost, answers, cut, kept, why):
    assert place(row(task, context, answers), lost) == AnswerPlace(cut, kept), why


def test_the_passage_of_triviaqa_is_in_its_input():
    example = row("triviaqa", "Passage: Rome", ["Paris"], "Passage: Paris")
    assert place(example, "Rome") == AnswerPlace(False, True)
    assert place(row("hotpotqa", "Passage: Rome", ["Paris"], "Passage: Paris"), "Rome") == AnswerPlace(False, False)


@pytest.mark.parametrize(
    ("task", "answers", "reason"),
    [
        ("qasper", ["Yes", "no.", "Unanswerable"], "yes, no"),
        ("hotpotqa", ["4"], "single characters"),
        ("passage_count", ["17"], "a count"),
        ("gov_report", ["text"], "a summary"),
        ("vcsum", ["text"], "a summary"),
        ("samsum", ["text"], "a summary"),
        ("lcc", ["text"], "code"),
    ],
)
def test_where_the_question_makes_no_sense_it_is_not_answered(task, answers, reason):
    found = place(row(task, "text 4 17 yes", answers), "text")
    assert (found.cut, found.kept) == (None, None)
    assert reason in found.reason


def test_every_task_is_told_or_has_a_reason():
    told = {task for task in TASKS if place(row(task, "some text", ["some text"]), "text").reason is None}
    no_passages = {"gov_report", "qmsum", "multi_news", "vcsum", "samsum", "passage_count", "lcc", "repobench-p"}
    assert told == set(TASKS) - no_passages


def test_yes_does_not_hide_an_answer_beside_it():
    assert place(row("qasper", "yes, in Paris", ["Yes", "in Paris"]), "Paris") == AnswerPlace(True, False)


def test_a_prompt_without_documents_has_no_answers_in_them():
    example = row("qasper", "Paris", ["Paris"])
    found = place_answer(example, rendered_as(example, "why?", {"input": (0, 4)}), Truncation(9, 5, 0, 2, 0))
    assert found == AnswerPlace(None, None, "the prompt has no documents")


@pytest.mark.parametrize(
    "template", ["{context}{input}", "a {{b}} {input} c {context}", "{context}", "{input}", "none"]
)
def test_field_spans(template):
    values = {"context": "the document", "input": "why?"}
    text = template.format(**values)
    spans = field_spans(template, values["context"], values["input"])
    assert {name: text[start:end] for name, (start, end) in spans.items()} == {
        name: value for name, value in values.items() if f"{{{name}}}" in template
    }


@given(st.text(st.sampled_from(" \n\t\x1c\u3000 aAnNtheTHE-.,'\"é中—İ1_")))
def test_units_are_the_words_that_the_metric_compares(text):
    assert [unit.text for unit in english_units(text)] == english_words(text)
    assert "".join(unit.text for unit in chinese_units(text)) == "".join(chinese_words(text))
    for units in (english_units, chinese_units):
        assert all(unit.text in "".join(units_text(units, text[unit.start : unit.end])) for unit in units(text))


def units_text(units, text):
    return (unit.text for unit in units(text))


def brute_force(task, answers, text, start, end):
    """Try every window of white-space separated pieces (English) or of characters (Chinese) by the definition."""
    lost = kept = False
    english = TASKS[task].language == "en"
    normalize = english_words if english else lambda part: list("".join(chinese_words(part)))
    for answer in answers:
        wanted = normalize(answer)
        if len("".join(wanted)) < 2 or "".join(wanted) in ("yes", "no", "unanswerable"):
            continue
        for a, b in windows(english, normalize, wanted, text):
            lost, kept = lost or (a < end and b > start), kept or b <= start or a >= end
    return lost, kept


def windows(english, normalize, wanted, text):
    """The shortest windows whose normalized text is the answer."""
    pieces = pieces_of(text) if english else [(i, i + 1) for i in range(len(text))]
    words = [normalize(text[a:b]) for a, b in pieces]
    for first in range(len(pieces)):
        if not words[first] or words[first][0] != wanted[0]:
            continue
        last, found = first, list(words[first])
        while len(found) < len(wanted) and last + 1 < len(pieces):
            last += 1
            found += words[last]
        if found != wanted or not words[last]:
            continue
        a, b = pieces[first][0], pieces[last][1]
        if english or not (torn(text, a) or torn(text, b)):
            yield a, b


def pieces_of(text):
    at, found = 0, []
    for piece in text.split():
        at = text.index(piece, at)
        found.append((at, at + len(piece)))
        at += len(piece)
    return found


def torn(text, at):
    """Whether a number or a Latin word goes on there, in the same case-folded kind."""
    pair = text[max(0, at - 1) : at + 1].lower()
    return len(pair) == 2 and pair.isascii() and (pair.isdigit() or pair.isalpha())


def real_rows(folder, task):
    lines = (SHARED / folder / f"{task}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in (lines[:3] if task == "triviaqa" else lines)]


REAL = [("data", task) for task in ("multifieldqa_zh", "passage_retrieval_zh", "multi_news")]
REAL += [("samples", task) for task in ("qasper", "hotpotqa", "2wikimqa", "musique", "multifieldqa_en", "dureader")]
REAL += [("samples", task) for task in ("passage_retrieval_en", "trec", "lsht", "triviaqa")]


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the real rows in ../shared")
@pytest.mark.parametrize(("folder", "task"), REAL)
def test_it_agrees_with_brute_force_on_real_rows(folder, task):
    template = json.loads((SHARED / "config" / "dataset2prompt.json").read_text("utf-8"))[task]
    seen, draw = set(), random.Random(task)
    for record in real_rows(folder, task):
        example = row(task, record["context"], record["answers"], record["input"])
        text = template.format(context=example.context, input=example.input)
        spans = field_spans(template, example.context, example.input)
        # The middle is cut, at any place: a quarter to all but a tenth of it.
        share = draw.uniform(0.1, 0.75)
        start, end = int(len(text) * share / 2), int(len(text) * (1 - share / 2))
        found = place_answer(example, rendered_as(example, text, spans), Truncation(9, 5, start, end, start))
        if task == "multi_news":
            assert found.reason == "a summary is no passage of the text"
            continue
        fields = ("context", "input") if task == "triviaqa" else ("context",)
        parts = [spans[name] for name in fields]
        brute = [brute_force(task, example.answers, text[a:b], start - a, end - a) for a, b in parts]
        expected = any(lost for lost, _ in brute), any(kept for _, kept in brute)
        assert found.reason or (found.cut, found.kept) == expected, example.answers
        seen.add(found)
    assert len(seen) > 1 or task in ("multi_news", "triviaqa"), "the rows differ"
