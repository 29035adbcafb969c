"""The options of `hf:` models, and what is said without the packages they need."""

import sys

import pytest

from longbench_eval.errors import UsageError
from longbench_eval.models import ModelOptions, open_model
from longbench_eval.models.hf.options import FLAGS, TransformersOptions

VALUES = {
    "dtype": "bfloat16",
    "device": "cpu",
    "attention": "eager",
    "batch_size": 2,
    "trust_remote_code": True,
    "revision": "main",
}


@pytest.mark.parametrize("spec", ["smollm2", "replay:x", "openai:x", "llama.cpp:x.gguf"])
@pytest.mark.parametrize("name", FLAGS)
def test_other_kinds_refuse_each(spec, name):
    options = ModelOptions(transformers=TransformersOptions(**{name: VALUES[name]}))
    with pytest.raises(UsageError, match=f"^{FLAGS[name]} is for hf: models, and the model is '{spec}'"):
        open_model(spec, options)


BAD = [
    ({"dtype": "bf16"}, "There is no dtype 'bf16'. Did you mean 'bfloat16'?"),
    ({"dtype": "int8"}, "There is no dtype 'int8'"),
    ({"batch_size": 0}, "--batch-size is 0; it must be at least 1"),
]


@pytest.mark.parametrize(("values", "said"), BAD)
def test_impossible_values(values, said):
    with pytest.raises(UsageError) as raised:
        TransformersOptions(**values).check()
    assert said in str(raised.value)


@pytest.mark.parametrize("name", ["torch", "transformers"])
def test_a_missing_package_is_one_line(tmp_path, monkeypatch, name):
    (tmp_path / "config.json").write_text("{}", "utf-8")
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError, match=r"pip install 'longbench-eval\[hf\]'"):
        open_model(f"hf:{tmp_path}", ModelOptions())


NOT_THERE = [
    ("./nowhere", "There is no folder './nowhere'"),
    ("a/b/c", "There is no folder 'a/b/c'"),
    ("nowhere.gguf", "There is no model file 'nowhere.gguf'"),
]


@pytest.mark.parametrize(("name", "said"), NOT_THERE)
def test_nothing_there(cli, name, said):
    code, _, err = cli("run", "--suite", "demo", "--model", f"hf:{name}")
    assert code == 1
    assert said in err
    assert "Traceback" not in err


def test_a_folder_without_a_model(cli, tmp_path):
    code, _, err = cli("run", "--suite", "demo", "--model", f"hf:{tmp_path}")
    assert (code, "has no config.json" in err) == (1, True)


MISTAKES = [
    (["--model", "smollm2", "--dtype", "float16"], "--dtype is for hf: models"),
    (["--model", "smollm2", "--device", "cpu", "--attn", "sdpa"], "--device, --attn is for hf: models"),
    (["--model", "smollm2", "--batch-size", "2", "--revision", "main"], "--batch-size, --revision is for hf: models"),
    (["--model", "replay:x", "--trust-remote-code"], "--trust-remote-code is for hf: models"),
    (["--model", "hf:x", "--dtype", "float8"], "There is no dtype 'float8'"),
    (["--model", "hf:x", "--batch-size", "-1"], "--batch-size is -1"),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES, ids=[said for _, said in MISTAKES])
def test_mistakes_on_the_command_line(cli, words, said):
    code, _, err = cli("run", "--suite", "demo", *words)
    assert code == 1
    assert said in err
    assert "Traceback" not in err


def test_prompt_refuses_them_too(cli):
    code, _, err = cli("prompt", "qasper", 0, "--suite", "demo", "--model", "replay:x", "--revision", "a")
    assert (code, "--revision is for hf: models" in err) == (1, True)
