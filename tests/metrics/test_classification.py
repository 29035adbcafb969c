import pytest

from longbench_eval.metrics import classification

CLASSES = ["Sport", "Sport event", "event", "Other entity", "Number"]
TABLE = [
    # prediction, answer, expected, why
    ("Number", "Number", 1.0, "the right class"),
    ("Type: Number", "Number", 1.0, "anywhere in the prediction"),
    ("number", "Number", 0.0, "case counts"),
    ("Number Sport", "Number", 0.5, "two classes named, one right"),
    ("Other entity", "Number", 0.0, "only a wrong class"),
    ("nothing known", "Number", 0.0, "no class named: no fall-back on the most similar"),
    ("", "Number", 0.0, "nothing predicted"),
    ("Sport event", "Sport event", 1.0, "Sport and event are parts of the right class and dropped"),
    ("Sport", "Sport event", 0.0, "a part of the right class is not the right class"),
    ("Sport event", "Sport", 1 / 3, "Sport event is no part of Sport: all three stay"),
    ("Unheard", "Unheard", 0.0, "an answer that is no class cannot be found"),
]


@pytest.mark.parametrize(("prediction", "answer", "expected", "why"), TABLE)
def test_classification(prediction, answer, expected, why):
    assert classification(prediction, answer, CLASSES) == expected, why


@pytest.mark.parametrize(
    ("classes", "expected", "why"),
    [
        (["a", "ab", "abc"], 1 / 2, "quirk: a is removed, ab slides into its place and is skipped"),
        (["a", "abc", "ab"], 1.0, "abc is skipped instead, and was to stay anyway"),
        (["abc", "a", "b", "c"], 1 / 2, "a and c are removed, b is skipped"),
        (["a", "a", "abc"], 1 / 2, "a class listed twice is removed once"),
    ],
)
def test_a_class_after_a_removed_one_is_never_looked_at(classes, expected, why):
    assert classification("abc", "abc", classes) == expected, why


def test_the_list_of_classes_is_left_alone():
    classes = ["a", "b", "abc"]
    classification("abc", "abc", classes)
    assert classes == ["a", "b", "abc"]


def test_without_classes_it_says_what_is_missing():
    with pytest.raises(ValueError, match="all_classes"):
        classification("Number", "Number")
