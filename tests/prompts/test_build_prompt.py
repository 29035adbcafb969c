"""One example to exactly what is sent."""

from threading import Barrier
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.prompts import PromptPolicy, build_prompt, build_prompts, stream_prompts, wants_chat
from longbench_eval.prompts.build import TOGETHER, wrap_overhead
from longbench_eval.tasks import TASKS
from toys import BOS, MARKS, ToyTokenizer, example

TEMPLATE = "Read: {context}\nAsk: {input}"
UNWRAPPED = {"trec", "triviaqa", "samsum", "lsht", "lcc", "repobench-p"}
BODY = "Read: text\nAsk: why?"


@pytest.mark.parametrize("task", TASKS)
def test_chat_policy(task):
    assert wants_chat(task, "official") == (task not in UNWRAPPED)
    assert wants_chat(task, "always")
    assert not wants_chat(task, "never")


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("policy", ["official", "always", "never"])
def test_the_policy_decides_the_bytes(task, policy):
    prompt = build_prompt(example(task), TEMPLATE, ToyTokenizer(), PromptPolicy(policy))
    wrapped = wants_chat(task, policy)
    assert prompt.chat is wrapped
    assert prompt.text == (f"<user>{BODY}<bot>" if wrapped else BODY)
    assert prompt.truncation is None


def test_without_a_template_of_its_own_a_model_is_sent_plain_prompts():
    prompt = build_prompt(example(), TEMPLATE, ToyTokenizer(chat=None), PromptPolicy("always"))
    assert (prompt.text, prompt.chat) == (BODY, False)


def test_without_a_tokenizer_the_prompt_is_whole():
    prompt = build_prompt(example(), TEMPLATE, None, PromptPolicy("always", 2))
    assert (prompt.text, prompt.chat, prompt.token_ids, prompt.tokens) == (BODY, False, None, None)


def test_ids_are_those_of_the_final_text():
    prompt = build_prompt(example(), TEMPLATE, ToyTokenizer(), PromptPolicy())
    assert prompt.token_ids == (MARKS["<user>"], *BODY.encode(), MARKS["<bot>"])
    assert prompt.tokens == len(BODY) + 2


def test_m_counts_the_rendered_prompt_and_not_the_chat_template():
    prompt = build_prompt(example(context="0123456789"), "{context}", ToyTokenizer(), PromptPolicy("always", 6))
    assert prompt.text == "<user>012789<bot>"
    assert prompt.tokens == 6 + 2
    assert (prompt.truncation.tokens_before, prompt.truncation.tokens_after) == (10, 6)


def test_truncation_by_name():
    policy = PromptPolicy("never", 3, "left")
    assert build_prompt(example(context="0123456789"), "{context}", ToyTokenizer(), policy).text == "789"


BOS_CASES = [
    (True, "<user>{}<bot>", "official", 1, "the tokenizer adds it"),
    (True, "<s><user>{}<bot>", "official", 1, "both would: one is taken away"),
    (False, "<s><user>{}<bot>", "official", 1, "the template brings it"),
    (False, "<user>{}<bot>", "official", 0, "a model without"),
    (True, "<s><user>{}<bot>", "never", 1, "no template"),
]


@pytest.mark.parametrize(("adds", "chat", "policy", "expected", "why"), BOS_CASES, ids=[c[4] for c in BOS_CASES])
def test_bos_is_never_doubled(adds, chat, policy, expected, why):
    tokenizer = ToyTokenizer(adds_bos=adds, chat=chat)
    prompt = build_prompt(example(), TEMPLATE, tokenizer, PromptPolicy(policy))
    assert prompt.token_ids.count(BOS) == expected
    assert prompt.token_ids[:1].count(BOS) == expected, "and it is the first"


def test_a_bos_that_the_text_itself_holds_stays():
    tokenizer = ToyTokenizer(adds_bos=True)
    prompt = build_prompt(example(context="<s>x"), "{context}", tokenizer, PromptPolicy("never"))
    assert prompt.token_ids == (BOS, BOS, ord("x"))


OVERHEADS = [
    (None, 0),
    (ToyTokenizer(chat=None), 0),
    (ToyTokenizer(), 2),
    (ToyTokenizer(chat="<user>system words {}<bot>"), 2 + len("system words ")),
    (ToyTokenizer(adds_bos=True, chat="<s><user>{}<bot>"), 2),
]


