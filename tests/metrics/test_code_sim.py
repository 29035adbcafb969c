import warnings
from difflib import SequenceMatcher
from importlib.util import find_spec

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from longbench_eval.metrics import code_sim, code_sim_levenshtein
from longbench_eval.metrics.code_sim import code_line, difflib_ratio

with warnings.catch_warnings():
    warnings.simplefilter("ignore", UserWarning)  # it warns where python-Levenshtein is not installed
    from fuzzywuzzy import fuzz

TABLE = [
    # prediction, answer, difflib, Indel, why
    ("return x", "return x", 1.0, 1.0, "equal"),
    ("\n\nreturn x\nreturn y", "return x", 1.0, 1.0, "the first line"),
    ("```python\n# now\n// or\nreturn x", "return x", 1.0, 1.0, "fences and comments are passed over"),
    ("# a\n\nreturn x", "return x", 0.0, 0.0, "an empty line after the first is a line"),
    ("return x  # why", "return x", 0.0, 0.0, "a line with a comment at its end is no line"),
    ("return x", "return x  # why", 0.7, 0.7, "but the answer may hold one"),
    ("", "return x", 0.0, 0.0, "nothing predicted"),
    ("# a", "", 1.0, 1.0, "nothing against nothing is equal"),
    ("    return x", "return x", 0.8, 0.8, "indentation counts"),
    ("return x\r", "return x\r", 1.0, 1.0, "so does a carriage return"),
    ("abcxab", "xabab", 0.55, 0.73, "difflib keeps the longest block xab, Indel the longest subsequence abab"),
    ("abcdefgh", "abcdefg?", 0.88, 0.88, "0.875: half a percent goes to the even one, here up"),
    ("a" * 200, "b" + "a" * 200, 0.0, 1.0, "quirk of difflib: a character frequent in a long line is junk"),
    ("a" * 200, "a" * 200, 1.0, 1.0, "which equality escapes"),
]


@pytest.mark.parametrize(("prediction", "answer", "difflib_score", "indel_score", "why"), TABLE)
def test_code_sim(prediction, answer, difflib_score, indel_score, why):
    assert code_sim(prediction, answer) == difflib_score, why
    assert code_sim_levenshtein(prediction, answer) == indel_score, why


lines = st.text(st.sampled_from("ab(), ="), max_size=30) | st.text(max_size=30)
long_lines = st.builds(lambda unit, times: unit * times, st.text("abc", min_size=1, max_size=9), st.integers(20, 60))


around_autojunk = st.builds(lambda text, n: (text * n)[:n], st.text("ab (x", min_size=1), st.integers(190, 210))


@given(lines | long_lines | around_autojunk, lines | long_lines | around_autojunk)
@example("", "")
@example("ab", "")
def test_fast_ratio_is_that_of_difflib(one, other):
    assert difflib_ratio(one, other) == (1.0 if one == other else SequenceMatcher(None, one, other).ratio())


@given(lines | long_lines, lines | long_lines)
@example("", "")
def test_code_sim_is_fuzzywuzzy_with_difflib(prediction, answer):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fuzz, "SequenceMatcher", SequenceMatcher)
        assert code_sim(prediction, answer) == fuzz.ratio(code_line(prediction), answer) / 100


@given(lines | long_lines, lines | long_lines)
@example("", "")
@pytest.mark.skipif(find_spec("Levenshtein") is None, reason="needs python-Levenshtein")
def test_code_sim_levenshtein_is_fuzzywuzzy_with_python_levenshtein(prediction, answer):
    from fuzzywuzzy.StringMatcher import StringMatcher

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fuzz, "SequenceMatcher", StringMatcher)
        assert code_sim_levenshtein(prediction, answer) == fuzz.ratio(code_line(prediction), answer) / 100


@given(lines, lines)
def test_code_sim_levenshtein_is_one_less_the_share_of_insertions_and_deletions(prediction, answer):
    line = code_line(prediction)
    total = len(line) + len(answer)
    share = (total - 2 * _lcs_length(line, answer)) / total if total else 0.0
    assert code_sim_levenshtein(prediction, answer) == round(100 * (1 - share)) / 100


def _lcs_length(one, other):
    row = [0] * (len(other) + 1)
    for x in one:
        row, above = [0], row
        for j, y in enumerate(other):
            row.append(above[j] + 1 if x == y else max(above[j + 1], row[j]))
    return row[-1]
