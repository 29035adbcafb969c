"""What happens to a run when its model fails."""

import pytest

from longbench_eval import CallableModel
from longbench_eval.errors import ModelError
from longbench_eval.generate import answer
from longbench_eval.records import Completion, Failure
from toys import ScriptedModel, request

FINE, BROKEN, OVERLONG, LATE = "+", "x", "o", "t"
_ERRORS = {
    BROKEN: Failure("model", "boom"),
    OVERLONG: Failure("overlong", "too long"),
    LATE: Failure("timeout", "late"),
}


def scripted(story):
    return ScriptedModel([Completion(str(i), "", error=_ERRORS.get(what)) for i, what in enumerate(story)])


SURVIVED = [
    ("", "nothing to do"),
    (BROKEN * 9, "nine in a row"),
    ((BROKEN * 9 + FINE) * 3, "never ten in a row"),
    (OVERLONG * 50, "rows that are too long are the rows' fault"),
    (BROKEN * 9 + OVERLONG + BROKEN * 9, "a model that refuses a row is alive"),
]


@pytest.mark.parametrize(("story", "why"), SURVIVED, ids=[why for _, why in SURVIVED])
def test_goes_on(story, why):
    assert len(list(answer(scripted(story), []))) == len(story)


BROKEN_MODELS = [
    (BROKEN * 10, 10, "from the beginning"),
    (FINE * 5 + BROKEN * 20, 15, "later"),
    (LATE * 5 + BROKEN * 5, 10, "for different reasons"),
]


@pytest.mark.parametrize(("story", "yielded", "why"), BROKEN_MODELS, ids=[why for *_, why in BROKEN_MODELS])
def test_stops_after_ten_in_a_row_and_what_came_before_was_yielded(story, yielded, why):
    stream = answer(scripted(story), [])
    assert [next(stream).example_id for _ in range(yielded)] == [str(i) for i in range(yielded)]
    with pytest.raises(
        ModelError, match=r"'scripted' failed 10 times in a row.*boom.*Mend the model and run the command again"
    ):
        next(stream)


def test_a_function_that_always_raises_is_not_asked_a_thousand_times():
    asked = []

    def broken(one):
        asked.append(one)
        raise RuntimeError("no device")

    with pytest.raises(ModelError, match="RuntimeError: no device"):
        list(answer(CallableModel(broken), (request(id_=str(i)) for i in range(1000))))
    assert len(asked) == 10


def test_completions_come_as_they_are_made():
    made = []
    stream = answer(CallableModel(lambda one: made.append(one) or ""), (request(id_=i) for i in "abc"))
    next(stream)
    assert len(made) == 1
