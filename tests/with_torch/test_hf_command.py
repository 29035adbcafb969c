"""Every option of `hf:` models, called as a user calls it."""

import json

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.torch

from tiny_models import save_tiny  # noqa: E402


@pytest.fixture
def folder(tmp_path):
    return save_tiny(tmp_path / "tiny")


def test_every_option(cli, folder, tmp_path):
    words = ["run", "--suite", "demo", "--tasks", "qasper,samsum", "--limit", 1, "--max-input-tokens", 200]
    words += ["--model", f"hf:{folder}", "--out", tmp_path / "run", "--json"]
    chosen = ["--dtype", "bfloat16", "--device", "cpu", "--attn", "eager", "--batch-size", 3, "--trust-remote-code"]
    code, out, err = cli(*words, *chosen)
    assert (code, "Traceback" in err) == (0, False), err
    assert "|stop:token|reuse:on|" in json.loads(out)["signature"]
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert manifest["settings"]["transformers"] == {
        "dtype": "bfloat16",
        "device": "cpu",
        "attention": "eager",
        "batch_size": 3,
        "trust_remote_code": True,
        "revision": None,
    }
    model = manifest["identity"]["model"]
    assert (model["dtype"], model["attention"], model["batch"]) == ("bfloat16", "eager", "several")
    # The size of batches is no part of the identity; computing in another dtype is.
    assert cli(*words, *chosen[:6], "--batch-size", 5)[0] == 0
    code, _, err = cli(*words, *chosen[2:])
    assert (code, "model.dtype: 'bfloat16' there, 'float32' now" in err) == (1, True)


def test_a_revision_is_for_the_hub(cli, folder):
    code, _, err = cli("run", "--suite", "demo", "--model", f"hf:{folder}", "--revision", "main")
    assert (code, "--revision is for models on the Hub" in err) == (1, True)


def test_the_prompt_of_a_model(cli, folder):
    words = ["prompt", "qasper", 0, "--suite", "demo", "--model", f"hf:{folder}", "--max-input-tokens", 150]
    code, out, err = cli(*words, "--trust-remote-code")
    assert code == 0, err
    assert out.startswith("<|im_start|>user\n")
    assert "characters cut here" in out
    code, ids, _ = cli(*words, "--ids")
    assert 150 <= len(ids.split()) <= 200
