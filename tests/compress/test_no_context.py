"""Templates without their documents: texts of our own, and the real ones where they are."""

import json
from pathlib import Path

import pytest

from longbench_eval.compress.change import QA_TASKS
from longbench_eval.compress.no_context import NoContext, without_context
from longbench_eval.errors import UsageError
from toys import example

OFFICIAL = Path(__file__).parents[2].parent / "shared" / "longbench" / "config" / "dataset2prompt.json"

DERIVED = [
    ("{context}\n\n{input}", "{input}", "nothing to cut"),
    ("Context: {context}\n\nQ: {input}\nA:", "Q: {input}\nA:", "the label goes, those of question and answer stay"),
    ("Story:\n{context}\n\nQ: {input}\nA:", "Q: {input}\nA:", "a label on the line before"),
    ("{context}\nBased on the text above, say: {input}", "Say: {input}", "a phrase at the beginning, with its comma"),
    ("{context}\nSay, according to this report, who: {input}", "Say, who: {input}", "a phrase in the middle"),
    ("{context}\nUse the given pages to answer: {input}", "Answer: {input}", "use ... to"),
    (
        "Use the following pieces of context to answer the question. Be brief.\n{context}\nQ: {input}",
        "Answer the question. Be brief.\n\nQ: {input}",
        "the introduction stays where nothing else instructs",
    ),
    (
        "Read the story. Answer in one word.\n\nStory: {context}\n\nNow, answer in one word.\n\nQ: {input}",
        "Answer in one word.\n\nQ: {input}",
        "the introduction goes where what follows instructs",
    ),
    (
        "Q: {input}\n\n{context}\n\nAnswer the question.",
        "Q: {input}\n\nAnswer the question.",
        "the introduction stays where it holds the question",
    ),
    (
        "{context}\nAnswer briefly. If the passage does not say, write none.\nQ: {input}",
        "Answer briefly. \nQ: {input}",
        "what to do if the document lacks something",
    ),
    (
        "{context}\nAnswer in plain text, please: {input}",
        "Answer in plain text, please: {input}",
        "text of another kind",
    ),
    ("{context}\nAnswer with {{}}: {input}", "Answer with {{}}: {input}", "escaped braces stay"),
    ("文章：{context}\n请根据上述文章回答问题。\n问：{input}", "请回答问题。\n问：{input}", "a Chinese phrase"),
    ("{context}\n综合以上资料，请作答：{input}", "请作答：{input}", "with its comma"),
    ("请判断类别，下面是一些例子。\n{context}\n{input}", "请判断类别。\n\n{input}", "a clause goes, its sentence ends"),
    ("{context}\n请回答。如果文章没有提到，就说不知道。\n{input}", "请回答。就说不知道。\n{input}", "clause by clause"),
    ("{context}\n\n现在，请回答：{input}", "请回答：{input}", "now goes with what it follows"),
]


@pytest.mark.parametrize(("template", "expected", "why"), DERIVED)
def test_derived(template, expected, why):
    assert without_context(template) == expected, why


REFUSED = [
    ("{context}", "has no {input}"),
    ("{input}", "has {context} nowhere"),
    ("{context}{context}{input}", "has {context} twice or more"),
    ("{context}\nWhich of the paragraphs fits {input} best?", "speaks of the context in one sentence with {input}"),
    ("{context}\nA line:\n{input}\nEnter the number of the paragraph it is from.", "gives no instruction"),
]


@pytest.mark.parametrize(("template", "message"), REFUSED)
def test_refused(template, message):
    with pytest.raises(UsageError) as refusal:
        without_context(template)
    assert message in str(refusal.value)


def test_a_task_about_its_documents_is_refused_by_name():
    with pytest.raises(UsageError, match="passage_count asks about its documents themselves"):
        NoContext().template("passage_count", "{context} {input}")


def test_the_record_of_a_row():
    changed = NoContext().apply(example(context="One answer, two words."))
    assert changed.example.context == ""
    assert changed.record == {
        "kind": "none",
        "words_before": 4,
        "words_after": 0,
        "answer_in_context": True,
        "answer_kept": False,
    }


@pytest.mark.skipif(not OFFICIAL.is_file(), reason="needs the templates in ../shared")
@pytest.mark.parametrize("task", QA_TASKS)
def test_the_official_templates_of_the_eight_tasks(task):
    template = json.loads(OFFICIAL.read_text("utf-8"))[task]
    derived = NoContext().template(task, template)
    assert derived.count("{input}") == 1
    assert template.endswith(derived.rpartition("\n\n")[2]), "question and answer stand as they stood"
    instruction, _, _ = derived.partition("\n\n")
    assert ("nswer the" in instruction) or ("回答" in instruction)
    for pointer in ("passage", "article", "text", "story", "above", "given", "文章", "文字", "上述", "context"):
        assert pointer not in derived
