"""A run over a model of transformers, as people wrap their own."""

import json

import pytest

from longbench_eval import CallableModel, RunSettings, run

# transformers first: without it nothing may import torch, which this folder, on the path, would stand in for.
pytest.importorskip("transformers")
torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def model(hf_model, hf_tokenizer):
    def generate(request):
        """Greedy; samsum's rule in transformers' own words."""
        ends = [hf_tokenizer.eos_token_id]
        if request.stop_at_newline:
            ends.append(hf_tokenizer.encode("\n", add_special_tokens=False)[-1])
        ids = torch.tensor([request.prompt.token_ids])
        answer = hf_model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=request.max_new_tokens,
            min_new_tokens=request.min_new_tokens,
            do_sample=False,
            eos_token_id=ends,
        )
        return hf_tokenizer.decode(answer[0, ids.shape[1] :], skip_special_tokens=True)

    return CallableModel(generate, hf_tokenizer, window=8192, name="smollm2-transformers", newline_stop="token")


def evaluate(model, out):
    tasks = ("qasper", "samsum")
    result = run(model, RunSettings(suite="demo", tasks=tasks, limit=1, max_input_tokens=150, out=out))
    return result, {task: (out / "predictions" / f"{task}.jsonl").read_bytes() for task in tasks}


def test_two_demo_rows_twice_the_same(model, tmp_path):
    result, first = evaluate(model, tmp_path / "first")
    assert result.summary.failed == 0
    for lines in first.values():
        [row] = map(json.loads, lines.splitlines())
        assert row["pred"].strip()
        assert row["prompt_tokens"] <= 150 + 40
    assert "|stop:token|" in str(result.summary.signature)
    assert evaluate(model, tmp_path / "second")[1] == first
