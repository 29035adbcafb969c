import subprocess
import sys
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longbench_eval.metrics.segment import cut

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # as in segment.py
    import jieba

    jieba.initialize()


@pytest.mark.parametrize(
    ("text", "words", "why"),
    [
        ("我来到北京清华大学", ["我", "来到", "北京", "清华大学"], "the dictionary"),
        ("他来到了网易杭研大厦", ["他", "来到", "了", "网易", "杭研", "大厦"], "杭研 is found by the HMM"),
        ("得 3.5分。\n", ["得", " ", "3.5", "分", "。", "\n"], "white space and punctuation are kept"),
        ("", [], "nothing"),
    ],
)
def test_cut(text, words, why):
    assert cut(text) == words, why


chinese = st.text(st.sampled_from("我来到北京清华大学的研究生命科学上海人民工厂。，《》 \n\r\tab1.2-%A"), max_size=40)


@settings(deadline=None)  # the first call loads the dictionary
@given(chinese | st.text(max_size=20))
def test_cut_is_jieba(text):
    assert cut(text) == list(jieba.cut(text, cut_all=False))
    assert "".join(cut(text)) == text


def test_a_caller_may_change_what_it_got():
    cut("我来到北京").clear()
    assert cut("我来到北京") == ["我", "来到", "北京"]


def test_words_added_to_jieba_do_not_change_scores(monkeypatch):
    monkeypatch.setattr(jieba.dt, "FREQ", dict(jieba.dt.FREQ))
    monkeypatch.setattr(jieba.dt, "total", jieba.dt.total)
    jieba.add_word("我来到北京")
    assert list(jieba.cut("我来到北京")) == ["我来到北京"]
    cut.__globals__["_cut"].cache_clear()
    assert cut("我来到北京") == ["我", "来到", "北京"]


def test_loading_is_silent_even_where_warnings_are_errors():
    code = "from longbench_eval.metrics.segment import cut; print(len(cut('我来到北京')))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("3\n", "")
