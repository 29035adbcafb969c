"""The thought comes off an answer, and the task's rules hold for the rest."""

import pytest

from longbench_eval import Completion, Failure
from longbench_eval.generate import settle
from longbench_eval.thinking import Thought
from toys import ToyTokenizer, request

TOKENIZER = ToyTokenizer(adds_bos=True)

ANSWERS = [
    ("qasper", "q", "Paris", "Paris", None, "unknown", "no thought: nothing changes"),
    ("qasper", "q", "a very long answer", "a very long answer", None, "unknown", "the model kept the cap itself"),
    ("qasper", "q", "<think>so</think>Paris", "Paris", ("so", True), "unknown", "the thought comes off"),
    (
        "qasper",
        "q",
        "<think>so</think>a very long answer",
        "a very l",
        ("so", True),
        "length",
        "the cap is the answer's",
    ),
    ("qasper", "q", "<think>a very long thought", "", ("a very long thought", False), "unknown", "no answer is left"),
    ("qasper", "q<think>\n", "so", "", ("so", False), "unknown", "the prompt opened the thought"),
    ("samsum", "q", "<think>a\nb</think>\nOne.\nTwo.", "One.\n", ("a\nb", True), "newline", "samsum's first line"),
    ("samsum", "q", "One.\nTwo.", "One.\nTwo.", None, "unknown", "without a thought the model kept the rule itself"),
    ("qasper", "q", "<think>a</think>One.\nTwo.", "One.\nTwo", ("a", True), "length", "other tasks have no such rule"),
]


@pytest.mark.parametrize(("task", "prompt", "text", "answer", "thought", "reason", "why"), ANSWERS)
def test_answers(task, prompt, text, answer, thought, reason, why):
    settled = settle(task, request(prompt).prompt, 8, Completion("a", text), TOKENIZER)
    expected = Completion("a", answer, reason, thinking=thought and Thought(*thought))
    assert settled == expected, why


def test_a_server_that_keeps_thoughts_apart():
    told = Completion("a", "a very long answer", thinking=Thought("so", True))
    assert settle("qasper", request().prompt, 8, told, TOKENIZER).text == "a very l"
    assert settle("qasper", request().prompt, 8, told, None).text == "a very long answer"


def test_a_failed_row_stays_one():
    failed = Completion("a", "", error=Failure("model", "no"))
    assert settle("qasper", request("q<think>").prompt, 8, failed, TOKENIZER) == failed
