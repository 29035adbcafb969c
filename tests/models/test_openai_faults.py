"""What becomes of a run when its server misbehaves."""

import hashlib
import json
import signal
import sys
import threading
import time
from collections import Counter
from contextlib import closing

import pytest

from fault_server import DISTURBANCES, FAULTS, Behaviour, answer_to, fault_server, good, text_of
from longbench_eval import RunSettings, run
from longbench_eval.errors import ModelError, UsageError
from longbench_eval.models import ModelOptions, open_model
from longbench_eval.models.base import ServerOptions
from longbench_eval.models.openai.backoff import RetryPolicy
from longbench_eval.models.openai.client import Pace
from longbench_eval.models.openai.model import OpenAIModel
from samples import rows_of, write_rows, write_sample_data
from toys import request

SECRET = "sk-test-0123456789abcdef"


class Waits:
    """A sleep that takes no time and remembers what was asked of it."""

    def __init__(self):
        self.seconds = []

    async def __call__(self, seconds):
        self.seconds.append(seconds)


@pytest.fixture
def waits():
    return Waits()


def opened(address, waits=None, *, attempts=8, deterministic=False, **server):
    options = ModelOptions(deterministic=deterministic, server=ServerOptions(base_url=address, **server))
    pace = Pace(RetryPolicy(attempts=attempts), sleep=waits or Waits(), jitter=lambda: 1.0)
    return closing(OpenAIModel("toy", options, pace))


def ask(model, text="hello", id_="a", **rest):
    [completion] = model.generate([request(text, id_, model.tokenizer.encode(text), **rest)])
    return completion


# A thousand rows


