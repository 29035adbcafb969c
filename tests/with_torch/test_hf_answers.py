"""What an hf: model answers: the same as a plain `generate` loop, however rows are batched and prefixes shared."""

import random

import pytest

from longbench_eval.models import ModelOptions, open_model
from longbench_eval.models.hf.options import TransformersOptions
from toys import request

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.torch

from tiny_models import plain_loop, save_tiny  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def opened(folder):
    """Open the tiny model with these options; closed after the test."""
    models = []

    def open_(place=folder, **options):
        deterministic = options.pop("deterministic", False)
        wanted = TransformersOptions(**{"device": "cpu", **options})
        models.append(open_model(f"hf:{place}", ModelOptions(deterministic=deterministic, transformers=wanted)))
        return models[-1]

    yield open_
    for model in models:
        model.close()


def rows_of_all_lengths(n=12, cap=9, **rest):
    dice = random.Random(11)
    return [
        request("", f"r{i}", [dice.randrange(256) for _ in range(dice.randint(1, 150))], cap=cap, **rest)
        for i in range(n)
    ]


def rows_over_contexts(contexts=3, questions=5, cap=9):
    dice = random.Random(13)
    rows = []
    for c in range(contexts):
        context = [dice.randrange(256) for _ in range(100 + 40 * c)]
        for q in range(questions):
            ids = context + [dice.randrange(256) for _ in range(3 + 5 * ((q * 2) % 5))]
            rows.append(request("", f"c{c}q{q}", ids, cap=cap))
    return rows


def texts(completions):
    found = list(completions)
    assert [c.error for c in found if c.error] == []
    assert len({c.example_id for c in found}) == len(found)
    return {c.example_id: c.text for c in found}


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("rows", [rows_of_all_lengths, rows_over_contexts])
def test_the_same_as_a_plain_loop(folder, opened, rows, size):
    expected = plain_loop(folder, rows())
    assert len(set(expected.values())) > 4
    assert texts(opened(batch_size=size).generate(rows())) == expected


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_attention_implementations(folder, opened, attention):
    model = opened(attention=attention, batch_size=4)
    assert model.identity()["attention"] == attention
    assert texts(model.generate(rows_over_contexts())) == plain_loop(folder, rows_over_contexts())


def test_one_by_one_nothing_is_taken_ahead_and_order_is_kept(opened):
    taken = []

    def hand_out():
        for row in rows_of_all_lengths(4):
            taken.append(row.example_id)
            yield row

    for n, completion in enumerate(opened().generate(hand_out()), 1):
        assert taken == [f"r{i}" for i in range(n)]
        assert completion.example_id == taken[-1]


CACHED = [
    # batch size, questions, prompt tokens that each row of one context of 100 tokens did not compute
    (1, 3, [0, 100, 100]),
    (4, 3, [0, 100, 100]),
    (2, 4, [0, 100, 100, 100]),
]


@pytest.mark.parametrize(("size", "questions", "expected"), CACHED)
def test_a_context_is_computed_once(opened, size, questions, expected):
    rows = rows_over_contexts(1, questions)
    found = list(opened(batch_size=size).generate(rows))
    assert [c.cached_tokens for c in found] == expected
    assert all(
        c.prompt_tokens == len(row.prompt.token_ids) for c, row in zip(sorted(found, key=name), rows, strict=True)
    )


def name(completion):
    return completion.example_id


def test_a_cache_goes_on_into_the_next_batch_and_task(opened):
    rows = rows_over_contexts(1, 4)
    model = opened()
    assert [c.cached_tokens for c in [*model.generate(rows[:2]), *model.generate(rows[2:])]] == [0, 100, 100, 100]


def test_the_very_same_prompt_again(opened, folder):
    rows = rows_over_contexts(1, 1)
    model = opened()
    [first], [again] = list(model.generate(rows)), list(model.generate(rows))
    assert again.cached_tokens == len(rows[0].prompt.token_ids) - 1
    assert first.text == again.text == plain_loop(folder, rows)["c0q0"]


def test_deterministic_means_one_by_one_without_reuse(folder, opened):
    model = opened(deterministic=True, batch_size=4)
    assert (model.prefix_reuse, model.identity()["batch"]) == ("off", "one")
    found = list(model.generate(rows_over_contexts()))
    assert {c.cached_tokens for c in found} == {0}
    assert texts(found) == plain_loop(folder, rows_over_contexts())


