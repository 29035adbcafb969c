"""What is found out about a server before the first row."""

import json
from contextlib import closing

import pytest

from fault_server import good
from longbench_eval import RunSettings, run
from longbench_eval.errors import ModelError, UsageError
from longbench_eval.models import ModelOptions
from longbench_eval.models.base import ServerOptions
from longbench_eval.models.openai.model import OpenAIModel
from samples import write_sample_data
from toys import request

ABSENT = [404, 405, 501]


def opened(address, name="toy", deterministic=False, max_input_tokens=None, **server):
    options = ModelOptions(deterministic, max_input_tokens, server=ServerOptions(base_url=address, **server))
    return closing(OpenAIModel(name, options))


def refusing(status, message="nothing here"):
    return lambda body: (status, {"error": {"message": message}})


# Endpoints


@pytest.mark.parametrize("status", ABSENT)
def test_without_completions_every_task_goes_through_chat_and_the_signature_says_so(told, address, tmp_path, status):
    told.paths["/v1/completions"] = refusing(status)
    data = write_sample_data(tmp_path / "data", n=6)
    server = ServerOptions(base_url=address)
    settings = RunSettings(
        tasks=("qasper", "samsum"), data=data, allow_unofficial=True, out=tmp_path / "run", server=server
    )
    result = run("openai:toy", settings)
    assert "|chat:official-without-completions|" in str(result.summary.signature)
    assert result.summary.failed == 0
    paths = [path for path, _ in told.seen]
    assert paths.count("/v1/completions") == 1, "found out once"
    assert paths.count("/v1/chat/completions") == 1 + 12
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert manifest["identity"]["model"]["completions"] == "absent"
    assert any("every prompt goes through chat" in warning for warning in manifest["warnings"])


def test_chat_never_cannot_be_kept_without_completions(told, address, tmp_path):
    told.paths["/v1/completions"] = refusing(404)
    data = write_sample_data(tmp_path / "data", n=1)
    server = ServerOptions(base_url=address)
    settings = RunSettings(
        tasks=("qasper",), data=data, allow_unofficial=True, out=tmp_path / "r", chat="never", server=server
    )
    with pytest.raises(UsageError, match="--chat never cannot be kept"):
        run("openai:toy", settings)


NO_CHAT = [(404, "no such path"), (400, "the tokenizer has no chat template")]


@pytest.mark.parametrize(("status", "message"), NO_CHAT)
def test_a_base_model_is_asked_plainly(told, address, status, message):
    told.paths["/v1/chat/completions"] = refusing(status, message)
    with opened(address) as model:
        assert model.tokenizer.wrap_chat("a") is None


def test_each_task_goes_to_its_endpoint(told, address, tmp_path):
    data = write_sample_data(tmp_path / "data", n=6)
    server = ServerOptions(base_url=address, concurrency=1)
    tasks = ("qasper", "samsum")
    settings = RunSettings(tasks=tasks, data=data, allow_unofficial=True, out=tmp_path / "run", server=server)
    result = run("openai:toy", settings)
    assert "|chat:official|trunc:middle@3500|tokens:estimated|decode:greedy|stop:string|reuse:unknown|" in str(
        result.summary.signature
    )
    asked = [(path, body) for path, body in told.seen if path.endswith("completions")][2:]
    assert [path for path, _ in asked] == ["/v1/chat/completions"] * 6 + ["/v1/completions"] * 6
    for path, body in asked:
        samsum = path == "/v1/completions"
        assert body["max_tokens"] == 128
        assert body.get("stop") == (["\n"] if samsum else None)
        assert {name: body[name] for name in ("temperature", "top_p", "n", "seed", "stream")} == {
            "temperature": 0,
            "top_p": 1,
            "n": 1,
            "seed": 0,
            "stream": False,
        }
        assert (body["presence_penalty"], body["frequency_penalty"]) == (0, 0)


def test_another_model_s_name(told, address):
    for path in ("/v1/completions", "/v1/chat/completions"):
        told.paths[path] = refusing(404, "The model `tyo` does not exist.")
    with pytest.raises(ModelError, match=r"'tyo'.*The model `tyo` does not exist.*It serves: toy\."):
        opened(address, "tyo")


def test_greedy_decoding_that_is_refused_is_no_missing_template(told, address):
    told.paths["/v1/chat/completions"] = refusing(400, "temperature 0 is not supported with this model")
    with pytest.raises(ModelError, match="temperature 0 is not supported"):
        opened(address)


COMPLAINTS = [
    ("`top_p` must be > 0.0 and < 1.0", "top_p", "max_tokens"),
    ("Unsupported parameter: 'seed'", "seed", "max_tokens"),
    ("'max_tokens' is not supported. Use 'max_completion_tokens' instead.", "max_tokens", "max_completion_tokens"),
]


@pytest.mark.parametrize(("complaint", "field", "cap"), COMPLAINTS)
def test_a_neutral_field_that_a_server_does_not_take_is_left_out(told, address, complaint, field, cap):
    def picky(body):
        return (422, {"error": complaint}) if field in body else (200, good(body))

    told.paths["/v1/chat/completions"] = picky
    with opened(address) as model:
        [completion] = model.generate([wrapped("hello")])
    assert completion.error is None
    sent = told.seen[-1][1]
    assert field not in sent
    assert sent[cap] == 8


def wrapped(text):
    from dataclasses import replace

    plain = request(text)
    return replace(plain, prompt=replace(plain.prompt, chat=True))


