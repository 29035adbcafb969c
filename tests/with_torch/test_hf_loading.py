"""How a checkpoint is found, loaded and identified."""

import json
import shutil

import pytest

from longbench_eval.errors import LongBenchError, ModelError, UsageError
from longbench_eval.models import ModelOptions, open_model
from longbench_eval.models.base import serving_of
from longbench_eval.models.hf.options import TransformersOptions
from toys import request

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.torch

from tiny_models import CHATML, MARKS, SIZES, plain_loop, save_tiny, tokenizer_of  # noqa: E402

from longbench_eval.models.hf.ends import turn_end_id  # noqa: E402


def opened(folder, **options):
    return open_model(f"hf:{folder}", ModelOptions(transformers=TransformersOptions(**{"device": "cpu", **options})))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny(tmp_path_factory.mktemp("tiny"))


def test_identity_is_the_files_and_the_way_of_computing(folder, tmp_path):
    first = opened(folder).identity()
    copy = shutil.copytree(folder, tmp_path / "copy")
    assert opened(copy).identity() == first
    assert (first["kind"], first["dtype"], first["device"], first["batch"]) == ("hf", "float32", "cpu", "one")
    assert opened(folder, batch_size=2).identity() == {**first, "batch": "several"}
    assert opened(folder, dtype="bfloat16").identity() == {**first, "dtype": "bfloat16"}
    save_tiny(tmp_path / "other", seed=1)
    assert opened(tmp_path / "other").identity()["sha256"] != first["sha256"]


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "chat_template.jinja", "generation_config.json"])
def test_every_small_file_counts(folder, tmp_path, name):
    copy = shutil.copytree(folder, tmp_path / "copy")
    (copy / name).write_text((copy / name).read_text("utf-8") + "\n", "utf-8")
    assert opened(copy).identity()["sha256"] != opened(folder).identity()["sha256"]


def test_pickled_weights_do_not_count_beside_others(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    (copy / "pytorch_model.bin").write_bytes(b"never read")
    assert opened(copy).identity() == opened(folder).identity()


DTYPES = [
    # the checkpoint's, asked for, whether the processor has bfloat16, loaded
    ("float32", None, True, "float32"),
    ("bfloat16", None, True, "bfloat16"),
    ("bfloat16", None, False, "float32"),
    ("float16", None, True, "float32"),
    ("float16", "float16", True, "float16"),
    ("bfloat16", "bfloat16", False, "bfloat16"),
    ("float32", "bfloat16", True, "bfloat16"),
]


@pytest.mark.parametrize(("own", "wanted", "has", "loaded"), DTYPES)
def test_dtype(tmp_path, monkeypatch, own, wanted, has, loaded):
    monkeypatch.setattr("longbench_eval.models.hf.placement.has_bfloat16", lambda: has)
    place = save_tiny(tmp_path / "model")
    model = transformers.AutoModelForCausalLM.from_pretrained(place, dtype=getattr(torch, own))
    model.save_pretrained(place)
    assert opened(place, dtype=wanted).identity()["dtype"] == loaded


def test_loading_and_answering_print_nothing(folder, capfd):
    model = opened(folder)
    list(model.generate([request("", "a", [1, 2, 3])]))
    assert len(model.tokenizer.encode("long " * 2000)) == 10_000
    assert capfd.readouterr() == ("", "")


def test_the_verbosity_of_transformers_is_left_as_it_was(folder):
    from transformers.utils import logging

    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    opened(folder)
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before


def test_random_weights_are_told_of(folder, tmp_path):
    from safetensors.torch import load_file, save_file

    copy = shutil.copytree(folder, tmp_path / "copy")
    weights = load_file(copy / "model.safetensors")
    del weights["lm_head.weight"]
    save_file(weights, copy / "model.safetensors", {"format": "pt"})
    [note] = serving_of(opened(copy)).notes
    assert "lm_head.weight" in note


CODE = """
from transformers import LlamaConfig, LlamaForCausalLM
from pathlib import Path
Path({mark!r}).touch()
class OddConfig(LlamaConfig):
    model_type = "odd"
class OddForCausalLM(LlamaForCausalLM):
    config_class = OddConfig
"""


@pytest.fixture
def with_code(folder, tmp_path, monkeypatch):
    """A checkpoint with a model class of its own, and the file that its code makes."""
    from transformers import dynamic_module_utils

    monkeypatch.setattr(dynamic_module_utils, "HF_MODULES_CACHE", str(tmp_path / "modules"))
    copy, mark = shutil.copytree(folder, tmp_path / "with_code"), tmp_path / "ran"
    (copy / "odd.py").write_text(CODE.format(mark=str(mark)), "utf-8")
    config = json.loads((copy / "config.json").read_text("utf-8"))
    classes = {"AutoConfig": "odd.OddConfig", "AutoModelForCausalLM": "odd.OddForCausalLM"}
    config |= {"model_type": "odd", "auto_map": classes}
    (copy / "config.json").write_text(json.dumps(config), "utf-8")
    return copy, mark


def test_code_of_a_checkpoint_does_not_run_unasked(with_code):
    place, mark = with_code
    with pytest.raises(UsageError, match="--trust-remote-code"):
        opened(place)
    assert not mark.exists()


def test_code_of_a_checkpoint_runs_when_asked(with_code, folder):
    place, mark = with_code
    rows = [request("", "a", [5, 6, 7])]
    [answer] = opened(place, trust_remote_code=True).generate(rows)
    assert mark.exists()
    assert answer.text == plain_loop(folder, rows)["a"]


def damaged(folder):
    (folder / "model.safetensors").write_bytes(b"\xff" * 100)


def cut(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])


