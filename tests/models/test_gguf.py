"""The header of a GGUF file, honest, cut short and hostile."""

import struct
import tracemalloc
from contextlib import suppress

import pytest
from gguf_files import ARRAY, BOOL, F32, I32, STRING, U32, U64, header, pair, raw_pair, string, write
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval.errors import ModelError
from longbench_eval.models.gguf import read_gguf
from longbench_eval.models.llama_server import LlamaCppTokenizer

HONEST = header(
    pair("general.architecture", STRING, "toy"),
    pair("toy.context_length", U32, 4096),
    pair("toy.scale", F32, 0.5),
    pair("toy.odd", BOOL, True),
    pair("tokenizer.ggml.tokens", ARRAY, (STRING, ["<unk>", "<s>", "中", ""])),
    pair("tokenizer.ggml.token_type", ARRAY, (I32, [2, 3, 1, 6])),
    pair("tokenizer.ggml.bos_token_id", U32, 1),
    pair("toy.nested", ARRAY, (ARRAY, [(U64, [1, 2]), (STRING, ["a"])])),
    pair("tokenizer.chat_template", STRING, "{{ messages }}"),
    pair("last", U64, 2**63),
)


@pytest.fixture
def place(tmp_path):
    return lambda content: write(tmp_path / "model.gguf", content)


def test_an_honest_header(place):
    found = read_gguf(place(HONEST + b"tensors follow"))
    assert (found.window, found.bos_id, bool(found.chat_template)) == (4096, 1, True)
    assert found.special_ids == {0, 1}
    assert found.metadata["last"] == 2**63, "whatever stands before it was read to its end"
    assert found.metadata["toy.scale"] == 0.5
    assert found.metadata["tokenizer.ggml.tokens"] is None


def test_a_header_that_says_nothing(place):
    found = read_gguf(place(header(version=2)))
    assert (found.window, found.bos_id, found.chat_template, found.special_ids) == (None, None, "", frozenset())


WRONG_TYPES = [
    pair("general.architecture", ARRAY, (U32, [1])),
    pair("None.context_length", STRING, "long"),
    pair("None.context_length", U32, 0),
    pair("tokenizer.ggml.bos_token_id", STRING, "<s>"),
    pair("tokenizer.ggml.token_type", U32, 3),
    pair("tokenizer.ggml.token_type", ARRAY, (STRING, ["3"])),
]


@pytest.mark.parametrize("odd", WRONG_TYPES)
def test_values_of_another_type_count_as_absent(place, odd):
    found = read_gguf(place(header(odd)))
    assert (found.window, found.bos_id, found.special_ids) == (None, None, frozenset())


def test_a_model_without_a_chat_template_wraps_nothing(place):
    tokenizer = LlamaCppTokenizer(None, read_gguf(place(header())))
    assert tokenizer.wrap_chat("llama.cpp itself would fall back to ChatML") is None


def test_a_header_cut_anywhere(place):
    for size in range(8, len(HONEST)):
        with pytest.raises(ModelError, match=r"model\.gguf' is cut short or damaged.*Fetch it again"):
            read_gguf(place(HONEST[:size]))


def nested(depth: int) -> bytes:
    return raw_pair("a", ARRAY, struct.pack("<IQ", ARRAY, 1) * depth + struct.pack("<IQ", U32, 0))


HOSTILE = {
    "a string of 2**63 bytes": raw_pair("a", STRING, struct.pack("<Q", 2**63)),
    "a string of 2**64-1 bytes": raw_pair("a", STRING, struct.pack("<Q", 2**64 - 1) + b"abc"),
    "2**60 numbers": raw_pair("a", ARRAY, struct.pack("<IQ", U32, 2**60) + bytes(64)),
    "2**64-1 numbers": raw_pair("a", ARRAY, struct.pack("<IQ", U64, 2**64 - 1) + bytes(64)),
    "2**60 strings": raw_pair("a", ARRAY, struct.pack("<IQ", STRING, 2**60) + bytes(64)),
    "a string in an array past the end": raw_pair("a", ARRAY, struct.pack("<IQQ", STRING, 1, 2**40)),
    "2**60 arrays": raw_pair("a", ARRAY, struct.pack("<IQ", ARRAY, 2**60) + bytes(64)),
    "arrays 100,000 deep": nested(100_000),
    "a kind that is none": raw_pair("a", 99, bytes(64)),
    "an array of a kind that is none": raw_pair("a", ARRAY, struct.pack("<IQ", 99, 3) + bytes(64)),
    "a key of 2**62 bytes": struct.pack("<Q", 2**62) + bytes(64),
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_absurd_lengths_cost_nothing(place, body):
    path = place(header(body) + bytes(1000))
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match="cut short or damaged"):
            read_gguf(path)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_absurdly_many_pairs(place):
    empty = string("") + struct.pack("<I", BOOL) + b"\0"
    with pytest.raises(ModelError, match="cut short or damaged"):
        read_gguf(place(header(count=2**60) + empty * 100_000))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory, content):
    path = write(tmp_path_factory.getbasetemp() / "any.gguf", header(count=3) + content)
    with suppress(ModelError):
        read_gguf(path)


NOT_GGUF = [(b"", "empty"), (b"GGU", "three bytes"), (b"ggml" + bytes(64), "an older format"), (b"PK\3\4", "a zip")]
OTHER_VERSIONS = [header(version=1), header(version=4), header(version=3 << 24), b"GGUF"]


@pytest.mark.parametrize(("content", "why"), NOT_GGUF)
def test_not_gguf(place, content, why):
    with pytest.raises(ModelError, match=r"is not a GGUF file.*that format only"):
        read_gguf(place(content))


@pytest.mark.parametrize("content", [*OTHER_VERSIONS, b"GGUF, the letters, in a text"])
def test_other_versions(place, content):
    with pytest.raises(ModelError, match=r"model\.gguf' has format version \d+, expected 2 or 3"):
        read_gguf(place(content))


def test_no_file_and_no_folder(tmp_path):
    with pytest.raises(ModelError, match=r"no model file '.*absent\.gguf'\. Give llama\.cpp: the path of a GGUF file"):
        read_gguf(tmp_path / "absent.gguf")
    with pytest.raises(ModelError, match="It is a folder: give"):
        read_gguf(tmp_path)
