"""A Python function as a model."""

from dataclasses import replace

import pytest

from longbench_eval import CallableModel, Completion
from longbench_eval.errors import UsageError
from longbench_eval.records import Failure
from toys import ToyTokenizer, TransformersStub, request


def answer_one(function, asked=None):
    [completion] = CallableModel(function).generate([asked or request()])
    return completion


def test_text_becomes_a_completion():
    completion = answer_one(lambda asked: asked.prompt.text.upper(), request("hello", ids=[1, 2, 3]))
    assert completion.latency_s > 0
    assert replace(completion, latency_s=0) == Completion("a", "HELLO", prompt_tokens=3)


def test_empty_text_is_an_answer():
    assert answer_one(lambda asked: "").error is None


def test_a_whole_completion_is_taken_as_it_is():
    whole = Completion("a", "yes", "length", 7, 8, 9, latency_s=1.5)
    assert answer_one(lambda asked: whole) == whole


def test_a_completion_belongs_to_the_row_that_was_asked():
    assert answer_one(lambda asked: Completion("", "yes"), request(id_="b")).example_id == "b"


def raising(asked):
    raise ValueError("out of memory {}")


NO_ANSWERS = [
    (raising, "ValueError: out of memory {}"),
    (lambda asked: None, "TypeError: the function returned NoneType, expected str or Completion"),
    (lambda asked: b"bytes", "TypeError: the function returned bytes, expected str or Completion"),
    (lambda asked: ["a"], "TypeError: the function returned list, expected str or Completion"),
]


@pytest.mark.parametrize(("function", "message"), NO_ANSWERS)
def test_a_failure_is_a_value_and_never_text(function, message):
    completion = answer_one(function)
    assert (completion.text, completion.error) == ("", Failure("model", message))


def test_a_failed_row_does_not_end_the_others():
    def second_fails(asked):
        return raising(asked) if asked.example_id == "2" else "fine"

    completions = CallableModel(second_fails).generate(request(id_=i) for i in "123")
    assert [completion.error is None for completion in completions] == [True, False, True]


def test_requests_are_taken_one_by_one():
    taken = []
    completions = CallableModel(lambda asked: "").generate(taken.append(i) or request(id_=i) for i in "abc")
    next(completions)
    assert taken == ["a"]


def test_ctrl_c_is_no_failed_row():
    def interrupted(asked):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer_one(interrupted)


def test_what_it_says_of_itself():
    def my_method(asked):
        return ""

    model = CallableModel(my_method, TransformersStub(ToyTokenizer()), window=4096, newline_stop="string")
    assert (model.name, model.window, model.capacity) == ("my_method", 4096, 4096)
    assert (model.newline_stop, model.prefix_reuse) == ("string", "unknown")
    assert model.tokenizer.wrap_chat("a") == "<user>a<bot>"
    identity = model.identity()
    assert (identity["kind"], identity["name"], len(identity["code_sha256"])) == ("callable", "my_method", 64)
    assert model.versions() == {}
    model.close()


def test_the_name_of_what_has_none():
    class Method:
        def __call__(self, asked):
            return ""

    assert CallableModel(Method()).name == "Method"
    assert CallableModel(Method(), name="kv-256").name == "kv-256"


def test_identity_tells_codes_apart_but_not_where_they_stand():
    functions = [
        lambda asked: "a" if asked in {"x", "y"} else "b",
        lambda asked: "a" if asked in {"x", "y"} else "b",
        lambda asked: "a" if asked in {"x", "z"} else "b",
    ]
    first, same, other = [CallableModel(one).identity()["code_sha256"] for one in functions]
    assert first == same
    assert first != other


def test_an_object_with_a_call_has_its_code():
    class Patched:
        def __call__(self, asked):
            return ""

    assert CallableModel(Patched()).identity()["code_sha256"]
    assert CallableModel(str).identity()["code_sha256"] is None


def batched(seen):
    def generate(requests):
        seen.append([asked.example_id for asked in requests])
        return [asked.example_id.upper() for asked in requests]

    return generate


def test_a_function_that_takes_batches():
    seen = []
    completions = list(CallableModel(batched(seen), batch_size=2).generate(request(id_=i) for i in "abcde"))
    assert [completion.text for completion in completions] == list("ABCDE")
    assert seen == [["a", "b"], ["c", "d"], ["e"]]


def test_a_batch_that_raises_is_asked_one_by_one():
    def generate(requests):
        return raising(requests) if any(asked.example_id == "b" for asked in requests) else ["fine"] * len(requests)

    completions = CallableModel(generate, batch_size=3).generate(request(id_=i) for i in "abc")
    assert [completion.error is None for completion in completions] == [True, False, True]


@pytest.mark.parametrize(("answers", "told"), [("ab", "a str"), (["a"], "1 answers"), (["a"] * 3, "3 answers")])
def test_a_batch_has_as_many_answers_as_requests(answers, told):
    completions = list(CallableModel(lambda requests: answers, batch_size=2).generate(request(id_=i) for i in "ab"))
    message = f"TypeError: the function returned {told}, expected a list of 1 answers"
    if isinstance(answers, list) and len(answers) == 1:
        assert [completion.text for completion in completions] == ["a", "a"]  # right for each of the two, asked alone
    else:
        assert [completion.error.message for completion in completions] == [message, message]


def test_state_is_reset_between_contexts_and_no_batch_holds_two():
    events = []
    rows = [request(id_=i, context=c) for i, c in zip("abcde", "xxyyy", strict=True)]
    model = CallableModel(batched(events), batch_size=2, reset=lambda: events.append("reset"))
    list(model.generate(iter(rows)))
    assert events == ["reset", ["a", "b"], "reset", ["c", "d"], ["e"]]
    events.clear()
    list(
        CallableModel(lambda asked: events.append(asked.example_id) or "", reset=lambda: events.append("-")).generate(
            rows
        )
    )
    assert "".join(events) == "-ab-cde"


def test_a_batch_has_rows():
    with pytest.raises(UsageError, match="batch_size is 0; it must be at least 1"):
        CallableModel(batched([]), batch_size=0)
