"""Ranking by embeddings: a served model on the loopback, and vectors on disk."""

import numpy as np
import pytest

from fault_server import Behaviour, fault_server
from longbench_eval.compress.embedding import EmbeddingRanker, VectorCache
from longbench_eval.compress.retrieval import Retrieval, open_ranker
from longbench_eval.compress.server_embedder import ServerEmbedder
from longbench_eval.compress.spec import parse_spec
from longbench_eval.errors import ModelError, UsageError
from longbench_eval.models.base import ServerOptions
from longbench_eval.models.openai.address import read_address
from longbench_eval.models.openai.backoff import RetryPolicy
from longbench_eval.models.openai.client import Pace
from toys import example

COLOURS = ("red", "green", "blue", "grey")
PATH = "/v1/embeddings"


def embed(body) -> tuple[int, dict]:
    """How often each colour is named, out of order."""
    vectors = [[text.lower().count(colour) for colour in COLOURS] for text in body["input"]]
    entries = [{"index": i, "embedding": [float(x) for x in vector]} for i, vector in enumerate(vectors)]
    return 200, {"data": entries[::-1]}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path / "cache"))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def told():
    return Behaviour(paths={PATH: embed})


@pytest.fixture
def address(told):
    with fault_server(told) as address:
        yield address


def retrieval(text: str, server: ServerOptions = ServerOptions()) -> Retrieval:  # noqa: B008
    spec = parse_spec(text)
    return Retrieval(spec, open_ranker(spec, server))


def test_the_nearest_chunks_are_kept_and_a_context_is_embedded_once(told, address):
    row = example(context="red rose. blue sky. green tree. grey wall.", question="What is green, and what blue?")
    for _ in range(2):
        change = retrieval("retrieval:server:toy,chunk=2,top=2", ServerOptions(base_url=address))
        changed = change.apply(row)
        change.close()
        assert changed.example.context == "blue sky. green tree. "
        assert changed.record["kept"] == [1, 2]
    inputs = [body["input"] for path, body in told.seen if path == PATH]
    assert [len(texts) for texts in inputs] == [4, 1, 1], "the second time only the question"
    assert {body["model"] for _, body in told.seen} == {"toy"}


def test_many_chunks_go_in_batches_and_come_back_in_order(told, address):
    chunks = [f"{COLOURS[i % 4]} " * (i + 1) for i in range(150)]
    embedder = ServerEmbedder("toy", read_address(options := ServerOptions(base_url=address)), options)
    vectors = embedder.embed_chunks(chunks)
    embedder.close()
    assert vectors.shape == (150, 4)
    assert [int(vector.max()) for vector in vectors] == list(range(1, 151))
    assert sorted(len(body["input"]) for _, body in told.seen) == [22, 64, 64]


def test_a_refused_batch_is_sent_again_with_shorter_texts(told, address):
    def refuse_long(body):
        longest = max(map(len, body["input"]))
        return embed(body) if longest <= 2000 else (400, {"error": {"message": "too long"}})

    told.paths[PATH] = refuse_long
    embedder = ServerEmbedder("toy", read_address(options := ServerOptions(base_url=address)), options)
    assert embedder.embed_chunks(["red " * 5000, "blue"]).tolist() == [[500, 0, 0, 0], [0, 0, 1, 0]]
    embedder.close()


def test_an_empty_text_is_sent_as_a_point(told, address):
    embedder = ServerEmbedder("toy", read_address(options := ServerOptions(base_url=address)), options)
    assert not embedder.embed_question(" \n").any()
    embedder.close()
    assert told.seen[-1][1]["input"] == ["."]


BROKEN = [
    (200, {"data": []}, "not one vector for each of 1 texts"),
    (200, {"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}, "not one vector"),
    (200, {"data": [{"index": 0, "embedding": ["x"]}]}, "no list of embeddings"),
    (200, {"data": [{"index": 0, "embedding": [None]}]}, "not one vector"),
    (200, {"choices": []}, "no list of embeddings"),
    (404, {"error": {"message": "no such model"}}, "refuses to embed with 'toy': HTTP 404: no such model"),
]


@pytest.mark.parametrize(("status", "body", "message"), BROKEN)
def test_what_is_no_answer(told, address, status, body, message):
    told.paths[PATH] = lambda _: (status, body)
    options = ServerOptions(base_url=address)
    pace = Pace(RetryPolicy(attempts=2), jitter=lambda: 0.0, sleep=_no_time)
    embedder = ServerEmbedder("toy", read_address(options), options, pace)
    with pytest.raises(ModelError) as failure:
        embedder.embed_question("red")
    embedder.close()
    assert message in str(failure.value)


async def _no_time(seconds: float) -> None:
    pass


def test_the_key_of_base_url_is_not_sent_to_another_address(told, address, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-main")
    monkeypatch.setenv("OTHER", "sk-other")
    row = example(context="red. blue.", question="red")
    for key in ("", ",key_env=OTHER"):
        change = retrieval(f"retrieval:server:toy{key},url={address},chunk=1,top=1")
        change.apply(row)
        change.close()
    sent = [headers.get("Authorization") for headers in told.headers]
    assert sent == [None, None, "Bearer sk-other"]


def test_without_an_address_the_remedy_is_told():
    with pytest.raises(UsageError, match="--base-url"):
        retrieval("retrieval:server:toy")


class Counting:
    """An embedder of lengths that counts its calls."""

    name = "counting"

    def __init__(self, version: str = "1"):
        self.version, self.calls = version, 0

    def identity(self):
        return {"version": self.version}

    def embed_chunks(self, texts):
        self.calls += 1
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    def embed_question(self, text):
        return np.array([len(text), 1.0], dtype=np.float32)

    def close(self):
        pass


def test_a_context_is_embedded_once_for_all_its_questions_and_runs():
    chunks = ("a", "bbbb", "cc")
    first, second, other = Counting(), Counting(), Counting("2")
    for embedder in (first, first, second, other):
        ranker = EmbeddingRanker(embedder)
        assert [ranker.rank(chunks, question)[0] for question in ("x", "xxxx")] == [0, 1]
    assert (first.calls, second.calls, other.calls) == (1, 0, 1), "another model has vectors of its own"


@pytest.mark.parametrize("damage", [b"", b"garbage", b"PK\x03\x04", b"\x80\x04K\x01.", None])
def test_a_damaged_file_is_made_again(damage, tmp_path):
    embedder, chunks = Counting(), ("a", "bb")
    cache = VectorCache(embedder.identity())
    whole = cache.get(chunks, embedder.embed_chunks)
    [file] = (tmp_path / "cache" / "embeddings").rglob("*.npy")
    file.write_bytes(file.read_bytes()[:-3] if damage is None else damage)
    assert (cache.get(chunks, embedder.embed_chunks) == whole).all()
    assert embedder.calls == 2
    assert (cache.get(chunks, embedder.embed_chunks) == whole).all()
    assert embedder.calls == 2


def test_borders_between_chunks_count():
    embedder = Counting()
    cache = VectorCache(embedder.identity())
    assert (
        cache.get(("ab", "c"), embedder.embed_chunks).tolist() != cache.get(("a", "bc"), embedder.embed_chunks).tolist()
    )
    assert embedder.calls == 2