def test_fields_that_only_vllm_knows_are_sent_to_vllm(told, address):
    told.paths["/v1/models"] = lambda body: (200, listing(owned_by="vllm", max_model_len=8192))
    with opened(address):
        assert told.seen[-1][1]["repetition_penalty"] == 1.0
    told.paths["/v1/models"] = lambda body: (200, listing(owned_by="other", max_model_len=8192))
    with opened(address):
        assert "repetition_penalty" not in told.seen[-1][1]


# Window


def listing(name="toy", **entry):
    return {"object": "list", "data": [{"id": name, **entry}]}


WINDOWS = [
    (listing(max_model_len=8192), 8192),
    (listing("another", max_model_len=8192), 8192),
    ({"data": [{"id": "x", "max_model_len": 1}, {"id": "toy", "max_model_len": 2048}]}, 2048),
    (listing(context_length=32768), 32768),
    (listing(meta={"n_ctx_train": 4096}), 4096),
]


@pytest.mark.parametrize(("models", "window"), WINDOWS)
def test_the_window_is_what_the_server_says(told, address, models, window):
    told.paths["/v1/models"] = lambda body: (200, models)
    with opened(address) as model:
        assert model.window == window
    with opened(address, window=1024) as model:
        assert (model.window, model.capacity) == (1024, 1024)


SILENT = [(200, listing()), (404, {}), (200, []), (200, {"data": [7]}), (200, {"data": None})]


@pytest.mark.parametrize("reply", SILENT, ids=str)
def test_a_server_that_does_not_say_needs_the_option(told, address, reply):
    told.paths["/v1/models"] = lambda body: reply
    with pytest.raises(UsageError, match="give --window N"):
        opened(address)
    with opened(address, max_input_tokens=500) as model:
        assert model.capacity is None


# Tokenizers


def vllm_tokens(special="<s>"):
    """Characters as tokens, BOS before them, in the shape of vLLM."""

    def tokenize(body):
        if "prompt" not in body:
            return 400, {"error": {"message": "prompt: field required"}}
        bos = [1] if body["add_special_tokens"] else []
        return 200, {"tokens": bos + [ord(c) for c in body["prompt"]], "max_model_len": 4096}

    def detokenize(body):
        return 200, {"prompt": "".join(special if token == 1 else chr(token) for token in body["tokens"])}

    return {"/tokenize": tokenize, "/detokenize": detokenize}


def sglang_tokens():
    paths = vllm_tokens("")
    return {**paths, "/detokenize": lambda body: (200, {"text": paths["/detokenize"](body)[1]["prompt"]})}


def llama_cpp_tokens():
    """The same in the shape of llama.cpp, which answers any body."""

    def tokenize(body):
        bos = [1] if body.get("add_special") else []
        return 200, {"tokens": bos + [ord(c) for c in body.get("content", "")] if body.get("content") else []}

    def detokenize(body):
        return 200, {"content": "".join("<s>" if token == 1 else chr(token) for token in body["tokens"])}

    return {"/tokenize": tokenize, "/detokenize": detokenize}


@pytest.mark.parametrize("tokens", [vllm_tokens, sglang_tokens, llama_cpp_tokens])
def test_the_server_s_own_tokenizer_comes_first(told, address, tokens):
    told.paths.update(tokens())
    with opened(address, tokenizer="unused") as model:
        assert model.identity()["tokenizer"] == "server"
        assert model.tokenizer.encode("hi") == [1, 104, 105]
        assert model.tokenizer.decode([1, 104, 105]) == "hi"
        assert model.tokenizer.decode([105]) == "i"
        assert model.tokenizer.decode([]) == ""
        assert (model.tokenizer.bos_id, model.tokenizer.newline_id) == (1, 10)
        assert model.serving.exact_tokens
        assert any("--tokenizer is not" in note for note in model.serving.notes)


def test_token_ids_are_the_prompt_where_the_server_counts_them_right(told, address):
    told.paths.update(vllm_tokens())
    told.paths["/v1/completions"] = lambda body: (200, {**good(body), "usage": {"prompt_tokens": 2}})
    with opened(address) as model:
        list(model.generate([request("hi", ids=[1, 104, 105])]))
        assert told.seen[-1][1]["prompt"] == [1, 104, 105]
        assert model.identity()["completions"] == "ids"


@pytest.mark.parametrize("why", ["refused", "miscounted"])
def test_text_is_the_prompt_elsewhere(told, address, why):
    def completions(body):
        if why == "refused" and isinstance(body["prompt"], list):
            return 422, {"detail": "prompt: expected a string"}
        return 200, {**good(body), "usage": {"prompt_tokens": 5}}

    told.paths.update(vllm_tokens())
    told.paths["/v1/completions"] = completions
    with opened(address) as model:
        list(model.generate([request("hi", ids=[1, 104, 105])]))
        assert told.seen[-1][1]["prompt"] == "hi"
        assert model.identity()["completions"] == "text"


def test_identity_has_neither_address_nor_transport_settings(told, address):
    with opened(address) as one, opened(address + "/v1/", concurrency=1, timeout_s=5.0) as two:
        assert one.identity() == two.identity()
        assert "127.0.0.1" not in json.dumps(one.identity())


# Addresses


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
def test_the_address_with_or_without_v1(address, ending, monkeypatch):
    with opened(address + ending):
        pass
    monkeypatch.setenv("OPENAI_BASE_URL", address + ending)
    with opened(None):
        pass


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://a/b", "http://", "http://a:b", "http://[::1"])
def test_what_is_no_address(url):
    with pytest.raises(UsageError, match="must look like http://HOST:PORT/v1"):
        opened(url)


def test_an_address_is_needed(monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UsageError, match="needs --base-url"):
        opened(None)