@pytest.mark.parametrize(("tokenizer", "expected"), OVERHEADS)
def test_wrap_overhead(tokenizer, expected):
    assert wrap_overhead(tokenizer) == expected


ODD = ["{braces} {0} {input!r} }{", "a\0b", "\u2028\x85\r\n", "<s><user>", "🇩🇪 é"]


@pytest.mark.parametrize("context", ODD)
def test_odd_contexts_are_rendered_as_they_are(context):
    prompt = build_prompt(example(context=context, question="{context}"), TEMPLATE, ToyTokenizer(), PromptPolicy())
    assert prompt.text == f"<user>Read: {context}\nAsk: {{context}}<bot>"


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["{}", "<user>\n{} <bot>", "<s>: {}"]))
def test_where_the_body_begins(body, chat):
    tokenizer = ToyTokenizer(chat=chat)
    prompt = build_prompt(example(context=body), "{context}", tokenizer, PromptPolicy("always"))
    assert prompt.text[prompt.body_start :].startswith(body)


class Stripping(ToyTokenizer):
    """Its chat template strips the message, as Llama 3's does."""

    def wrap_chat(self, text):
        return f"<user>\n\n{text.strip()}<bot>"


def test_where_a_stripped_body_begins():
    template, policy = " \n{context}?\n", PromptPolicy("always", 8)
    prompt = build_prompt(example(context="0123456789"), template, Stripping(), policy)
    at = prompt.body_start + prompt.truncation.head_chars
    assert prompt.text[:at] == "<user>\n\n01"
    assert prompt.text[at:] == "89?<bot>"


class Together(ToyTokenizer):
    """Takes several texts at once, and keeps count."""

    def encode_batch(self, texts):
        self.__dict__.setdefault("batches", []).append(len(texts))
        return [self.encode(text) for text in texts]


@given(
    st.lists(st.text(st.sampled_from("ab <s>.é中"), max_size=30), max_size=5),
    st.sampled_from([None, 2, 9, 40]),
    st.sampled_from(["middle", "left", "right"]),
    st.booleans(),
)
def test_several_prompts_are_made_as_each_alone(contexts, budget, truncate, adds_bos):
    rows = [example(id_=str(i), context=context) for i, context in enumerate(contexts)]
    policy, tokenizer = PromptPolicy("official", budget, truncate), Together(adds_bos=adds_bos)
    together = build_prompts(rows, TEMPLATE, tokenizer, policy)
    assert together == [build_prompt(row, TEMPLATE, ToyTokenizer(adds_bos=adds_bos), policy) for row in rows]
    if len(rows) > 1:
        assert set(tokenizer.batches) == {len(rows)}


@pytest.mark.parametrize(("task", "budget", "tokenized"), [("trec", 40, 1), ("trec", 9, 2), ("qasper", 40, 2)])
def test_what_was_neither_cut_nor_wrapped_is_tokenized_once(task, budget, tokenized):
    tokenizer = Together(adds_bos=True)
    rows = [example(task, id_) for id_ in "ab"]
    prompts = build_prompts(rows, TEMPLATE, tokenizer, PromptPolicy("official", budget))
    assert tokenizer.batches == [2] * tokenized
    assert [prompt.token_ids for prompt in prompts] == [tuple(tokenizer.encode(prompt.text)) for prompt in prompts]


def test_a_few_prompts_are_made_by_two_threads_and_come_in_order():
    both = Barrier(2)

    class Slow(ToyTokenizer):
        free_threaded = True

        def encode(self, text):
            both.wait(timeout=10)  # one thread alone would wait in vain
            sleep(0.05 * ("slow" in text))
            return super().encode(text)

    rows = [example("trec", id_=str(i), context="slow" if i % 3 == 0 else "quick") for i in range(6)]
    prompts = list(stream_prompts(rows, TEMPLATE, Slow(), PromptPolicy("official", 40)))
    assert [prompt.example_id for prompt in prompts] == [row.id for row in rows]


def test_only_a_few_prompts_are_made_ahead():
    taken = []
    rows = (taken.append(i) or example(id_=str(i)) for i in range(1000))
    for free_threaded in (False, True):
        tokenizer = ToyTokenizer()
        tokenizer.free_threaded = free_threaded
        taken.clear()
        next(stream_prompts(rows, TEMPLATE, tokenizer, PromptPolicy()))
        assert len(taken) == TOGETHER
