"""How much memory a run over all 4,750 rows of LongBench takes, and whether it grows.

    python benchmarks/memory.py [--data DIR] [--samples DIR] [--tokenizer FILE]

Of the tasks whose file is not in `--data`, a stand-in of the official size is written: the rows of `--samples` again
and again, each with a number before it that makes it another row. A function answers every prompt with its first word,
so that nothing but the harness takes memory. `--tokenizer` names a tokenizer.json, by which prompts are cut at
M = 3,500; without one they go as they are. The peak up to then is printed after every task.
"""

# ruff: noqa: D102, D103
from __future__ import annotations

import argparse
import json
import resource
import tempfile
from itertools import cycle
from pathlib import Path
from time import perf_counter

from longbench_eval import RunSettings, run
from longbench_eval.dataset.official import official_files
from longbench_eval.generate.progress import Progress
from longbench_eval.tasks import LONGBENCH

SHARED = Path(__file__).resolve().parents[2] / "shared" / "longbench"


def peak():
    """In MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def stand_in(samples, task, file):
    """Write as many rows as the official file has, about as long; return its size in bytes."""
    rows = [json.loads(line) for line in (samples / f"{task}.jsonl").read_text("utf-8").splitlines()]
    count, mean = LONGBENCH.counts[task], official_files()[task].size // LONGBENCH.counts[task]
    with file.open("w", encoding="utf-8") as stream:
        for number, row in zip(range(count), cycle(rows)):
            text = f"{number} " + row["context"] * (1 + mean // max(1, len(row["context"].encode())))
            context = text.encode()[:mean].decode(errors="ignore")
            line = json.dumps({**row, "context": context, "_id": f"{task}-{number}"}, ensure_ascii=False)
            stream.write(line + "\n")
    return file.stat().st_size


class Watch(Progress):
    """Prints the peak after the last row of each task."""

    def __init__(self):
        self.left = dict(LONGBENCH.counts)

    def row(self, task, completion):
        self.left[task] -= 1
        if not self.left[task]:
            print(f"{task:22}{LONGBENCH.counts[task]:5} rows, peak {peak():5.0f} MiB", flush=True)


def load_tokenizer(file):
    if file is None:
        return None
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED / "data")
    parser.add_argument("--samples", type=Path, default=SHARED / "samples")
    parser.add_argument("--tokenizer", type=Path)
    given = parser.parse_args()
    tokenizer = load_tokenizer(given.tokenizer)
    with tempfile.TemporaryDirectory() as place:
        data, size = Path(place) / "data", 0
        data.mkdir()
        for task in LONGBENCH.tasks:
            original, copy = given.data / f"{task}.jsonl", data / f"{task}.jsonl"
            there = original.is_file()
            size += copy.write_bytes(original.read_bytes()) if there else stand_in(given.samples, task, copy)
        print(f"{size / 2**20:.0f} MiB of rows; before the run {peak():.0f} MiB", flush=True)
        settings = RunSettings(
            data=data,
            templates=SHARED / "config" / "dataset2prompt.json",
            allow_unofficial=True,
            max_input_tokens=3500 if tokenizer else None,
            out=Path(place) / "run",
        )
        began = perf_counter()
        run(lambda request: request.prompt.text.split(None, 1)[0], settings, tokenizer=tokenizer, progress=Watch())
        print(f"{perf_counter() - began:.0f} s, scores included; peak {peak():.0f} MiB")


if __name__ == "__main__":
    main()
