from dataclasses import replace

import pytest
from official_rows import predictions, record

from longbench_eval.errors import DataError, UsageError
from longbench_eval.records import Score
from longbench_eval.scoring import PROFILES, Profile, extract_official, first_line, get_profile, score_row, score_rows
from longbench_eval.tasks import TASKS

LEVENSHTEIN = PROFILES["official-levenshtein"]


@pytest.mark.parametrize(
    ("text", "expected", "why"),
    [
        ("a\nb", "a", "up to the first newline"),
        ("\n\na\nb", "a", "after leading newlines"),
        (" \na", " ", "white space is a line"),
        ("a\r\nb", "a\r", "only \\n ends one"),
        ("a\u2028b\x85c", "a\u2028b\x85c", "not what Python's splitlines() knows"),
        ("\n\n", "", "nothing but newlines"),
        ("", "", "nothing"),
    ],
)
def test_first_line(text, expected, why):
    assert first_line(text) == expected, why


@pytest.mark.parametrize("name", TASKS)
def test_only_few_shot_tasks_are_scored_on_the_first_line(name):
    line_only = name in ("trec", "triviaqa", "samsum", "lsht")
    assert extract_official(TASKS[name], "\na\nb") == ("a" if line_only else "\na\nb")


CLASSES = ["sport", "sport event", "number"]
ROWS = [
    # task, prediction, answers, classes, value, index of the answer, why
    ("qasper", "a cat", ["dog", "the cat", "cat"], None, 1.0, 1, "the best answer counts, the first of equals"),
    ("qasper", "bird", ["dog", "cat"], None, 0.0, 0, "none fits: the first"),
    ("qasper", "cat", [], None, 0.0, 0, "no answers: 0, as officially"),
    ("qasper", "cat\ndog", ["cat"], None, 2 / 3, 0, "all lines count here"),
    ("triviaqa", "cat\ndog", ["cat"], None, 1.0, 0, "and only the first here"),
    ("trec", "\nsport event\nnumber", ["sport event"], CLASSES, 1.0, 0, "sport is only a part of the right class"),
    ("trec", "sport event or number", ["number"], CLASSES, 1 / 3, 0, "three classes named"),
    ("lcc", "# why\nx = 1\n", ["x = 1"], None, 1.0, 0, "code finds its own line"),
    ("passage_count", "3 or 4", ["3"], None, 0.5, 0, "half of the numbers"),
    ("qasper", "\ud800 cat", ["cat"], None, 2 / 3, 0, "half a character is a word"),
    ("multifieldqa_zh", "\ud800北京", ["北京"], None, 2 / 3, 0, "in Chinese too"),
    ("dureader", "\udc00", ["北京"], None, 0.0, 0, "and in ROUGE"),
    ("lcc", "\ud800", ["x"], None, 0.0, 0, "and in code"),
]


@pytest.mark.parametrize(("task", "prediction", "answers", "classes", "value", "index", "why"), ROWS)
def test_score_row(task, prediction, answers, classes, value, index, why):
    for profile in (PROFILES["official"], LEVENSHTEIN):
        score = score_row(task, prediction, answers, classes, profile)
        assert score.value == pytest.approx(value), why
        assert (score.answer_index, score.extracted) == (index, extract_official(TASKS[task], prediction)), why


def test_profiles_differ_in_the_edit_similarity_alone():
    for task in ("lcc", "repobench-p"):
        assert score_row(task, "abcxab", ["xabab"]).value == 0.55
        assert score_row(task, "abcxab", ["xabab"], profile=LEVENSHTEIN).value == 0.73
    replaced = {metric for task in TASKS.values() if LEVENSHTEIN.metric(metric := task.metric) is not official(metric)}
    assert replaced == {"code_sim"}


def official(metric):
    return PROFILES["official"].metric(metric)


def test_a_profile_is_found_by_its_name():
    assert get_profile("official") is PROFILES["official"]
    assert isinstance(LEVENSHTEIN, Profile)
    with pytest.raises(UsageError, match=r"no profile 'offical'. Did you mean 'official'\?"):
        get_profile("offical")


def test_the_classes_of_the_last_row_are_those_of_all():
    rows = predictions([record("trec", 0, 1), record("trec", 1, 2) | {"all_classes": ["other"]}])
    assert [score.value for score in score_rows("trec", rows)] == [0.0, 0.0]
    assert [score.value for score in score_rows("trec", rows[::-1])] == [1.0, 1.0]
    assert score_rows("trec", []) == []


@pytest.mark.parametrize(
    ("task", "changes", "message"),
    [
        ("trec", {"all_classes": None}, "trec, line 1: classification needs the row's list of classes"),
        ("passage_retrieval_en", {"answers": ["3"]}, "passage_retrieval_en, line 2: The reference answer '3' names no"),
    ],
)
def test_answers_that_the_metric_cannot_use_are_named_by_line(task, changes, message):
    rows = predictions([record(task, 0, 1), record(task, 1, 2) | changes])
    for given in (rows, [replace(row, line=number) for number, row in enumerate(rows, 1)]):
        with pytest.raises(DataError) as error:
            score_rows(task, given)
        assert str(error.value).startswith(message)


def test_an_unknown_task_is_refused():
    with pytest.raises(UsageError, match="Did you mean 'qasper'"):
        score_row("quasper", "a", ["a"])


def test_a_score_holds_its_evidence():
    assert score_row("samsum", "\nhi there\nbye", ["no", "hi there"]) == Score(0.999999995, 1, "hi there")
