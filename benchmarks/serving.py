"""What grouping rows by their shared context gains on one llama.cpp server, and what the harness itself costs.

    python benchmarks/serving.py [--data DIR] [--groups 4] [--plain 6]

Real rows of multifieldqa_zh on the embedded gemma3-270m: some groups of three rows that share a context, then rows that
share none. The bare loop sends prompts that are ready beforehand, in the order of the file, one at a time. Both sides
talk to a server that was just started. Answers that differ from the bare loop's are counted.
"""

# ruff: noqa: D103
from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter

from longbench_eval import PromptPolicy, RunSettings, build_prompt, load_examples, open_model, run
from longbench_eval.dataset import load_templates
from longbench_eval.hardware import usable_cpus
from longbench_eval.models.base import ModelOptions, ServerOptions
from longbench_eval.models.fetch import fetch_model
from longbench_eval.models.llama_cpp import GREEDY
from longbench_eval.models.loopback import Loopback
from longbench_eval.predictions import read_predictions
from longbench_eval.tasks import get_suite

TASK, ALIAS, CONTEXT_TOKENS = "multifieldqa_zh", "gemma3-270m", 16384
SHARED = Path(__file__).resolve().parents[2] / "shared" / "longbench"


@contextmanager
def server(cache_mib):
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel = str(fetch_model(ALIAS)), CONTEXT_TOKENS, 1
    params.port, params.verbosity, params.warmup, params.cache_ram_mib = 0, 0, True, cache_mib
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = usable_cpus()
    running = xllamacpp.Server(params)
    yield running.listening_address
    del running


def options(address):
    return ServerOptions(base_url=address)


def bare_loop(address, prompts, cap, reuse=True):
    """Answers by id and seconds."""
    with closing(Loopback(address)) as http:
        began = perf_counter()
        answers = {}
        for prompt in prompts:
            body = {**GREEDY, "prompt": list(prompt.token_ids), "n_predict": cap, "cache_prompt": reuse}
            answers[prompt.example_id] = http.post("/completion", body).body["content"]
        return answers, perf_counter() - began


def ours(address, rows, folder, **more):
    """The same rows through a whole run."""
    data = folder / "data"
    data.mkdir(parents=True)
    with (data / f"{TASK}.jsonl").open("w", encoding="utf-8") as file:
        for row in rows:
            fields = {"input": row.input, "context": row.context, "answers": row.answers, "length": row.length}
            file.write(json.dumps({**fields, "_id": row.id}, ensure_ascii=False) + "\n")
    settings = RunSettings(
        tasks=(TASK,),
        data=folder,
        templates=templates_path(),
        allow_unofficial=True,
        out=folder / "run",
        max_input_tokens=CONTEXT_TOKENS - 1024,
        chat="never",
        server=options(address),
        **more,
    )
    began = perf_counter()
    run(f"openai:{ALIAS}", settings)
    seconds = perf_counter() - began
    return {row.id: row.pred for row in read_predictions(folder / "run" / "predictions" / f"{TASK}.jsonl")}, seconds


def templates_path():
    return SHARED / "config" / "dataset2prompt.json"


def choose(rows, groups):
    """Rows of contexts that three or more share, in file order, and rows that share none."""
    by_context = defaultdict(list)
    for row in rows:
        by_context[row.context].append(row)
    shared = [group[:3] for group in by_context.values() if len(group) >= 3][:groups]
    wanted = {row.id for group in shared for row in group}
    alone = sorted((group[0] for group in by_context.values() if len(group) == 1), key=lambda row: len(row.context))
    return [row for row in rows if row.id in wanted], alone


def ready(rows):
    suite = get_suite("longbench")
    template = load_templates(suite, (TASK,), None, templates_path(), allow_unofficial=False).texts[TASK]
    with server(0) as address:
        opened = ModelOptions(max_input_tokens=CONTEXT_TOKENS - 1024, server=options(address))
        with closing(open_model(f"openai:{ALIAS}", opened)) as model:
            policy = PromptPolicy("never", CONTEXT_TOKENS - 1024)
            return [build_prompt(row, template, model.tokenizer, policy) for row in rows]


def changed(answers, others):
    # Of a character that the cap cut in two, one endpoint sends the half and the other does not.
    return sum(answers[id_].rstrip("\ufffd") != others[id_].rstrip("\ufffd") for id_ in answers)


def measure(name, rows, cache_mib, base, **more):
    with tempfile.TemporaryDirectory() as folder, server(cache_mib) as address:
        answers, seconds = ours(address, rows, Path(folder), **more)
    print(
        f"{name:44}{seconds:8.1f} s {base[1] / seconds:7.2f}x   {changed(base[0], answers)} answers differ", flush=True
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED / "data")
    parser.add_argument("--groups", type=int, default=4)
    parser.add_argument("--plain", type=int, default=6, help="rows that share nothing")
    given = parser.parse_args()
    cap = get_suite("longbench").cap(TASK)
    rows = load_examples(TASK, data=given.data.parent if given.data.name == "data" else given.data)
    shared, alone = choose(rows, given.groups)
    for cache_mib in (0, 8192):
        store = "with the server's store" if cache_mib else "without the server's store"
        prompts = ready(shared)
        with server(cache_mib) as address:
            base = bare_loop(address, prompts, cap)
        print(f"{f'bare loop, {len(shared)} rows, {store}':44}{base[1]:8.1f} s", flush=True)
        measure(f"a run, {store}", shared, cache_mib, base)
    alone = alone[: given.plain]
    prompts = ready(alone)
    with server(0) as address:
        base = bare_loop(address, prompts, cap)
    print(f"{f'bare loop, {len(alone)} rows that share nothing':44}{base[1]:8.1f} s", flush=True)
    measure("a run, rows that share nothing", alone, 0, base)


if __name__ == "__main__":
    sys.exit(main())
