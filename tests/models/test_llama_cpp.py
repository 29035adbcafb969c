"""The embedded model, asked for real; what is expected comes from raw requests to its server, token by token."""

import os
import signal
import sys
import threading
from contextlib import closing

import pytest

from longbench_eval.models import ModelOptions, open_model
from longbench_eval.models.llama_cpp import GREEDY
from longbench_eval.models.llama_server import _import_xllamacpp
from toys import request

pytestmark = pytest.mark.model

NEWLINE, END_OF_TURN, END_OF_TEXT = 198, 2, 0
HALF_A_WORD = "The Chinese word for hello is 你"
FEW_SHOTS = "Dialogue: A: hi\nSummary: A says hi.\n\nDialogue: B: bye\nSummary:"
LIST_OF_NUMBERS = "x = [\n    1,\n    2,"
FINISHED_TURN = (
    "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\nThe capital of France is Paris."
)


@pytest.fixture(scope="module")
def alone():
    """The same model under `--deterministic`."""
    options = ModelOptions(deterministic=True, max_input_tokens=300, max_new_tokens=64)
    with closing(open_model("smollm2", options)) as model:
        yield model


def asking(model, text, cap=8, id_="a", **rest):
    return request(text, id_, model.tokenizer.encode(text), cap=cap, **rest)


def ask(model, text, cap=8, **rest):
    [completion] = model.generate([asking(model, text, cap, **rest)])
    assert completion.error is None
    return completion


def ask_samsum(model, text, cap=8):
    return ask(model, text, cap, min_new_tokens=1, stop_at_newline=True)


def raw(model, ids, n, **fields):
    body = {"prompt": ids, "n_predict": n, "return_tokens": True, **fields}
    return model._http.post("/completion", body).body


def greedy_ids(model, text, n, **fields):
    return raw(model, model.tokenizer.encode(text), n, temperature=0, **fields)["tokens"]


def by_the_samsum_rule(model, text, cap):
    """One token at a time: at least one, not a newline or an end; then up to a newline, an end, or the cap."""
    ids, new = model.tokenizer.encode(text), []
    while len(new) < cap:
        forbidden = [] if new else [[NEWLINE, False], [END_OF_TURN, False], [END_OF_TEXT, False]]
        new += raw(model, ids + new, 1, temperature=0, logit_bias=forbidden)["tokens"]
        if new[-1] in (NEWLINE, END_OF_TURN, END_OF_TEXT):
            break
    return new


@pytest.mark.parametrize("users_own", [{}, {"OMP_WAIT_POLICY": "active"}, {"GOMP_SPINCOUNT": "7"}])
def test_the_environment_is_left_as_it_was(users_own, monkeypatch):
    names = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
    for name in names:
        monkeypatch.delenv(name, raising=False)
    for name, value in users_own.items():
        monkeypatch.setenv(name, value)
    _import_xllamacpp()
    assert {name: os.environ[name] for name in names if name in os.environ} == users_own


# Tokenizer


def test_what_it_says_of_itself(smollm2):
    assert (smollm2.name, smollm2.window, smollm2.capacity) == ("smollm2", 8192, 700 + 64 + 1024)
    assert (smollm2.newline_stop, smollm2.prefix_reuse) == ("token", "on")
    assert smollm2.identity()["sha256"].startswith("b179c952")
    assert smollm2.versions()["xllamacpp"]
    assert (smollm2.tokenizer.newline_id, smollm2.tokenizer.bos_id) == (NEWLINE, 1)


TEXTS = ["", "Hello  world.\n\n", "中文，标点。", "def f(x):\n\treturn {x}", "👍🏽 🇩🇪 é", "a\0b\0", "\u2028\r\n\ufeff"]


@pytest.mark.parametrize("text", TEXTS)
def test_encoding_is_lossless(smollm2, text):
    assert smollm2.tokenizer.decode(smollm2.tokenizer.encode(text)) == text


def test_special_tokens_in_the_text_are_recognized_and_not_decoded(smollm2):
    ids = smollm2.tokenizer.encode("<|im_start|>user\nhi<|im_end|>")
    assert (ids[0], ids[-1]) == (1, END_OF_TURN)
    assert smollm2.tokenizer.decode(ids) == "user\nhi"