def one_in_five(number):
    """After the first contact, every fifth request goes wrong, each time in the next way."""
    return DISTURBANCES[number // 5 % len(DISTURBANCES)] if number % 5 == 4 else None


def write_thousand(folder):
    data = write_sample_data(folder, ("qasper", "trec"), n=1)
    for task, n in (("qasper", 700), ("trec", 300)):
        rows = [{**row, "all_classes": ["a", "b"] if task == "trec" else None} for row in rows_of(task, n)]
        write_rows(data / "data" / f"{task}.jsonl", rows)
    return data


def test_a_thousand_rows_of_which_one_in_five_goes_wrong(told, address, tmp_path, waits):
    told.faults = one_in_five
    data = write_thousand(tmp_path / "data")
    server = ServerOptions(base_url=address, concurrency=16, timeout_s=1.5)
    settings = RunSettings(
        tasks=("qasper", "trec"), data=data, allow_unofficial=True, out=tmp_path / "run", server=server
    )
    model = OpenAIModel("toy", ModelOptions(server=server), Pace(RetryPolicy(attempts=12), sleep=waits))
    began = time.monotonic()
    result = run(model, settings)
    assert time.monotonic() - began < 30
    assert result.summary.failed == 0
    for task, n in (("qasper", 700), ("trec", 300)):
        rows = lines(tmp_path / "run" / "predictions" / f"{task}.jsonl")
        assert [row["_id"] for row in rows] == [row["_id"] for row in rows_of(task, n)]
        expected = [answer_to(f"Read.\n{row['context']}\nAsk: {row['input']}\nSay:") for row in rows_of(task, n)]
        assert [row["pred"] for row in rows] == expected
    timings = lines(tmp_path / "run" / "timings.jsonl")
    assert Counter(timing["_id"] for timing in timings).most_common(1)[0][1] == 1
    probes = 2
    retries = sum(timing["retries"] for timing in timings)
    assert told.asked == 1000 + probes + retries
    assert retries == sum(one_in_five(number) is not None for number in range(probes, told.asked))
    assert {n for text, n in told.done.items() if text != "a"} == {1}, "nothing was answered twice"
    assert len(told.done) == 1 + 1000
    assert max(waits.seconds) >= 7, "Retry-After was honoured"


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# One fault at a time


@pytest.mark.parametrize("fault", FAULTS)
def test_it_is_asked_again_and_the_retry_is_on_record(told, address, waits, fault):
    with opened(address, waits, timeout_s=0.5) as model:
        first = told.asked
        told.faults = lambda number: fault if number in (first, first + 1) else None
        completion = ask(model)
    assert (completion.text, completion.retries, completion.error) == (answer_to("hello"), 2, None)
    backoff = [7 + 0.25, 7 + 0.5] if fault == "429" else [0.5, 1.0]
    assert waits.seconds[-2:] == backoff or fault == "429"
    assert set(backoff) <= set(waits.seconds)


@pytest.mark.parametrize(("fault", "kind", "said"), [("500", "model", "HTTP 500: oops"), ("timeout", "timeout", "0.2")])
def test_attempts_are_bounded_and_the_row_fails(told, address, fault, kind, said):
    with opened(address, attempts=3, timeout_s=0.2) as model:
        told.faults = lambda number: fault
        completion = ask(model)
        assert (completion.text, completion.error.kind, completion.retries) == ("", kind, 2)
        assert said in completion.error.message
        assert "asked 3 times" in completion.error.message


def test_a_server_that_wants_too_long_a_wait_is_given_up(told, address):
    told.paths = {"/v1/models": lambda body: (404, {})}
    with opened(address, window=4096) as model:
        FAULTS["later"] = lambda handler, body: handler.reply(429, {}, {"Retry-After": "86400"})
        told.faults = lambda number: "later"
        try:
            assert ask(model).retries == 0
        finally:
            del FAULTS["later"]


def test_another_refusal_fails_its_row_only(told, address):
    with opened(address) as model:
        FAULTS["422"] = lambda handler, body: handler.reply(422, {"detail": [{"msg": "no such emoji"}]})
        first = told.asked
        told.faults = lambda number: "422" if number == first else None
        try:
            refused, fine = ask(model), ask(model)
        finally:
            del FAULTS["422"]
    assert (refused.error.kind, refused.error.message) == ("model", "HTTP 422: no such emoji")
    assert fine.error is None


# Keys


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_ends_everything_at_once_and_is_not_shown(told, address, monkeypatch, status):
    monkeypatch.setenv("MY_KEY", SECRET)
    with opened(address, api_key_env="MY_KEY") as model:
        refusal = (status, {"error": {"message": f"{'x' * 390} bad key {SECRET}"}})
        told.paths["/v1/completions"] = lambda body: refusal
        before = len(told.seen)
        with pytest.raises(ModelError, match="MY_KEY") as raised:
            list(model.generate(request(id_=str(i)) for i in range(1000)))
        assert len(told.seen) - before <= 16
    assert "sk-test" not in f"{raised.value} {raised.value!r}"


def test_a_refused_key_at_first_contact(told, address):
    told.paths["/v1/models"] = lambda body: (401, {"error": {"message": "who are you?"}})
    with pytest.raises(ModelError, match=r"refuses a request without a key \(HTTP 401: who are you\?\)"):
        open_model("openai:toy", ModelOptions(server=ServerOptions(base_url=address)))


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "MY_KEY"])
def test_the_key_is_sent_and_written_nowhere(told, address, monkeypatch, tmp_path, variable, capfd):
    monkeypatch.setenv(variable, SECRET)
    told.faults = lambda number: "leak" if number % 3 == 2 else None
    FAULTS["leak"] = lambda handler, body: handler.reply(422, {"error": f"your key {SECRET} is fine"})
    named = None if variable == "OPENAI_API_KEY" else variable
    server = ServerOptions(base_url=address.replace("//", f"//me:{SECRET}@"), api_key_env=named)
    data = write_sample_data(tmp_path / "data", n=6)
    settings = RunSettings(tasks=("qasper",), data=data, allow_unofficial=True, out=tmp_path / "run", server=server)
    try:
        model = OpenAIModel("toy", ModelOptions(server=server))
        assert SECRET not in repr(vars(model._server))
        run(model, settings)
    finally:
        del FAULTS["leak"]
    assert told.headers[-1]["Authorization"] == f"Bearer {SECRET}"
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert len(files) > 4
    assert all(SECRET not in path.read_text("utf-8") for path in files)
    assert "[key]" in (tmp_path / "run" / "predictions" / "qasper.jsonl").read_text("utf-8")
    assert SECRET not in "".join(capfd.readouterr())


