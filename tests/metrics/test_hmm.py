import warnings

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from longbench_eval.metrics.hmm import split_unknown

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # jieba has invalid escapes in its patterns
    from jieba import finalseg


@pytest.mark.parametrize(
    ("run", "words", "why"),
    [
        ("杭研", "杭研/", "two characters that often begin and end words"),
        ("的是", "的/是/", "two that often stand alone"),
        ("龘", "龘/", "one character is one word"),
        ("龘靐", "龘/靐/", "seen in no state: all paths are equal, and S is last in the alphabet"),
    ],
)
def test_split_unknown(run, words, why):
    assert split_unknown(run, "/") == words, why


# Frequent characters, then ones that the model has seen seldom, in some states or not at all.
runs = st.text(
    st.sampled_from("的是在有人中大来上国我到说们丂丆丌龘靐鿕")
    | st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD5),
    min_size=1,
)


@given(runs)
@example("常在醮")  # rounded to six decimals, as in rjieba, the model joins the first two
@example("隔若分")
def test_it_is_the_model_of_jieba(run):
    assert split_unknown(run, "/").removesuffix("/").split("/") == list(finalseg.cut(run))