def test_half_a_character_becomes_a_replacement_mark(smollm2):
    ids = smollm2.tokenizer.encode("👍🏽")
    assert smollm2.tokenizer.decode(ids[:1]) == "�"
    assert smollm2.tokenizer.decode(ids[1:]).startswith("�")


@pytest.mark.parametrize("text", ["hi", "{x} {{ y }} {% z %}", "a\0b", " spaces \n", "<|im_end|>"])
def test_the_chat_template_takes_any_text(smollm2, text):
    wrapped = smollm2.tokenizer.wrap_chat(text)
    assert wrapped.endswith(f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n")


# Greedy decoding


def test_every_sampling_field_is_sent_because_the_defaults_are_others(smollm2):
    ids = smollm2.tokenizer.encode("Once upon a time")
    explicit = raw(smollm2, ids, 1, **GREEDY)["generation_settings"]
    default = raw(smollm2, ids, 1)["generation_settings"]
    assert (default["temperature"], default["top_k"]) == (pytest.approx(0.8), 40)
    sent = {name: value for name, value in GREEDY.items() if name != "return_tokens"}
    assert {name: explicit[name] for name in sent} == sent


def test_the_defaults_would_decide_answers(smollm2):
    text = "Once upon a time"
    ids = smollm2.tokenizer.encode(text)
    sampled = {tuple(raw(smollm2, ids, 6, seed=seed)["tokens"]) for seed in (1, 2, 3)}
    assert len(sampled) > 1
    assert {ask(smollm2, text, 6).text for _ in range(3)} == {smollm2.tokenizer.decode(greedy_ids(smollm2, text, 6))}


@pytest.mark.parametrize("cap", [1, 2, 5, 12])
def test_the_cap_counts_tokens(smollm2, cap):
    completion = ask(smollm2, HALF_A_WORD, cap)
    assert (completion.completion_tokens, completion.finish_reason) == (cap, "length")
    assert completion.text == smollm2.tokenizer.decode(greedy_ids(smollm2, HALF_A_WORD, cap))


def test_a_character_that_the_cap_cuts_through_is_marked_and_not_dropped(smollm2):
    assert ask(smollm2, HALF_A_WORD, 1).text == "�"


def test_the_end_of_turn_ends_the_answer_and_is_no_text(smollm2):
    text = smollm2.tokenizer.wrap_chat("Name three colors, one per line.")
    completion = ask(smollm2, text, 40)
    assert (completion.finish_reason, completion.prompt_tokens) == ("stop", len(smollm2.tokenizer.encode(text)))
    assert completion.text == "1. Red\n2. Blue\n3. Green"


def test_an_answer_may_be_empty(smollm2):
    completion = ask(smollm2, FINISHED_TURN)
    assert (completion.text, completion.finish_reason, completion.completion_tokens) == ("", "stop", 1)


def test_a_newline_ends_no_answer_but_samsums(smollm2):
    completion = ask(smollm2, "List:", 4)
    assert completion.text == "\n\ndef find"
    assert completion.finish_reason == "length"


# samsum


SAMSUM = [
    (FEW_SHOTS, " B says hi.\n", "newline", "an ordinary answer; the newline stays"),
    ("Summary:", None, None, "the first greedy token is a newline"),
    ("List:", None, None, "the first greedy token is a newline"),
    ("Hello world.", None, None, "the first greedy token is a newline"),
    (FINISHED_TURN, None, None, "the first greedy token is the end of turn"),
    (LIST_OF_NUMBERS, "\n    3,\n    4,\n    5", "length", "newlines merged with indentation end nothing"),
]


@pytest.mark.parametrize(("text", "expected", "reason", "why"), SAMSUM, ids=[f"{c[0][:9]!r} {c[3]}" for c in SAMSUM])
def test_samsum_is_the_rule_token_by_token(smollm2, text, expected, reason, why):
    completion = ask_samsum(smollm2, text, 8)
    ids = by_the_samsum_rule(smollm2, text, 8)
    assert completion.text == smollm2.tokenizer.decode(ids)
    assert completion.completion_tokens == len(ids)
    assert completion.finish_reason == {NEWLINE: "newline", END_OF_TURN: "stop"}.get(ids[-1], "length")
    if expected is not None:
        assert (completion.text, completion.finish_reason) == (expected, reason)


FORBIDDEN = [("Summary:", NEWLINE), ("List:", NEWLINE), ("Hello world.", NEWLINE), (FINISHED_TURN, END_OF_TURN)]


@pytest.mark.parametrize(("text", "first"), FORBIDDEN)
def test_those_prompts_do_tempt_the_model(smollm2, text, first):
    assert greedy_ids(smollm2, text, 1) == [first]
    assert ask_samsum(smollm2, text, 1).text not in ("", "\n")


def test_a_merged_newline_may_be_the_first_token(smollm2):
    [first] = greedy_ids(smollm2, "def add(a, b):", 1)
    assert smollm2.tokenizer.decode([first]) == "\n   "
    assert ask_samsum(smollm2, "def add(a, b):", 1).text == "\n   "


@pytest.mark.parametrize("model", ["smollm2", "alone"])
def test_a_first_token_asked_for_by_itself_changes_nothing_else(model, request):
    model = request.getfixturevalue(model)
    text = model.tokenizer.wrap_chat("Write a short poem.")
    assert ask(model, text, 12, min_new_tokens=1).text == ask(model, text, 12).text


# Prefix cache


SHARED = "The harbour of Tarn was built in 1712 by Ada Holm. " * 4
QUESTIONS = [f"{SHARED}\nQuestion: {question}\nAnswer:" for question in ("Who?", "When?", "Where?")]


def test_a_shared_prefix_is_served(smollm2):
    ask(smollm2, "Something else.", 1)
    first, second, third = (ask(smollm2, question, 1) for question in QUESTIONS)
    shared = len(smollm2.tokenizer.encode(SHARED))
    assert first.cached_tokens < 5
    assert shared <= second.cached_tokens < second.prompt_tokens
    assert shared <= third.cached_tokens < third.prompt_tokens


def test_deterministic_answers_depend_on_nothing_else(alone):
    assert alone.prefix_reuse == "off"
    requests = [asking(alone, question, 6, id_=question[-15:]) for question in QUESTIONS]
    requests.append(asking(alone, FEW_SHOTS, 6, id_="samsum", min_new_tokens=1, stop_at_newline=True))

    def answers(asked):
        completions = list(alone.generate(asked))
        assert [completion.cached_tokens for completion in completions] == [0] * len(asked)
        return {completion.example_id: completion.text for completion in completions}

    in_order = answers(requests)
    ask(alone, "Something else that was asked between.", 3)
    assert answers(requests[::-1]) == in_order
    assert answers(requests[1:2]).items() <= in_order.items()


# Failures


def test_an_overlong_prompt_fails_its_row_only(smollm2):
    overlong = request("word " * 2000, "long", smollm2.tokenizer.encode("word " * 2000))
    failed, fine = smollm2.generate([overlong, asking(smollm2, "Hello", 1, id_="short")])
    assert (failed.text, failed.error.kind) == ("", "overlong")
    assert "exceeds the available context size" in failed.error.message
    assert fine.error is None


def test_an_overlong_samsum_prompt_too(smollm2):
    ids = smollm2.tokenizer.encode("word " * 2000)
    [failed] = smollm2.generate([request("", ids=ids, min_new_tokens=1, stop_at_newline=True)])
    assert failed.error.kind == "overlong"


def test_a_refused_request_is_a_failure(smollm2):
    [failed] = smollm2.generate([request("", ids=[10**9])])
    assert (failed.text, failed.error.kind) == ("", "model")


@pytest.mark.parametrize("text", ["a\0b {x} }{ \u2028", "é" * 50])
def test_odd_prompts_are_answered(smollm2, text):
    assert ask(smollm2, text, 1).prompt_tokens == len(smollm2.tokenizer.encode(text))


@pytest.mark.skipif(sys.platform == "win32", reason="pthread_kill")
def test_ctrl_c_while_it_writes(smollm2):
    expected = ask(smollm2, "Hello", 3).text
    main = threading.main_thread().ident
    threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        ask(smollm2, "word " * 300, 500)
    assert ask(smollm2, "Hello", 3).text == expected


def test_requests_are_answered_as_they_come(smollm2):
    taken = []

    def requests():
        for id_ in "abc":
            taken.append(id_)
            yield asking(smollm2, id_, 1, id_=id_)

    next(smollm2.generate(requests()))
    assert taken == ["a"]
