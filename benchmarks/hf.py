"""How fast and how alike `hf:` answers: a plain `model.generate` loop and ours over the same rows, in one process.

    python benchmarks/hf.py [--model NAME] [--data DIR] [--rows 30] [--contexts 6] [--threads 1]

Rows are multifieldqa_zh's, passage_retrieval_zh's and multi_news's. Sides take turns row group by row group, and CPU
seconds are counted, on one thread by default, so that other load on the machine matters little. Exits 1 if a row
without reuse differs.
"""

# ruff: noqa: D102, D103
from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from longbench_eval import RunSettings, run
from longbench_eval.dataset import load_rows, load_templates
from longbench_eval.generate import schedule
from longbench_eval.models import ModelOptions, open_model
from longbench_eval.models.hf.options import TransformersOptions
from longbench_eval.prompts import PromptPolicy, build_prompt
from longbench_eval.records import Completion, Example, Request
from longbench_eval.tasks import get_suite

DATA = Path(__file__).resolve().parents[2] / "shared" / "longbench"
TASKS = ("multifieldqa_zh", "passage_retrieval_zh", "multi_news")
SUITE = get_suite("longbench")


class Side(NamedTuple):
    """What one way of asking gave, and its CPU seconds."""

    texts: list[str]
    seconds: float


class Rows:
    """Real rows as requests."""

    def __init__(self, data: Path, tokenizer: Any) -> None:
        loaded = load_rows(SUITE, TASKS, data, allow_unofficial=True)
        self.examples = {task: loaded[task].examples for task in TASKS}
        self._templates = load_templates(SUITE, TASKS, data, None, allow_unofficial=True).texts
        self._tokenizer = tokenizer

    def requests(self, examples: Iterable[Example], budget: int, cap: int) -> list[Request]:
        policy = PromptPolicy("official", budget)
        return [
            Request(row.task, build_prompt(row, self._templates[row.task], self._tokenizer, policy), cap)
            for row in examples
        ]

    def some_of_each(self, n: int) -> list[Example]:
        return [row for task in TASKS for row in self.examples[task][: n // len(TASKS)]]

    def as_they_are(self, contexts: int) -> list[list[Example]]:
        """Rows of multifieldqa_zh that share a context, as in the benchmark."""
        groups: dict[str, list[Example]] = {}
        for row in schedule(self.examples["multifieldqa_zh"]):
            groups.setdefault(row.context, []).append(row)
        return [group for group in groups.values() if len(group) > 1][:contexts]

    def four_questions(self, contexts: int, chars: int) -> list[list[Example]]:
        """Contexts cut to fit, each with the questions of four rows: what qasper and narrativeqa look like."""
        rows = self.examples["multifieldqa_zh"]
        return [
            [replace(rows[4 * c + q], id=f"{c}/{q}", context=rows[4 * c].context[:chars]) for q in range(4)]
            for c in range(contexts)
        ]


def plain(model: Any, requests: Sequence[Request]) -> Side:
    """The loop everyone writes."""
    import torch

    texts, began, inner = [], process_time(), model._model
    for request in requests:
        ids = torch.tensor([request.prompt.token_ids], device=inner.device)
        ends = list(model._decoder.ends)
        with torch.inference_mode():
            answer = inner.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=request.max_new_tokens,
                do_sample=False,
                num_beams=1,
                eos_token_id=ends,
                pad_token_id=ends[0],
            )
        texts.append(model.tokenizer.decode(answer[0, ids.shape[1] :].tolist()))
    return Side(texts, process_time() - began)


def ours(model: Any, requests: Sequence[Request]) -> Side:
    began = process_time()
    found: dict[str, Completion] = {c.example_id: c for c in model.generate(iter(requests))}
    return Side([found[request.example_id].text for request in requests], process_time() - began)


def compare(title: str, model: Any, groups: Sequence[Sequence[Request]]) -> int:
    """Ask both in turn, print one line, and return how many answers differ."""
    spent, differ, rows = [0.0, 0.0], 0, 0
    for turn, group in enumerate(groups):
        sides = [plain, ours] if turn % 2 == 0 else [ours, plain]
        results = {side: side(model, group) for side in sides}
        spent[0] += results[plain].seconds
        spent[1] += results[ours].seconds
        differ += sum(a != b for a, b in zip(results[plain].texts, results[ours].texts, strict=True))
        rows += len(group)
    tokens = sum(request.prompt.tokens or 0 for group in groups for request in group) // max(1, rows)
    print(
        f"{title}: {rows} rows of {tokens} tokens, loop {spent[0]:.1f} s, ours {spent[1]:.1f} s, "
        f"ratio {spent[0] / spent[1]:.2f}, {differ} answers differ",
        flush=True,
    )
    return differ


def outside(model: Any, data: Path, limit: int) -> float:
    """The share of a whole run's CPU time that is spent outside the model's `generate`; closes the model."""
    inside, generate = 0.0, model._model.generate

    def timed(*words: Any, **named: Any) -> Any:
        nonlocal inside
        began = process_time()
        try:
            return generate(*words, **named)
        finally:
            inside += process_time() - began

    model._model.generate = timed
    with tempfile.TemporaryDirectory() as folder:
        settings = RunSettings(
            tasks=("multifieldqa_zh", "passage_retrieval_zh"),
            limit=limit,
            data=data,
            allow_unofficial=True,
            max_input_tokens=1000,
            out=Path(folder) / "run",
        )
        began = process_time()
        run(model, settings)
        return 1 - inside / (process_time() - began)


def main() -> int:
    words = argparse.ArgumentParser()
    words.add_argument("--model", default="smollm2")
    words.add_argument("--data", type=Path, default=DATA)
    words.add_argument("--rows", type=int, default=30)
    words.add_argument("--contexts", type=int, default=6)
    words.add_argument("--threads", type=int, default=1)
    chosen = words.parse_args()
    import torch

    torch.set_num_threads(chosen.threads)
    here = TransformersOptions(device="cpu")
    with closing(open_model(f"hf:{chosen.model}", ModelOptions(deterministic=True, transformers=here))) as model:
        rows = Rows(chosen.data, model.tokenizer)
        requests = rows.requests(rows.some_of_each(chosen.rows), 500, 24)
        differ = compare("nothing shared, --deterministic", model, [[request] for request in requests])
    model = open_model(f"hf:{chosen.model}", ModelOptions(transformers=here))
    compare("nothing shared", model, [[request] for request in requests[: chosen.rows // 3]])
    four = [rows.requests(group, 4000, 32) for group in rows.four_questions(chosen.contexts, 900)]
    compare("four questions a context", model, four)
    pairs = [rows.requests(group, 2000, 32) for group in rows.as_they_are(chosen.contexts)]
    compare("multifieldqa_zh's own pairs, cut in the middle", model, pairs)
    print(f"a whole run: {100 * outside(model, chosen.data, 5):.2f} % of the time outside the model")
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
