"""How fast prompts are made: rendered, tokenized, cut in the middle, put into the chat template, tokenized again.

    python benchmarks/preparing.py [--data DIR] [--rows N] [--max-input-tokens M]

The one-by-one way calls the tokenizer of transformers as pred.py of the reference does: the whole prompt, two decoded
halves, the final text. A run does so in two threads. Both have the same tokenizer (SmolLM2's), take
turns over the same rows, and must give the same ids. It needs the `hf` extra; without `--data`, the three original
files of `../shared` are taken. CPU and wall seconds are counted; the peak memory is printed after each file.
"""

# ruff: noqa: D103
from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path
from time import perf_counter, process_time

from longbench_eval import PromptPolicy, load_examples
from longbench_eval.dataset import load_templates
from longbench_eval.models.fetch import fetch_model
from longbench_eval.prompts import HFTokenizer, stream_prompts
from longbench_eval.tasks import get_suite, get_task

SHARED = Path(__file__).resolve().parents[2] / "shared" / "longbench"
TASKS = ("multifieldqa_zh", "multi_news", "passage_retrieval_zh")


def load_tokenizer():
    from transformers import AutoTokenizer

    file = fetch_model("smollm2")
    return AutoTokenizer.from_pretrained(str(file.parent), gguf_file=file.name)


def one_by_one(rows, template, tokenizer, budget, chat):
    """The reference's way, in its order of calls."""
    for row in rows:
        prompt = template.format(context=row.context, input=row.input)
        ids = tokenizer(prompt, truncation=False, return_tensors="pt").input_ids[0]
        if len(ids) > budget:
            half = int(budget / 2)
            prompt = tokenizer.decode(ids[:half], skip_special_tokens=True) + tokenizer.decode(
                ids[-half:], skip_special_tokens=True
            )
        if chat:
            messages = [{"role": "user", "content": prompt}]
            prompt = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        yield tokenizer(prompt, truncation=False, return_tensors="pt").input_ids[0]


def together(rows, template, tokenizer, budget, chat):
    policy = PromptPolicy("always" if chat else "never", budget)
    for prompt in stream_prompts(rows, template, tokenizer, policy):
        yield list(prompt.token_ids)


def timed(work):
    began, cpu = perf_counter(), process_time()
    made = list(work)
    return made, perf_counter() - began, process_time() - cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--rows", type=int, help="of each file; all by default")
    parser.add_argument("--max-input-tokens", type=int, default=3500)
    given = parser.parse_args()
    suite, tokenizer = get_suite("longbench"), load_tokenizer()
    ours = HFTokenizer(tokenizer)
    templates = load_templates(suite, TASKS, given.data, None, allow_unofficial=False).texts
    theirs_all = ours_all = 0.0
    for task in TASKS:
        rows = load_examples(task, data=given.data)[: given.rows]
        inputs = rows, templates[task]
        rest = given.max_input_tokens, get_task(task).chat
        expected, theirs, their_cpu = timed(one_by_one(*inputs, tokenizer, *rest))
        made, mine, my_cpu = timed(together(*inputs, ours, *rest))
        if made != [ids.tolist() for ids in expected]:
            sys.exit(f"{task}: the ids differ")
        theirs_all, ours_all = theirs_all + theirs, ours_all + mine
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{task:22}{len(rows):5} rows {theirs:8.2f} s ({their_cpu:.2f} CPU) {mine:8.2f} s ({my_cpu:.2f} CPU)"
            f" {theirs / mine:6.2f}x, peak memory {peak:.0f} MiB",
            flush=True,
        )
    print(f"{'all':33}{theirs_all:8.2f} s {ours_all:18.2f} s {theirs_all / ours_all:17.2f}x, ids equal")


if __name__ == "__main__":
    main()