@pytest.mark.parametrize("value", ["sk-pasted-here", "NOT_SET_ANYWHERE"])
def test_the_option_takes_a_variable_s_name_and_never_shows_its_value(address, value):
    with pytest.raises(UsageError, match="the variable's name, not the key") as raised:
        opened(address, api_key_env=value)
    assert value not in str(raised.value)


def test_a_key_with_a_line_end_is_refused_unseen(address, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", f"{SECRET}\nX: y")
    with pytest.raises(UsageError, match="OPENAI_API_KEY") as raised:
        opened(address)
    assert SECRET not in str(raised.value)


# Lengths


OVERLONG = [
    "This model's maximum context length is 100 tokens. However, you requested {total} tokens ({n} in the messages, "
    "8 in the completion). Please reduce the length of the messages or completion.",
    "The input ({n} tokens) is longer than the model's context length (100 tokens).",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 100. Given: {n} `inputs` tokens and 8 "
    "`max_new_tokens`",
    "The decoder prompt (length {n}) is longer than the maximum model length of 100.",
]


def strict(sentence, factor=2, most=100):
    """A server that holds so many tokens, of half a character each."""

    def answer(body):
        n = len(text_of(body)) * factor
        if n + body["max_tokens"] <= most:
            return 200, good(body)
        return 400, {"error": {"message": sentence.format(n=n, total=n + body["max_tokens"])}}

    return answer


@pytest.mark.parametrize("sentence", OVERLONG)
def test_a_prompt_that_is_refused_for_its_length_is_cut_once_to_what_the_server_says(told, address, sentence):
    told.paths["/v1/completions"] = strict(sentence)
    text = "中" * 60 + "文" * 60
    with opened(address) as model:
        before = len(told.seen)
        completion = ask(model, text, cap=8)
    assert len(told.seen) - before == 2
    cut = completion.sent.truncation
    assert completion.error is None
    assert completion.sent.text == "中" * (cut.tokens_after // 2) + "文" * (cut.tokens_after // 2)
    assert (cut.tokens_before, 20 < cut.tokens_after <= 46) == (120, True)
    assert text[: cut.start] + text[cut.end :] == completion.sent.text


def test_a_shorter_prompt_that_is_refused_again_fails_its_row(told, address):
    told.paths["/v1/completions"] = lambda body: (
        (200, {"choices": [{"text": "x"}]}) if len(text_of(body)) < 2 else (400, {"error": OVERLONG_TWICE})
    )
    with opened(address) as model:
        completion = ask(model, "中" * 200)
    assert completion.error.kind == "overlong"
    assert completion.sent is None


OVERLONG_TWICE = {"code": "context_length_exceeded", "message": "maximum context length is 100 tokens"}


def test_the_cut_is_on_record_in_the_run(told, address, tmp_path):
    sentence = OVERLONG[0].replace(" 100 ", " 300 ")
    told.paths["/v1/chat/completions"] = strict(sentence, factor=1, most=300)
    data = write_sample_data(tmp_path / "data", n=1)
    [row] = rows_of("qasper", 1)
    write_rows(data / "data" / "qasper.jsonl", [{**row, "context": "中" * 400}])
    server = ServerOptions(base_url=address)
    settings = RunSettings(tasks=("qasper",), data=data, allow_unofficial=True, out=tmp_path / "run", server=server)
    result = run(OpenAIModel("toy", ModelOptions(server=server)), settings)
    [written] = lines(tmp_path / "run" / "predictions" / "qasper.jsonl")
    sent = text_of(told.seen[-1][1])
    assert written["error"] is None
    assert written["truncation"]["tokens_after"] < written["truncation"]["tokens_before"]
    assert written["prompt_sha256"] == hashlib.sha256(sent.encode()).hexdigest()
    assert result.summary.tasks["qasper"].counts.truncated == 1


# Stopping


def test_requests_are_taken_as_they_are_needed_and_answers_come_as_they_are_made(told, address):
    taken = []

    def requests():
        for i in range(100):
            taken.append(i)
            yield request(str(i), str(i))

    with opened(address, concurrency=2) as model:
        stream = model.generate(requests())
        for answered in range(1, 11):
            next(stream)
            assert len(taken) <= answered + 4
        stream.close()


@pytest.mark.parametrize(("concurrency", "deterministic", "most"), [(1, False, 1), (4, False, 4), (4, True, 1)])
def test_so_many_at_once_and_no_more(told, address, concurrency, deterministic, most):
    told.wait_s = 0.02
    with opened(address, concurrency=concurrency, deterministic=deterministic) as model:
        told.most_busy = 0
        assert len(list(model.generate(request(str(i), str(i)) for i in range(24)))) == 24
        assert told.most_busy == most
        assert model.prefix_reuse == "unknown"
        assert any("reuse no prefix" in note for note in model.serving.notes) == deterministic


@pytest.mark.skipif(sys.platform == "win32", reason="pthread_kill")
def test_ctrl_c_breaks_off_what_is_under_way(told, address):
    with opened(address) as model:
        told.wait_s = 5.0
        main = threading.main_thread().ident
        threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT)).start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            list(model.generate(request(str(i), str(i)) for i in range(20)))
        told.wait_s = 0.0
    assert time.monotonic() - began < 2
    assert not [thread for thread in threading.enumerate() if thread.name == "longbench-eval requests"]


