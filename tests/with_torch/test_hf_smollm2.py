"""SmolLM2's GGUF file through hf: the tokens of llama.cpp, the answers of a plain `generate` loop."""

from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from longbench_eval.dataset import load_rows, load_templates
from longbench_eval.generate import schedule
from longbench_eval.models import ModelOptions, open_model
from longbench_eval.models.base import serving_of
from longbench_eval.models.hf.options import TransformersOptions
from longbench_eval.prompts import PromptPolicy, build_prompt
from longbench_eval.records import Request
from longbench_eval.tasks import TASKS, get_suite

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.torch

from tiny_models import plain_loop  # noqa: E402

SAMPLES = Path(__file__).parents[2].parent / "shared" / "longbench" / "samples"
DATA = SAMPLES.parent / "data"


@pytest.fixture(scope="module")
def model():
    options = ModelOptions(transformers=TransformersOptions(device="cpu"))
    with closing(open_model("hf:smollm2", options)) as opened:
        yield opened


def requests_of(model, suite, task, data, limit, budget, cap):
    suite = get_suite(suite)
    rows = load_rows(suite, (task,), data, allow_unofficial=True)[task].examples[:limit]
    template = load_templates(suite, (task,), data, None, allow_unofficial=True).texts[task]
    newline = TASKS[task].newline_stop
    for row in schedule(rows):
        prompt = build_prompt(row, template, model.tokenizer, PromptPolicy("official", budget))
        yield Request(task, prompt, cap, int(newline), newline)


def test_its_tokens_are_those_of_the_file(model, hf_tokenizer, smollm2):
    assert serving_of(model).notes == ()
    text = "In\n\n2013 it cost 12345.67 dollars. 二〇一三年 2013 ½"
    assert model.tokenizer.encode(text) == smollm2.tokenizer.encode(text)
    assert model.identity()["sha256"] == smollm2.identity()["sha256"]
    assert (model.window, model.identity()["ends"]) == (8192, [2])


@pytest.mark.parametrize("task", ["qasper", "samsum", "lcc"])
def test_demo_rows(model, hf_tokenizer, task):
    requests = list(requests_of(model, "demo", task, None, 2, 200, 12))
    expected = plain_loop(None, requests, hf_tokenizer, model._model)
    assert {c.example_id: c.text for c in model.generate(requests)} == expected


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs the sample rows in ../shared")
def test_real_rows_that_share_nothing(model, hf_tokenizer):
    requests = [next(requests_of(model, "longbench", task, SAMPLES, 1, 250, 6)) for task in list(TASKS)[:4]]
    expected = plain_loop(None, requests, hf_tokenizer, model._model)
    found = list(model.generate(requests))
    assert {c.example_id: c.text for c in found} == expected


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the rows in ../shared")
def test_real_rows_over_one_context(model):
    """In multifieldqa_zh contexts are shared, and the template puts them before the question."""
    everything = list(requests_of(model, "longbench", "multifieldqa_zh", SAMPLES.parent, 60, 600, 4))
    sharing = [two for two in pairwise(everything) if starts_alike(*two)][:2]
    assert sharing
    for one, other in sharing:
        first, second = model.generate([one, other])
        assert second.cached_tokens >= 100
        assert (first.error, second.error) == (None, None)
        assert first.completion_tokens == second.completion_tokens == 4


def starts_alike(one, other):
    return one.prompt.token_ids[:150] == other.prompt.token_ids[:150]
