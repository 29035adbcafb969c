"""Tokenizers for servers that have none to ask."""

import sys

import pytest
import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.errors import UsageError
from longbench_eval.models.openai.local_tokens import EstimatedTokenizer, load_tokenizer

ESTIMATED = EstimatedTokenizer()


@given(st.text(st.characters(exclude_categories=())))
def test_an_estimate_can_be_cut_anywhere(text):
    ids = ESTIMATED.encode(text)
    assert ESTIMATED.decode(ids) == text
    half = len(ids) // 2
    assert ESTIMATED.decode(ids[:half]) + ESTIMATED.decode(ids[half:]) == text


COUNTS = [
    ("", 0, "nothing"),
    ("The harbour was", 3, "a word with its space"),
    ("encyclopedia", 2, "seven letters at most"),
    ("in 1712", 4, "a space before a number"),
    ("1234567", 3, "three digits at most"),
    ("上下文。", 4, "one for a character"),
    ("a,b", 3, "punctuation"),
    ("\n\n\n\n", 2, "two line ends"),
    ("        x", 3, "four spaces"),
]


@pytest.mark.parametrize(("text", "count", "why"), COUNTS, ids=[why for *_, why in COUNTS])
def test_the_rule(text, count, why):
    assert len(ESTIMATED.encode(text)) == count


@pytest.fixture
def tokenizer_json(tmp_path):
    model = tokenizers.models.WordLevel({"[UNK]": 0, "hello": 1, "world": 2}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.enable_truncation(1)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    return tmp_path / "tokenizer.json"


def test_a_file_and_its_folder(tokenizer_json):
    source = load_tokenizer(str(tokenizer_json))
    assert source.tokenizer.encode("hello world hello") == [1, 2, 1]
    assert source.name.startswith("file:")
    assert len(source.name) == len("file:") + 64
    assert source.exact
    assert load_tokenizer(str(tokenizer_json.parent)).name == source.name


def test_what_cannot_be_loaded(tmp_path):
    (tmp_path / "bad.json").write_text("{")
    for name, said in [
        (tmp_path / "bad.json", "cannot be loaded"),
        (tmp_path, "no tokenizer.json"),
        (tmp_path / "gone.json", "no tokenizer file"),
        ("./gone", "no tokenizer file"),
    ]:
        with pytest.raises(UsageError, match=said):
            load_tokenizer(str(name))


@pytest.fixture
def byte_encoding(monkeypatch):
    ranks = {bytes([i]): i for i in range(256)}
    encoding = tiktoken.Encoding("toy", pat_str=r"(?s).", mergeable_ranks=ranks, special_tokens={"<|end|>": 256})
    asked = []
    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: asked.append(name) or encoding)
    return asked


@pytest.mark.parametrize(("name", "encoding"), [("o200k_base", "o200k_base"), ("gpt-4o", "o200k_base")])
def test_tiktoken_by_encoding_or_model(byte_encoding, name, encoding):
    source = load_tokenizer(name)
    assert byte_encoding == [encoding]
    assert source.name == f"tiktoken:{encoding}"
    assert source.tokenizer.encode("a<|end|>\n") == list(b"a<|end|>\n")
    assert source.tokenizer.decode([0xE4, 0xB8]) == "�"
    assert source.tokenizer.newline_id == 10


def test_a_hub_name(byte_encoding, monkeypatch, tokenizer_json):
    loaded = tokenizers.Tokenizer.from_file(str(tokenizer_json))
    stub = type("Tokenizer", (), {"from_pretrained": staticmethod({"org/name": loaded}.__getitem__)})
    monkeypatch.setattr(tokenizers, "Tokenizer", stub)
    assert load_tokenizer("org/name").name == "hub:org/name"
    with pytest.raises(UsageError, match=r"org/other.*Give a folder"):
        load_tokenizer("org/other")


@pytest.mark.parametrize(("package", "name"), [("tokenizers", "org/name"), ("tiktoken", "o200k_base")])
def test_a_missing_package_is_named(package, name, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match=f"pip install {package}"):
        load_tokenizer(name)
