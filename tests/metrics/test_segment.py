import subprocess
import sys
import warnings
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from longbench_eval.metrics import segment
from longbench_eval.metrics.segment import cut, cut_definition, spaced

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # as in segment.py
    import jieba

    jieba.initialize()

DICTIONARY = [line.split()[0] for line in Path(jieba.__file__).with_name("dict.txt").read_text("utf-8").splitlines()]
needs_rjieba = pytest.mark.skipif(segment._rjieba() is None, reason="rjieba has no wheel here")
WITH_ASCII = [word for word in DICTIONARY if any(char.isascii() for char in word)]


@pytest.mark.parametrize(
    ("text", "words", "why"),
    [
        ("我来到北京清华大学", ["我", "来到", "北京", "清华大学"], "the dictionary"),
        ("他来到了网易杭研大厦", ["他", "来到", "了", "网易", "杭研", "大厦"], "杭研 is found by the HMM"),
        ("得 3.5分。\n", ["得", " ", "3.5", "分", "。", "\n"], "white space and punctuation are kept"),
        ("买A股和C++书", ["买", "A股", "和", "C++", "书"], "some words of the dictionary hold ASCII"),
        ("第1.2.3版50%-x", ["第", "1.2", ".", "3", "版", "50%", "-", "x"], "one decimal point and % stay in a number"),
        ("常在醮甜是前", ["常", "在", "醮", "甜", "是", "前"], "rjieba alone says 常在"),
        ("㐀㐁𠀀鿖", ["㐀", "㐁", "𠀀", "鿖"], "characters that jieba does not take for Chinese ones"),
        ("a\r\n\r b", ["a", "\r\n", "\r", " ", "b"], "a line end of Windows is one word"),
        ("我\0\ud800你", ["我", "\0", "\ud800", "你"], "half a surrogate pair, and the mark between words itself"),
        ("", [], "nothing"),
    ],
)
def test_cut(text, words, why):
    assert cut(text) == words, why
    assert cut_definition(text) == words, why
    assert spaced(text) == " ".join(words), why


frequent = st.text(
    st.sampled_from("我来到北京清华大学的研究生命科学上海人民工厂是在了有中一不这个为和"), min_size=1, max_size=6
)
rare = st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF) | st.characters(
    min_codepoint=0x20000, max_codepoint=0x3134F
)
ascii_ = st.text("aBzXTAC019.%+#&_-@/", min_size=1, max_size=4)
other = st.sampled_from("，。《》！？（）·…ＡＢ１．％　 \n\r\t\0é😀한\ud800") | st.just("\r\n") | st.characters()
pieces = st.sampled_from(DICTIONARY) | st.sampled_from(WITH_ASCII) | frequent | rare | ascii_ | other
texts = st.lists(pieces, max_size=12).map("".join)


@given(texts)
@example("AT&T恤衫")
@example("xC++c#小Sa.b--阿Q1号店")
@example("3.14.15%%")
def test_cut_is_the_definition_is_jieba(text):
    assert cut(text) == cut_definition(text) == list(jieba.cut(text, cut_all=False))
    assert "".join(cut(text)) == text
    assert spaced(text) == " ".join(cut(text))


@given(st.sampled_from(DICTIONARY), frequent, st.sampled_from(DICTIONARY))
def test_words_of_the_dictionary_are_cut_as_by_jieba(one, between, other):
    for text in (one, one + other, one + between + other):
        assert cut(text) == cut_definition(text)


def test_every_word_that_holds_ascii_is_cut_as_by_jieba():
    for word in WITH_ASCII:
        for text in (word, f"x{word}y", f"1.{word}2", f"我{word}的", f"{word}{word}"):
            assert cut(text) == cut_definition(text), text


@needs_rjieba
def test_the_fast_tokenizer_has_the_dictionary_of_jieba_and_its_sum_of_frequencies():
    tokenizer = segment._rjieba.__wrapped__()
    assert all(map(tokenizer.has_word, DICTIONARY))
    frequent = 10**12
    tokenizer.add_word("!", frequent, "")
    suggested = tokenizer.suggest_freq("!!")  # of two words, each of this frequency among all
    assert suggested == frequent * frequent // (frequent + jieba.dt.total) + 1


def test_a_caller_may_change_what_it_got():
    cut("我来到北京").clear()
    assert cut("我来到北京") == ["我", "来到", "北京"]


def test_without_rjieba_jieba_cuts(monkeypatch):
    monkeypatch.setattr(segment, "_rjieba", lambda: None)
    spaced.cache_clear()
    assert cut("买A股和C++书") == ["买", "A股", "和", "C++", "书"]
    assert spaced("我来到北京") == "我 来到 北京"


@pytest.mark.parametrize(
    ("origin", "why"),
    [(None, "it is not installed"), ("empty", "no compiled module is there"), ("broken", "it was built elsewhere")],
)
def test_a_missing_or_broken_rjieba_is_told(origin, why, monkeypatch, tmp_path):
    folder = tmp_path / "rjieba"
    folder.mkdir()
    if origin == "broken":
        (folder / f"rjieba{EXTENSION_SUFFIXES[-1]}").write_bytes(b"not a library")
    spec = ModuleSpec("rjieba", None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    monkeypatch.setattr(segment, "find_spec", lambda name: spec if origin else None)
    assert segment._rjieba.__wrapped__() is None, why


@pytest.mark.parametrize("function", [cut, cut_definition])
def test_words_added_to_jieba_do_not_change_scores(function, monkeypatch):
    monkeypatch.setattr(jieba.dt, "FREQ", dict(jieba.dt.FREQ))
    monkeypatch.setattr(jieba.dt, "total", jieba.dt.total)
    jieba.add_word("我来到北京")
    assert list(jieba.cut("我来到北京")) == ["我来到北京"]
    assert function("我来到北京") == ["我", "来到", "北京"]


@needs_rjieba
def test_words_added_to_rjieba_do_not_change_scores():
    rjieba = import_module("rjieba")
    rjieba.add_word("我来到北京", 10**6, "")
    assert rjieba.cut("我来到北京") == ["我来到北京"]
    assert cut("我来到北京") == segment._rjieba.__wrapped__().cut("我来到北京") == ["我", "来到", "北京"]


@needs_rjieba
@pytest.mark.parametrize(("function", "loads_jieba"), [("cut", False), ("cut_definition", True)])
def test_loading_is_silent_even_where_warnings_are_errors(function, loads_jieba):
    code = f"""
import sys
from longbench_eval.metrics import segment
print(segment.{function}('我们中出了A股'), 'jieba' in sys.modules)
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (f"['我们', '中出', '了', 'A股'] {loads_jieba}\n", "")