@pytest.mark.parametrize("size", [1, 3])
def test_samsum_as_pred_py_asks_it(folder, opened, size):
    """Newlines are made likely; the first may not be one, and one later ends the answer and stays in the text."""
    model = opened(batch_size=size)
    twin = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    newline = model.tokenizer.newline_id
    for one in (model._model, twin):
        head = one.get_output_embeddings()
        head.bias = torch.nn.Parameter(torch.zeros(head.out_features))
        head.bias.data[newline] = 6.0
    rows = rows_of_all_lengths(9, cap=12, task="samsum", min_new_tokens=1, stop_at_newline=True)
    found = list(model.generate(rows))
    assert texts(found) == plain_loop(folder, rows, model=twin)
    stopped = [c for c in found if c.finish_reason == "newline"]
    assert len(stopped) > 3
    assert all(c.text.endswith("\n") and not c.text.startswith("\n") for c in stopped)
    assert all(c.completion_tokens >= 2 for c in stopped)


def test_how_an_answer_ended(opened):
    """The end of turn comes from the chat template: nothing else in this checkpoint names it."""
    model = opened()
    assert model.identity()["ends"] == [257, 259]
    head = model._model.get_output_embeddings()
    head.bias = torch.nn.Parameter(torch.zeros(head.out_features))
    [long] = model.generate(rows_of_all_lengths(1, cap=5))
    assert (long.finish_reason, long.completion_tokens) == ("length", 5)
    head.bias.data[259] = 1e4
    [ended] = model.generate(rows_of_all_lengths(1, cap=5))
    assert (ended.finish_reason, ended.completion_tokens, ended.text) == ("stop", 1, "")


TRAPS = {
    "do_sample": True,
    "temperature": 0.2,
    "top_k": 3,
    "top_p": 0.4,
    "repetition_penalty": 2.5,
    "no_repeat_ngram_size": 1,
    "num_beams": 3,
    "length_penalty": 2.0,
    "max_length": 5,
    "min_length": 3,
    "min_new_tokens": 8,
    "max_new_tokens": 2,
    "bad_words_ids": [[i] for i in range(100)],
    "suppress_tokens": list(range(100, 200)),
    "begin_suppress_tokens": list(range(200, 256)),
    "forced_bos_token_id": 7,
    "forced_eos_token_id": 8,
    "num_return_sequences": 2,
    "use_cache": False,
    "output_scores": True,
}


def test_a_checkpoints_generation_config_decides_nothing_and_says_nothing(folder, opened, tmp_path, capfd):
    place = save_tiny(tmp_path / "trap", generation=TRAPS)
    expected = plain_loop(folder, rows_of_all_lengths())
    capfd.readouterr()
    assert texts(opened(place, batch_size=2).generate(rows_of_all_lengths())) == expected
    assert capfd.readouterr() == ("", "")


def test_an_end_of_turn_in_the_generation_config_is_kept(opened, tmp_path):
    """And what the class of the configuration takes for an end by default is none."""
    place = save_tiny(tmp_path / "ends", generation={"eos_token_id": [258]}, template=None, eos_token_id=2)
    assert opened(place).identity()["ends"] == [258, 257]


def test_nothing_is_loaded_twice_in_a_run(tmp_path, monkeypatch, folder):
    from longbench_eval import RunSettings, run
    from longbench_eval.models.hf import model as module

    loads = []
    monkeypatch.setattr(module, "load", lambda *words, load=module.load: loads.append(words) or load(*words))
    wanted = TransformersOptions(device="cpu", batch_size=3)
    settings = RunSettings(suite="demo", limit=1, max_input_tokens=200, transformers=wanted, out=tmp_path / "run")
    result = run(f"hf:{folder}", settings)
    assert len(loads) == 1
    assert (result.summary.failed, len(result.summary.tasks)) == (0, 21)


def test_a_run_broken_off_is_finished(tmp_path, folder):
    from longbench_eval import RunSettings, run

    class Broken(Exception):
        pass

    class BreaksOff:
        def __init__(self, inner):
            self.inner = inner

        def __getattr__(self, attribute):
            return getattr(self.inner, attribute)

        def generate(self, requests):
            for n, completion in enumerate(self.inner.generate(requests)):
                if n == 1:
                    raise Broken
                yield completion

    def settings(out):
        return RunSettings(suite="demo", tasks=("qasper", "samsum"), max_input_tokens=200, out=tmp_path / out)

    def evaluate(out, wrap=lambda model: model):
        options = ModelOptions(deterministic=True, transformers=TransformersOptions(device="cpu"))
        model = open_model(f"hf:{folder}", options)
        return run(wrap(model), settings(out))

    for _ in range(2):
        with pytest.raises(Broken):
            evaluate("parts", BreaksOff)
    evaluate("parts")
    evaluate("whole")
    for task in ("qasper", "samsum"):
        parts, whole = (tmp_path / out / "predictions" / f"{task}.jsonl" for out in ("parts", "whole"))
        assert parts.read_bytes() == whole.read_bytes()
