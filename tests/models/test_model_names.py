"""`KIND:NAME`, aliases and bare paths."""

import pytest

from longbench_eval.errors import UsageError
from longbench_eval.models import KINDS, ModelOptions, open_model
from longbench_eval.models.registry import split_spec

NAMES = [
    ("smollm2", ("llama.cpp", "smollm2")),
    ("llama.cpp:smollm2", ("llama.cpp", "smollm2")),
    ("llama.cpp:a/b.gguf", ("llama.cpp", "a/b.gguf")),
    ("a/b.gguf", ("llama.cpp", "a/b.gguf")),
    ("llama.cpp:C:/b.gguf", ("llama.cpp", "C:/b.gguf")),
    ("replay:a,b:c,delay=1", ("replay", "a,b:c,delay=1")),
    ("replay:a.gguf", ("replay", "a.gguf")),
]


@pytest.mark.parametrize(("spec", "expected"), NAMES)
def test_kind_and_name(spec, expected):
    assert split_spec(spec) == expected


def test_a_path_with_a_colon_that_is_there(tmp_path):
    path = tmp_path / "a:b.gguf"
    path.touch()
    assert split_spec(str(path)) == ("llama.cpp", str(path))


UNKNOWN = [
    ("smolm2", "smollm2"),
    ("SmolLM2", "smollm2"),
    ("lama.cpp:/a/very/long/path/to/a/model.gguf", "llama.cpp:..."),
    ("replai:runs/first", "replay:..."),
    ("llama.cp", "llama.cpp:..."),
]


@pytest.mark.parametrize(("spec", "nearest"), UNKNOWN)
def test_the_nearest_is_offered(spec, nearest):
    with pytest.raises(UsageError) as raised:
        split_spec(spec)
    assert f"Did you mean {nearest!r}?" in str(raised.value)
    assert "longbench-eval models ls" in str(raised.value)


@pytest.mark.parametrize("spec", ["", "gpt-4", "vllm:org/name", ":", ":a"])
def test_nothing_is_offered_where_nothing_is_near(spec):
    with pytest.raises(UsageError, match="There is no model") as raised:
        open_model(spec, ModelOptions())
    assert all(kind in str(raised.value) for kind in ("smollm2", *KINDS))


@pytest.mark.parametrize("spec", ["replay:", "replay", "llama.cpp:", "llama.cpp"])
def test_a_kind_needs_a_name(spec):
    with pytest.raises(UsageError, match=r"no name; write (replay|llama\.cpp):NAME"):
        split_spec(spec)
