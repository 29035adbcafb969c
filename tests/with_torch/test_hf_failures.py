"""Memory that runs out, rows that fail, prompts that are too long."""

import random

import pytest

from longbench_eval.models import ModelOptions, open_model
from longbench_eval.models.hf.options import TransformersOptions
from toys import request

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.torch

from tiny_models import SIZES, plain_loop, save_tiny  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def model(folder):
    options = ModelOptions(transformers=TransformersOptions(device="cpu", batch_size=8))
    opened = open_model(f"hf:{folder}", options)
    yield opened
    opened.close()


def rows(n=20, marked=()):
    """Rows of different lengths; those of a number in `marked` hold the id 255, and no others do."""
    dice = random.Random(17)
    made = []
    for i in range(n):
        ids = [dice.randrange(255) for _ in range(dice.randint(5, 60))]
        made.append(request("", f"r{i}", [*ids, 255, 3] if i in marked else ids, cap=6))
    return made


def over_one_context(n=6):
    dice = random.Random(19)
    context = [dice.randrange(255) for _ in range(90)]
    return [request("", f"r{i}", [*context, *[dice.randrange(255) for _ in range(4 + i)]], cap=6) for i in range(n)]


def interpose(model, fails):
    """Make the model raise what `fails(input ids, cached tokens)` returns, if anything; returns the batches it saw."""
    seen, forward = [], model._model.forward

    def guarded(input_ids=None, **rest):
        cache = rest.get("cache", rest.get("past_key_values"))
        error = fails(input_ids, cache.get_seq_length() if cache is not None else 0)
        if error:
            raise error
        seen.append(input_ids.shape[0])
        return forward(input_ids=input_ids, **rest)

    # `generate` looks at the parameters of the model's own forward.
    guarded.__signature__ = __import__("inspect").signature(forward)
    model._model.forward = guarded
    return seen


MEMORY_ERRORS = [
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
    RuntimeError("[enforce fail at alloc_cpu.cpp:117] DefaultCPUAllocator: can't allocate memory: you tried to"),
    RuntimeError("MPS backend out of memory (MPS allocated: 17.05 GB)"),
    MemoryError(),
]


@pytest.mark.parametrize("error", MEMORY_ERRORS, ids=lambda error: str(error)[:20])
def test_out_of_memory_halves_the_batch_and_goes_on(folder, model, error):
    seen = interpose(model, lambda ids, _: error if ids.shape[0] > 2 else None)
    found = list(model.generate(rows()))
    assert {c.example_id: c.text for c in found} == plain_loop(folder, rows())
    assert model._runner.size == 2
    assert max(seen) == 2
    assert model.identity()["batch"] == "several"


def test_halved_memory_over_a_shared_context(folder, model):
    interpose(model, lambda ids, _: MEMORY_ERRORS[0] if ids.shape[0] > 2 else None)
    found = list(model.generate(over_one_context()))
    assert {c.example_id: c.text for c in found} == plain_loop(folder, over_one_context())
    assert sum(c.cached_tokens > 0 for c in found) >= 4


def test_a_row_that_does_not_fit_alone_fails_alone(folder, model):
    longest = max(len(row.prompt.token_ids) for row in rows())
    interpose(model, lambda ids, held: MEMORY_ERRORS[0] if ids.shape[1] + held >= longest else None)
    found = {c.example_id: c for c in model.generate(rows())}
    failed = [c for c in found.values() if c.error]
    assert [(c.error.kind, c.text) for c in failed] == [("overlong", "")]
    assert "--max-input-tokens" in failed[0].error.message
    expected = plain_loop(folder, rows())
    assert all(c.text == expected[c.example_id] for c in found.values() if not c.error)
    assert len(found) == 20


def test_the_kept_context_is_given_up_before_a_row_fails(folder, model):
    """With what is held from the row before, a row alone does not fit; without it, it does."""
    model._runner.size = 1
    interpose(model, lambda ids, held: MEMORY_ERRORS[0] if held >= 90 and ids.shape[1] > 1 else None)
    found = list(model.generate(over_one_context()))
    assert {c.example_id: c.text for c in found} == plain_loop(folder, over_one_context())
    assert {c.cached_tokens for c in found} == {0}


@pytest.mark.parametrize("marked", [(0,), (3, 4), tuple(range(0, 20, 5))])
def test_broken_rows_fail_and_no_others(folder, model, marked):
    interpose(model, lambda ids, _: ValueError("no such\ntoken") if 255 in ids[:, 1:] else None)
    found = {c.example_id: c for c in model.generate(rows(marked=marked))}
    assert {id_ for id_, c in found.items() if c.error} == {f"r{i}" for i in marked}
    assert {(c.error.kind, c.error.message) for c in found.values() if c.error} == {
        ("model", "ValueError: no such token")
    }
    expected = plain_loop(folder, rows(marked=marked))
    assert all(c.text == expected[c.example_id] for c in found.values() if not c.error)
    assert model._runner.size == 8


def test_an_empty_prompt_fails_alone(model):
    found = {c.example_id: c for c in model.generate([request("", "empty", []), *rows(3)])}
    assert [id_ for id_, c in found.items() if c.error] == ["empty"]


def test_ctrl_c_is_not_a_failed_row(model):
    interpose(model, lambda ids, _: KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        list(model.generate(rows()))


def test_learned_positions_end(tmp_path):
    config = transformers.GPT2Config(vocab_size=SIZES["vocab_size"], n_positions=40, n_embd=16, n_layer=1, n_head=2)
    folder = save_tiny(tmp_path / "gpt2", config)
    options = ModelOptions(transformers=TransformersOptions(device="cpu", batch_size=4))
    model = open_model(f"hf:{folder}", options)
    assert (model.window, model.capacity, model.prefix_reuse) == (40, 40, "on")
    short = [row for row in rows() if len(row.prompt.token_ids) + 6 <= 40]
    found = {c.example_id: c for c in model.generate(rows())}
    assert {id_ for id_, c in found.items() if not c.error} == {row.example_id for row in short}
    assert {c.error.kind for c in found.values() if c.error} == {"overlong"}
    expected = plain_loop(folder, short)
    assert {id_: c.text for id_, c in found.items() if not c.error} == expected
    model.close()