@pytest.fixture
def tokenized(told, tmp_path):
    """Settings of a run on a server that tokenizes, and the list of what comes instead from the given call on."""
    told.paths["/detokenize"] = lambda body: (200, {"prompt": bytes(body["tokens"]).decode("utf-8", "replace")})
    instead, counted = [], iter(range(1_000_000))

    def tokenize(body):
        if next(counted) >= 12 and instead:
            return instead[0]()
        return 200, {"tokens": list(body["prompt"].encode())}

    told.paths["/tokenize"] = tokenize
    data = write_sample_data(tmp_path / "data", n=40)
    return RunSettings(tasks=("qasper",), data=data, allow_unofficial=True, out=tmp_path / "run"), instead


@pytest.mark.skipif(sys.platform == "win32", reason="pthread_kill")
def test_ctrl_c_breaks_off_a_prompt_that_waits_for_the_server_s_tokenizer(address, tokenized):
    settings, instead = tokenized
    done, waits_for_it = threading.Event(), threading.Event()
    instead.append(lambda: waits_for_it.set() or done.wait(30) or (404, {}))
    main = threading.main_thread().ident

    def interrupt():
        waits_for_it.wait()
        time.sleep(0.2)
        signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as told, closing(OpenAIModel("toy", options_of(address))) as model:
        run(model, settings)
    assert time.monotonic() - began < 5
    assert "of 40 rows are kept in" in told.value.__notes__[-1]
    done.set()


def test_a_tokenizer_that_ends_underway_is_told_with_what_is_kept(address, tokenized, waits):
    settings, instead = tokenized
    instead.append(lambda: (500, {"error": {"message": "gone"}}))
    model = OpenAIModel("toy", options_of(address), Pace(sleep=waits))
    with pytest.raises(ModelError, match=rf"server at {address}/v1 no longer tokenizes: HTTP 500: gone .*run") as told:
        run(model, settings)
    kept = len(lines(settings.out / "predictions" / "qasper.jsonl")) if (settings.out / "predictions").exists() else 0
    assert told.value.__notes__ == [f"{kept} of 40 rows are kept in {settings.out}."]


def options_of(address):
    return ModelOptions(server=ServerOptions(base_url=address))


def test_closing_twice_and_the_loop_is_gone(address):
    with opened(address) as model:
        model.close()


def test_nobody_is_there(address, monkeypatch):
    with fault_server(Behaviour()) as gone:
        pass
    with pytest.raises(ModelError, match=r"No server answers at .*connection failed.*mend --base-url"):
        opened(gone)
