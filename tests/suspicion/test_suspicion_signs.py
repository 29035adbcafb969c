"""What each sign is, as tables of (text, whether it is there, why)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.scoring.suspicion import signs
from longbench_eval.scoring.suspicion.signs import Answer

INSTRUCTION = "Read the report below with care and then answer what is asked at its end."
QUESTION = "Question: how many pages does the second annex to the report have?\nAnswer:"
PROMPT = f"{INSTRUCTION}\n\nThe annex has 12 pages.\n\n{QUESTION}"

TABLES = {
    signs.thinks_without_end: [
        ("<think>\nThe user asks", True, "the cap came first"),
        ("\n <think>\n", True, "white space before it does not matter"),
        ("[THINK]So", True, "Magistral's tag"),
        ("<think>\nso\n</think>\n\nParis", False, "it ends"),
        ("The tag <think> opens a thought", False, "a text about tags"),
        ("", False, "nothing at all"),
    ],
    signs.holds_thinking: [
        ("<think>\nso\n</think>\n\nParis", True, "not taken off"),
        ("so it is.\n</think>\n\nParis", True, "the prompt opened it"),
        ("<think>\n\n</think>\n\nParis", True, "empty thinking is scored too"),
        ("<think>\nso", False, "unfinished is another sign"),
        ("Paris", False, ""),
    ],
    signs.is_empty: [
        ("", True, ""),
        ("\n\t \u3000", True, "any white space"),
        (" 6", False, ""),
        (".", False, "a bad answer, but one"),
    ],
    signs.loops: [
        (" Jupiter. Jupiter. Jupiter. Jupiter. Jupiter.", True, "five copies"),
        ("Jupiter. Jupiter. Jupiter. Jupiter. Jupiter. Jup", True, "the last one is cut"),
        (" Jupiter. Jupiter. Jupiter. Jupiter.", False, "four copies"),
        ("讨论了如何让儿童" * 5, True, "Chinese has no spaces"),
        ("We met. " + "It was a good day. " * 6, True, "an answer stands before"),
        ("It was a good day. " * 6 + "Then we left the place.", False, "not to the end"),
        ("1.1.1.1.1.1.1.1.1.1", True, "short phrases, many of them"),
        ("2,000,000", False, "a number"),
        ("hahahahaha", False, "too short to tell"),
        ("Paris." + "\n" * 20, True, "white space to the end"),
        ("Paris.\n\n\n", False, "a few newlines"),
        ("\n" * 512, False, "that is an empty answer"),
        ("会议结束。" * 9 + "\ufffd", True, "the cap cut a character in two"),
        ("a b b b b b c " * 6, True, "the phrase itself has repetition"),
    ],
    signs.holds_chat_marker: [
        ("Paris<|eot_id|>", True, ""),
        ("<|im_start|>user", True, ""),
        ("<｜end▁of▁sentence｜>", True, "DeepSeek's"),
        ("Paris [/INST] Paris", True, ""),
        ("<<SYS>>", True, ""),
        ("Paris<end_of_turn>\n", True, ""),
        ("Paris</s>", True, "where a decoder leaves it"),
        ("<s> Paris", True, ""),
        ("<p>was <s>50</s> now 40</p>", False, "a tag of HTML"),
        ("f <|> g", False, "an operator"),
        ("xs |> f <| y", False, "operators"),
        ("rare words become <unk> and <eos> ends a line", False, "a paper on language models"),
    ],
    signs.plays_another_turn: [
        ("段落4\n\nAssistant: 段落4", True, ""),
        ("Assistant: Paris", True, "it begins with a role"),
        ("Paris.\n\nUser: And of Spain?", True, ""),
        ("Paris.assistant\n\nThe capital", True, "Llama 3 without special tokens"),
        ("Paris\nuser\nAnd of Spain?", True, "ChatML without special tokens"),
        ("### Human: And of Spain?", True, ""),
        ("She became his assistant\n\nLater", False, "a word"),
        ("The User Interface: it was red", False, "a speaker of qmsum"),
        ("Speakers:\nUser: none", False, "a list"),
    ],
    signs.runs_on: [
        ("Paris\n\nQuestion: What of Spain?", True, ""),
        ("厦门大学\n\n问题：还有呢？\n回答：没有", True, ""),
        ("YIVO\r\nAnswer: YIVO", True, ""),
        ("Answer: Paris", False, "the first label is another sign"),
        ("\n\nAnswer: Paris", False, "also after newlines"),
        ("He put the Question: what now?", False, "inside a line"),
        ("会议总结：\n\n本次会议", False, "a heading that good summaries have"),
    ],
    signs.echoes_prompt: [
        ("Question: What of Spain?", True, "a label of the prompt"),
        ("\n\n问题：还有呢？", True, ""),
        (" Passage 1:\nReima Karppinen won", True, "it copies the context"),
        (f"ok\n{QUESTION} 12", True, "the prompt's end"),
        (f"{PROMPT} 12", True, "the whole prompt"),
        (f"user\n\n{PROMPT} 12", True, "the same in a chat template"),
        ("The annex has 12 pages.", False, "a quotation of the context"),
        ("Paragraph 5: it is", False, "the answer's own format"),
    ],
    signs.repeats_instruction: [
        (f"{PROMPT} 12", True, "the whole prompt"),
        (QUESTION, False, "few-shot answers go on so"),
        ("12", False, ""),
    ],
    signs.has_broken_characters: [
        ("新\ufffd\ufffd让", True, "inside"),
        ("联合国\ufffd\ufffd", False, "the cap cut a character in two"),
        ("联合国", False, ""),
    ],
}


@pytest.mark.parametrize(
    ("sign", "text", "there", "why"),
    [(sign, *case) for sign, cases in TABLES.items() for case in cases],
    ids=lambda value: value.__name__ if callable(value) else repr(value)[:30],
)
def test_a_sign(sign, text, there, why):
    assert sign(Answer(text, prompt=PROMPT)) is there, why


def test_what_is_not_known_of_the_prompt_is_no_sign():
    assert not signs.echoes_prompt(Answer(PROMPT))
    assert not signs.repeats_instruction(Answer("", prompt="Say:"))
    assert not signs.echoes_prompt(Answer("Say: 12", prompt="Say:")), "too short a prompt to tell"


def test_the_cap_is_told_by_the_record():
    assert signs.is_capped(Answer("Paris is", capped=True))
    assert not signs.is_capped(Answer("Paris is"))


PHRASES = st.text("ab. 中", max_size=12)


@given(PHRASES, PHRASES, st.integers(1, 9), st.integers(0, 12))
def test_loops_are_found_as_defined(before, phrase, copies, cut):
    text = (before + phrase * copies + phrase[:cut]).rstrip()
    assert signs.loops(Answer(text)) is defined_loop(text)


def defined_loop(text):
    """Some phrase stands five times at the end, or as often as makes 15 characters."""
    return any(text.endswith(text[-period:] * max(5, -(-15 // period))) for period in range(1, len(text) // 5 + 1))


@pytest.mark.parametrize(
    "text", ["ab " * 300_000, "a" * 999_999 + "b", "\n" * 1_000_000, "x\n \t" * 200_000, "<" * 10**6]
)
def test_long_texts_take_linear_time(text):
    answer = Answer(text, prompt=text)
    for sign in TABLES:
        sign(answer)