def no_model(folder):
    (folder / "config.json").write_text('{"model_type": "vit"}', "utf-8")


def no_json(folder):
    (folder / "config.json").write_text("{", "utf-8")


def no_config(folder):
    (folder / "config.json").unlink()


@pytest.mark.parametrize("harm", [damaged, cut, no_model, no_json, no_config])
def test_a_broken_folder_is_one_message(folder, tmp_path, harm):
    copy = shutil.copytree(folder, tmp_path / "copy")
    harm(copy)
    with pytest.raises(ModelError) as raised:
        opened(copy)
    assert "copy" in str(raised.value)
    assert "\n" not in str(raised.value)


REFUSED = [
    ({"device": "cuda:99"}, UsageError, "--device cuda:99"),
    ({"device": "gpu"}, UsageError, "--device gpu"),
    ({"device": "meta"}, UsageError, "--device meta"),
    ({"revision": "main"}, UsageError, "--revision is for models on the Hub"),
    ({"attention": "fast"}, LongBenchError, "fast"),
    ({"attention": "flash_attention_2"}, LongBenchError, "lash"),
]


@pytest.mark.parametrize(("options", "error", "said"), REFUSED)
def test_refused(folder, options, error, said):
    with pytest.raises(error, match=said):
        opened(folder, **options)


def test_a_name_that_is_nowhere(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelError, match="cannot be loaded"):
        opened("nobody/nothing-at-all")


def sliding():
    sizes = {key: value for key, value in SIZES.items() if key != "tie_word_embeddings"}
    return transformers.MistralConfig(**sizes, sliding_window=16)


def recurrent():
    sizes = {"vocab_size": SIZES["vocab_size"], "hidden_size": 32, "num_hidden_layers": 2, "state_size": 4}
    return transformers.MambaConfig(**sizes, bos_token_id=256, eos_token_id=257, pad_token_id=257)


def stretched():
    rope = {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0}
    return transformers.LlamaConfig(**{**SIZES, "rope_parameters": rope, "max_position_embeddings": 64})


CACHES = [
    (sliding, "several", "cannot be cut back"),
    (recurrent, "one", "cannot be cut back"),
    (stretched, "one", "length"),
]


@pytest.mark.parametrize(("config", "batch", "said"), CACHES)
def test_models_whose_context_cannot_be_reused(tmp_path, config, batch, said):
    place = save_tiny(tmp_path / "model", config())
    model = opened(place, batch_size=4)
    assert (model.prefix_reuse, model.identity()["batch"]) == ("off", batch)
    notes = serving_of(model).notes
    assert any(said in note for note in notes)
    assert any("one by one" in note for note in notes) == (batch == "one")
    context = [i * 7 % 250 for i in range(100)]
    rows = [request("", f"r{i}", [*context, *range(3 + 2 * i)], cap=8) for i in range(6)]
    found = {c.example_id: c for c in model.generate(rows)}
    assert {c.cached_tokens for c in found.values()} == {0}
    assert {id_: c.text for id_, c in found.items()} == plain_loop(place, rows)


LLAMA2 = (
    "{% for m in messages %}{% if m.role == 'user' %}<s>[INST] {{ m.content }} [/INST]"
    "{% else %} {{ m.content }} </s>{% endif %}{% endfor %}"
)
SPEAKERS = (
    "<s>{% for m in messages %}<|{{ 'im_start' if m.role == 'user' else 'im_end' }}|>\n{{ m.content }}{% endfor %}"
)
PLAIN = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"
NEXT_BOS = "{% for m in messages %}<s>{{ m.role }}: {{ m.content }}\n{% endfor %}"
ONE_ONLY = "{% if messages | length > 1 %}{{ raise_exception('one message') }}{% endif %}{{ messages[0].content }}"
SILENT = "{% for m in messages if m.role == 'user' %}{{ m.content }}<|im_end|>{% endfor %}"
TURN_ENDS = [
    (CHATML, "<|im_end|>"),
    (LLAMA2, "</s>"),
    (SPEAKERS, "<|im_start|>"),
    (PLAIN, None),
    (NEXT_BOS, None),
    (ONE_ONLY, None),
    (SILENT, None),
    (None, None),
]


@pytest.mark.parametrize(("template", "expected"), TURN_ENDS)
def test_the_end_of_turn_in_a_template(template, expected):
    found = turn_end_id(tokenizer_of(template))
    assert found == (None if expected is None else 256 + MARKS.index(expected))


def test_many_texts_in_one_call(folder):
    tokenizer = opened(folder).tokenizer
    texts = ["", "a", "<s>é\n", "b" * 3000]
    assert tokenizer.encode_batch(texts) == [tokenizer.encode(text) for text in texts]
    assert tokenizer.encode_batch([]) == []
