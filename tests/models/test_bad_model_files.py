"""A model file that is none: one clear message, whatever is wrong with it."""

import sys

import pytest
from gguf_files import ARRAY, STRING, U32, header, pair, write

from longbench_eval.errors import ModelError, UsageError
from longbench_eval.models import ModelOptions, open_model
from longbench_eval.models.fetch import fetch_model


def opening(path):
    return open_model(f"llama.cpp:{path}", ModelOptions(max_input_tokens=100))


NO_MODELS = {
    "empty": b"",
    "a text": b"GGUF? no, a letter",
    "only a header": header(pair("general.architecture", STRING, "llama"), pair("llama.context_length", U32, 64)),
    "an unknown architecture": header(pair("general.architecture", STRING, "abacus")),
    "tensors that are not there": header(pair("general.architecture", STRING, "llama"), tensors=5),
    "absurdly many tensors": header(pair("general.architecture", STRING, "llama"), tensors=2**60),
    "a vocabulary of numbers": header(
        pair("general.architecture", STRING, "llama"), pair("tokenizer.ggml.tokens", ARRAY, (U32, [1]))
    ),
}


@pytest.mark.model
@pytest.mark.parametrize("content", NO_MODELS.values(), ids=NO_MODELS)
def test_no_model(tmp_path, capfd, content):
    path = write(tmp_path / "x.gguf", content)
    with pytest.raises(ModelError, match=r"x\.gguf") as raised:
        opening(path)
    assert any(remedy in str(raised.value) for remedy in ("Fetch it again", "that format only"))
    assert capfd.readouterr().err == "", "the library says nothing beside the message"


@pytest.mark.model
@pytest.mark.parametrize("kept", [5, 1_000, 1_000_000, 50_000_000, -1])
def test_the_embedded_model_cut_short(tmp_path, capfd, kept):
    path = write(tmp_path / "cut.gguf", fetch_model("smollm2").read_bytes()[:kept])
    with pytest.raises(ModelError, match=r"cut\.gguf.*(cut short|damaged).*Fetch it again"):
        opening(path)
    assert capfd.readouterr().err == ""


def test_missing_and_a_folder(tmp_path):
    with pytest.raises(ModelError, match=r"no model file '.*absent\.gguf'.*path of a GGUF file"):
        opening(tmp_path / "absent.gguf")
    with pytest.raises(ModelError, match="It is a folder"):
        opening(tmp_path)


def test_a_home_folder_is_found(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    write(tmp_path / "x.gguf", b"none")
    with pytest.raises(ModelError, match="is not a GGUF file"):
        opening("~/x.gguf")


def test_without_the_extra_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    path = write(tmp_path / "x.gguf", header(pair("general.architecture", STRING, "llama")))
    with pytest.raises(UsageError, match=r"pip install 'longbench-eval\[local\]'"):
        opening(path)
