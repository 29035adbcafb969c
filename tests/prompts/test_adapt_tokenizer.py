"""Tokenizers that callers have, and what is made of them."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.errors import UsageError
from longbench_eval.prompts import HFTokenizer, PromptPolicy, Tokenizer, adapt_tokenizer, build_prompt
from toys import ToyTokenizer, TransformersStub, example


def test_ours_and_none_pass():
    toy = ToyTokenizer()
    assert isinstance(toy, Tokenizer)
    assert adapt_tokenizer(toy) is toy
    assert adapt_tokenizer(None) is None


def test_transformers_is_called_as_the_reference_calls_it():
    toy = ToyTokenizer(adds_bos=True)
    adapted = adapt_tokenizer(TransformersStub(toy))
    assert isinstance(adapted, HFTokenizer)
    assert adapted.encode("<user>é") == toy.encode("<user>é")
    assert adapted.decode([*"é".encode(), 258]) == "é"
    assert adapted.wrap_chat("a {b}") == "<user>a {b}<bot>"
    assert (adapted.bos_id, adapted.newline_id) == (256, 10)


def test_transformers_without_a_chat_template():
    assert adapt_tokenizer(TransformersStub(ToyTokenizer(chat=None))).wrap_chat("a") is None


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(2, 30))
def test_an_adapted_tokenizer_makes_the_same_prompts(context, budget):
    toy = ToyTokenizer(adds_bos=True, chat="<s><user>{}<bot>")
    policy = PromptPolicy("official", budget)
    prompts = [build_prompt(example(context=context), "{context}", t, policy) for t in (toy, _stub(toy))]
    assert prompts[0] == prompts[1]


def _stub(toy):
    return adapt_tokenizer(TransformersStub(toy))


@pytest.mark.parametrize("thing", ["gpt2", 5, len])
def test_what_is_no_tokenizer(thing):
    with pytest.raises(UsageError, match=rf"A {type(thing).__name__} is no tokenizer.*wrap_chat"):
        adapt_tokenizer(thing)


def test_a_tokenizer_of_the_tokenizers_library():
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {"a": 0, "b": 1, "[UNK]": 2, "\n": 3}
    theirs = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.Split(" ", "removed")
    theirs.enable_truncation(2)
    theirs.enable_padding(length=9)
    adapted = adapt_tokenizer(theirs)
    assert adapted.encode("a b a b") == [0, 1, 0, 1], "a stored limit must not falsify the count"
    assert len(theirs.encode("a b a b").ids) == 9, "the caller's object is left as it was"
    assert adapted.decode([0, 1]) == "a b"
    assert (adapted.newline_id, adapted.bos_id, adapted.wrap_chat("a")) == (3, None, None)


@pytest.mark.parametrize("said", [None, "true"])
def test_whether_the_library_uses_threads_of_its_own_stays_what_the_user_said(said, monkeypatch):
    tokenizers = pytest.importorskip("tokenizers")
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", said or "")
    if said is None:
        monkeypatch.delenv("TOKENIZERS_PARALLELISM")
    adapt_tokenizer(tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0}, unk_token="a")))
    assert os.environ["TOKENIZERS_PARALLELISM"] == (said or "false")
