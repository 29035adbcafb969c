import pytest

import longbench_eval
from longbench_eval.errors import UsageError
from longbench_eval.metrics import code_sim, qa_f1, rouge
from longbench_eval.scoring import evaluate

PERFECT = 0.999999995
CASES = [
    # prediction, gold, task type, expected, why
    ("The cat!", "cat", "qa", 1.0, "F1 after normalization"),
    ("cat\ndog", "cat", "qa", 2 / 3, "over all lines"),
    ("a dog", ["cat", "dog", "bird"], "qa", 1.0, "the best of several golds"),
    ("the cat sat", "the cat sat", "summarization", PERFECT, "ROUGE-L"),
    ("the cat", "the dog", "summarization", 0.499999995, "of words"),
    ("\nreturn x\nreturn y", "return x", "code", 1.0, "edit similarity of the first line"),
    ("return y", "return x", "code", 0.88, "in whole percents"),
    ("# why\nreturn x", "return x", "code", 0.0, "a comment counts as nothing, and the next line is not asked"),
    ("sport\nQuestion:", "sport", "fewshot", 1.0, "the first line"),
    (" sport ", "sport", "fewshot", 1.0, "white space around is nothing"),
    ("Sport", "sport", "fewshot", 0.0, "case is something"),
    ("a sport", "sport", "fewshot", 0.0, "match is all or nothing"),
    ("7", ["7", "seven"], "synthetic", 1.0, "anything else is matched too"),
    ("7\n", "7", "", 1.0, "white space around it apart"),
    ("7\nor 8", "7", "synthetic", 0.0, "but over all lines"),
    ("", "", "fewshot", 1.0, "nothing matches nothing"),
    ("x", [], "qa", 0.0, "no gold, no score"),
]


@pytest.mark.parametrize(("prediction", "gold", "task_type", "expected", "why"), CASES)
def test_one_row(prediction, gold, task_type, expected, why):
    assert evaluate([prediction], [gold], [task_type]) == pytest.approx(expected, abs=1e-12), why


def test_the_mean_over_all_rows():
    predictions, golds, task_types, expected, _ = zip(*CASES, strict=True)
    assert evaluate(predictions, golds, task_types) == pytest.approx(sum(expected) / len(expected), abs=1e-9)


def test_it_uses_the_official_metrics():
    prediction, gold = "we saw two cats. they slept", "two cats slept"
    for task_type, metric in (("qa", qa_f1), ("summarization", rouge), ("code", code_sim)):
        assert evaluate([prediction], [gold], [task_type]) == metric(prediction, gold)


@pytest.mark.parametrize(
    ("predictions", "golds", "task_types", "message"),
    [
        (["a"], ["a", "b"], ["qa"], "it got 1 predictions, 2 golds and 1 task types"),
        (["a", "b"], ["a", "b"], ["qa"], "it got 2 predictions, 2 golds and 1 task types"),
        ([], [], [], "at least one prediction"),
    ],
)
def test_what_it_refuses(predictions, golds, task_types, message):
    with pytest.raises(UsageError, match=message):
        evaluate(predictions, golds, task_types)


def test_it_is_offered_at_the_top():
    assert longbench_eval.evaluate is evaluate
