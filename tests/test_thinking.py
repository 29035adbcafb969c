"""Thoughts are told from answers, and get tokens of their own."""

import pytest

from longbench_eval.errors import UsageError
from longbench_eval.prompts.chat import ChatSetup
from longbench_eval.thinking import (
    Thinking,
    Thought,
    close_thought,
    opens_thought,
    parse_thinking,
    split_thinking,
    template_thinks,
)

SPLITS = [
    ("Paris", False, None, "Paris", "no thought"),
    ("", False, None, "", "nothing at all"),
    ("<think>so</think>\n\nParis", False, ("so", True), "Paris", "the line ends after a thought are not answer"),
    ("<think>so</think>  Paris\n", False, ("so", True), "  Paris\n", "other white space is"),
    (" \n<think>\nso\n</think>Paris", False, ("\nso\n", True), "Paris", "white space before it"),
    ("<think>so", False, ("so", False), "", "cut by the cap"),
    ("so</think>Paris", False, ("so", True), "Paris", "the prompt opened it: only its end is there"),
    ("so far", True, ("so far", False), "", "the prompt opened it, and it came to no end"),
    ("so</think>Paris", True, ("so", True), "Paris", "the prompt opened it"),
    ("[THINK]so[/THINK]Paris", False, ("so", True), "Paris", "other marks"),
    ("◁think▷so◁/think▷Paris", False, ("so", True), "Paris", "other marks"),
    ("<think></think>Paris", False, ("", True), "Paris", "an empty thought"),
    ("<think>a</think>b</think>c", False, ("a", True), "b</think>c", "the first end counts"),
    ("I think <think> is a tag", False, None, "I think <think> is a tag", "a mark inside an answer begins nothing"),
    ("<thinking>so</thinking>Paris", False, ("so", True), "Paris", "other marks"),
]


@pytest.mark.parametrize(("text", "opened", "thought", "answer", "why"), SPLITS)
def test_splits(text, opened, thought, answer, why):
    assert split_thinking(text, opened=opened) == (thought and Thought(*thought), answer), why


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("auto", Thinking()),
        ("off", Thinking("off")),
        ("budget 100", Thinking("budget", 100)),
        ("budget=100", Thinking("budget", 100)),
    ],
)
def test_spellings(text, expected):
    assert parse_thinking(text) == expected


@pytest.mark.parametrize("text", ["", "on", "budget", "budget 0", "budget -1", "budget many", "100", "off 3", "Auto"])
def test_other_spellings_are_refused(text):
    with pytest.raises(UsageError, match=r"expected auto, off, or budget N, such as --thinking budget 4096"):
        parse_thinking(text)


@pytest.mark.parametrize(
    ("text", "thinks", "tokens", "switches"),
    [
        ("auto", False, 0, {}),
        ("auto", True, 4096, {}),
        ("off", True, 0, {"enable_thinking": False, "thinking": False}),
        ("budget 7", False, 7, {"enable_thinking": True, "thinking": True}),
        ("budget 7", True, 7, {"enable_thinking": True, "thinking": True}),
    ],
)
def test_what_the_model_may_do_and_is_told(text, thinks, tokens, switches):
    thinking = parse_thinking(text)
    assert (thinking.budget(thinks), thinking.switches) == (tokens, switches)


QWEN = "{% if enable_thinking is false %}<think>\n\n</think>{% endif %}"
DISTILLED = "{{ content.split('</think>')[-1] }}<assistant><think>\n"
OLDER = "{{ content.split('</think>')[-1] }}<assistant>"
PLAIN = "<user>{{ content }}<assistant>"


@pytest.mark.parametrize(
    ("template", "prompt", "closed", "why"),
    [
        (PLAIN, "<assistant>", "<assistant>", "a model that does not think"),
        (QWEN, "<assistant>", "<assistant>", "a switch of its own: the template was told"),
        (DISTILLED, "<assistant><think>\n", "<assistant><think>\n\n</think>\n\n", "a thought that is open is closed"),
        (OLDER, "<assistant>", "<assistant><think>\n\n</think>\n\n", "an empty thought is put in front"),
    ],
)
def test_turning_it_off_without_a_switch(template, prompt, closed, why):
    assert ChatSetup(thinking=Thinking("off")).finish(prompt, template) == closed, why
    assert close_thought(prompt, template) == closed
    assert ChatSetup().finish(prompt, template) == prompt


@pytest.mark.parametrize(
    ("template", "thinks"), [(QWEN, True), (DISTILLED, True), (OLDER, True), (PLAIN, False), ("", False)]
)
def test_templates_tell_whether_a_model_thinks(template, thinks):
    assert template_thinks(template) is thinks


def test_an_open_thought_is_at_the_end():
    assert opens_thought("<assistant><think>\n")
    assert not opens_thought("<think>a</think>")
    assert not opens_thought("what does <think> mean?")


def test_a_system_message_goes_first():
    assert ChatSetup().messages("a") == [{"role": "user", "content": "a"}]
    assert [m["role"] for m in ChatSetup("be brief").messages("a")] == ["system", "user"]


def test_thoughts_leave_room_in_a_small_window():
    assert Thinking().budget(True, 8192) == 2048
    assert Thinking().budget(True, 1 << 20) == 4096
    assert parse_thinking("budget 5000").budget(True, 8192) == 5000
