"""The real llama.cpp server, asked as any other server; the embedded model on the same server is the reference."""

from contextlib import closing
from dataclasses import replace

import pytest

from longbench_eval import RunSettings, run
from longbench_eval.models import ModelOptions, open_model
from longbench_eval.models.base import ServerOptions
from longbench_eval.models.fetch import fetch_model
from samples import write_sample_data
from toys import request

pytestmark = pytest.mark.model

TEXTS = ["Hello world", "中文，标点。", "def f(x):\n\treturn {x}", "👍🏽 é", "a\0b", "<|im_start|>user\nhi<|im_end|>"]
PROMPTS = ["Once upon a time", "List:", "x = [\n    1,\n    2,", "The Chinese word for hello is 你"]


def server_of(model, **more):
    return ServerOptions(base_url=model._server.listening_address, **more)


@pytest.fixture(scope="module")
def served(smollm2):
    """SmolLM2 behind its address."""
    with closing(open_model("openai:some-name", ModelOptions(server=server_of(smollm2)))) as model:
        yield model


def asking(model, text, cap=8, *, chat=False, **rest):
    plain = request(text, text[:9], model.tokenizer.encode(text), cap=cap, **rest)
    return replace(plain, prompt=replace(plain.prompt, chat=chat))


def ask(model, text, cap=8, **rest):
    [completion] = model.generate([asking(model, text, cap, **rest)])
    assert completion.error is None
    return completion


def test_what_is_known_of_it(served, smollm2):
    assert (served.window, served.capacity) == (smollm2.window, 1792)
    assert served.identity() == {
        "kind": "openai",
        "name": "some-name",
        "server": "llama.cpp",
        "tokenizer": "server",
        "completions": "ids",
        "chat": "text",
    }
    assert (served.newline_stop, served.prefix_reuse, served.serving.notes) == ("string", "on", ())
    wrapped = smollm2.tokenizer.encode(smollm2.tokenizer.wrap_chat("a"))
    assert served.tokenizer.wrap_tokens == len(wrapped) - len(smollm2.tokenizer.encode("a"))


@pytest.mark.parametrize("text", TEXTS)
def test_its_tokens_are_the_model_s(served, smollm2, text):
    assert served.tokenizer.encode(text) == smollm2.tokenizer.encode(text)
    assert served.tokenizer.decode(served.tokenizer.encode(text)) == text


@pytest.mark.parametrize("text", PROMPTS)
def test_plain_prompts_are_answered_as_by_the_embedded_model(served, smollm2, text):
    theirs, ours = ask(served, text), ask(smollm2, text)
    assert theirs.text.rstrip("�") == ours.text.rstrip("�"), "half a character at the end is dropped there"
    assert theirs.finish_reason == ours.finish_reason
    assert (theirs.prompt_tokens, theirs.completion_tokens) == (ours.prompt_tokens, ours.completion_tokens)


def test_chats_are_wrapped_by_the_server(served, smollm2):
    text = "Name three colors, one per line."
    theirs, ours = ask(served, text, 40, chat=True), ask(smollm2, smollm2.tokenizer.wrap_chat(text), 40)
    assert (theirs.text, theirs.finish_reason) == (ours.text, ours.finish_reason)
    assert theirs.prompt_tokens == ours.prompt_tokens


def test_samsum_stops_at_the_string(served):
    text = "Dialogue: A: hi\nSummary: A says hi.\n\nDialogue: B: bye\nSummary:"
    assert ask(served, text, 12, min_new_tokens=1, stop_at_newline=True).text == " B says hi."


def test_a_too_long_prompt_is_cut_to_what_the_server_says(served):
    completion = ask(served, "word " * 2000, 2, chat=True)
    assert completion.sent.truncation.tokens_before == 2001
    assert 1700 < completion.prompt_tokens <= 1790


def test_deterministic_reuses_nothing(smollm2):
    options = ModelOptions(deterministic=True, server=server_of(smollm2))
    with closing(open_model("openai:m", options)) as model:
        assert model.prefix_reuse == "off"
        text = "The harbour of Tarn was built in 1712. " * 4
        assert [ask(model, text, 1).cached_tokens for _ in range(2)] == [0, 0]
    with closing(open_model("openai:m", ModelOptions(server=server_of(smollm2)))) as model:
        assert [ask(model, text, 1).cached_tokens > 20 for _ in range(2)][1]


def test_a_run(smollm2, tmp_path):
    data = write_sample_data(tmp_path / "data", n=2)
    settings = RunSettings(
        tasks=("qasper", "samsum"),
        data=data,
        allow_unofficial=True,
        out=tmp_path / "run",
        max_input_tokens=24,
        server=server_of(smollm2, concurrency=2),
    )
    summary = run("openai:some-name", settings).summary
    assert "|chat:official|trunc:middle@24|decode:greedy|stop:string|reuse:on|" in str(summary.signature)
    assert (summary.failed, summary.tasks["qasper"].counts.truncated) == (0, 2)


@pytest.fixture(scope="module")
def deterministic_server():
    """A server that could answer four at once, and is free to keep prefixes."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel = str(fetch_model("smollm2")), 4096, 4
    params.port, params.verbosity, params.warmup = 0, 0, False
    running = xllamacpp.Server(params)
    yield running.listening_address
    del running


def test_deterministic_answers_in_any_order_and_at_any_concurrency(deterministic_server):
    shared = "The keys of the house are in the kitchen. " * 8
    texts = [f"{shared}{question}" for question in ("Where are they?", "Who has them?", "What is")] + PROMPTS
    answers = []
    for order, concurrency in [(texts, 1), (texts[::-1], 4), (texts[3:] + texts[:3], 8)]:
        server = ServerOptions(base_url=deterministic_server, concurrency=concurrency)
        with closing(open_model("openai:m", ModelOptions(deterministic=True, server=server))) as model:
            requests = [request(text, text, model.tokenizer.encode(text), cap=12) for text in order]
            answers.append({completion.example_id: completion.text for completion in model.generate(requests)})
    assert answers[0] == answers[1] == answers[2]
    assert len(answers[0]) == len(texts)
