"""Whether an answer can still be read."""

import pytest

from longbench_eval.compress.kept import holds_answer

ROWS = [
    (["Paris"], "He lives in paris.", True, "any case"),
    (["New York"], "in New\n  York", True, "any white space"),
    (["it's 3.5 m."], "it’s 3,5 m", True, "any punctuation"),
    (["art"], "at the start", False, "no part of a word"),
    (["a b"], "a x b", False, "no gaps"),
    (["x", "b"], "a b", True, "any of the answers"),
    (["厦门大学。"], "在厦门大学的年会", True, "a Chinese full stop"),
    (["段落1"], "段落12：", False, "no part of a number"),
    (["段落12"], "段落12：", True, "the number"),
    ([], "a", False, "no answer"),
    (["", "?!"], "a", False, "answers without a word"),
    (["a"], "", False, "no text"),
]


@pytest.mark.parametrize(("answers", "text", "expected", "why"), ROWS)
def test_answers(answers, text, expected, why):
    assert holds_answer(answers, text) is expected, why
