"""How fast and how alike scoring is: the official functions and ours over the same predictions.

    python benchmarks/scoring.py [RUN ...]        both, in process and as whole cold commands
    python benchmarks/scoring.py --stream 1000000 [RUN ...]   memory while that many rows pass

A RUN is a folder with `predictions/TASK.jsonl`; without any, three of `../shared/oracle` are taken. Each side runs in a
process of its own with nothing cached, and CPU seconds are counted, so that other load on the machine matters little.
Exits 1 if a row differs.
"""

# ruff: noqa: D102, D103
from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from time import process_time

HERE = Path(__file__).resolve().parent
ORACLE = HERE.parents[1] / "shared" / "oracle"
DEFAULT_RUNS = [ORACLE / name for name in ("llama3-8b-instruct", "qwen3-8b", "llama3.1-8b-fused")]
GROUPS = ("ROUGE-L", "Chinese segmentation", "F1", "code", "other", "total")
GROUP_OF = {"rouge": "ROUGE-L", "rouge_zh": "ROUGE-L", "qa_f1": "F1", "qa_f1_zh": "F1", "code_sim": "code"}


class Stopwatch:
    """Adds up the CPU time spent in some functions."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, function: Callable[[str], object]) -> Callable[[str], object]:
        def timed(text: str) -> object:
            start = process_time()
            try:
                return function(text)
            finally:
                self.seconds += process_time() - start

        return timed


def measure_official(runs: list[Path]) -> dict[str, object]:
    import official_way

    segmentation = Stopwatch()
    official_way.cut = segmentation.around(official_way.cut)
    files = [(run, task, official_way.read_rows(file)) for run in runs for task, file in files_of(run)]
    return measure(files, official_way.score_task, segmentation)


def measure_ours(runs: list[Path]) -> dict[str, object]:
    from longbench_eval.predictions import read_predictions
    from longbench_eval.scoring import score_rows

    segmentation = Stopwatch()
    for user in ("rouge", "f1"):
        module = sys.modules[f"longbench_eval.metrics.{user}"]
        module.spaced = segmentation.around(module.spaced)
    files = [(run, task, read_predictions(file)) for run in runs for task, file in files_of(run)]
    return measure(files, lambda task, rows: [score.value for score in score_rows(task, rows)], segmentation)


def measure(files: list, score: Callable, segmentation: Stopwatch) -> dict[str, object]:
    from longbench_eval.tasks import TASKS

    seconds: Counter[str] = Counter()
    rows = {}
    for run, task, predictions in files:
        before, start = segmentation.seconds, process_time()
        rows[f"{run.name}/{task}"] = score(task, predictions)
        spent, cutting = process_time() - start, segmentation.seconds - before
        seconds[GROUP_OF.get(TASKS[task].metric, "other")] += spent - cutting
        seconds["Chinese segmentation"] += cutting
        seconds["total"] += spent
    return {"seconds": seconds, "rows": rows}


def files_of(run: Path) -> Iterator[tuple[str, Path]]:
    for file in sorted((run / "predictions").glob("*.jsonl")):
        yield file.stem, file


def command(arguments: list[str | Path]) -> tuple[str, float, float]:
    """Run Python with these arguments: its output, CPU seconds and peak memory in MiB. No jieba cache is at hand."""
    with tempfile.TemporaryDirectory() as empty:
        environment = os.environ | {"TMPDIR": empty}
        process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True, env=environment)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{arguments} failed")
    return output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(runs: list[Path]) -> bool:
    """Print the table; whether all rows are equal."""
    sides = ("official", "ours")
    in_process = [json.loads(command([__file__, "--side", side, *runs])[0]) for side in sides]
    print(f"{'CPU seconds':24}{'official':>10}{'ours':>10}{'ratio':>8}")
    for group in GROUPS:
        print_line(group, *(side["seconds"].get(group, 0.0) for side in in_process))
    official, ours = (side["rows"] for side in in_process)
    differing = sum(a != b for name in official for a, b in zip(official[name], ours[name], strict=True))
    commands = {
        "official": [[HERE / "official_way.py", run / "predictions"] for run in runs],
        "ours": [["-m", "longbench_eval", "score", run / "predictions", "--json"] for run in runs],
    }
    cold = {side: [command(arguments) for arguments in commands[side]] for side in sides}
    for run, theirs, mine in zip(runs, cold["official"], cold["ours"], strict=True):
        print_line(f"cold: {run.name}", theirs[1], mine[1])
    print_line("cold: all", *(sum(seconds for _, seconds, _ in cold[side]) for side in sides))
    print(f"peak memory of our commands: {max(peak for *_, peak in cold['ours']):.0f} MiB")
    print(f"{sum(map(len, official.values()))} rows in {len(official)} files, {differing} differ")
    return not differing


def print_line(name: str, official: float, ours: float) -> None:
    print(f"{name:24}{official:10.2f}{ours:10.3f}{official / ours:8.1f}" if ours else f"{name:24}")


def stream(runs: list[Path], n: int) -> None:
    """Score `n` rows, no two predictions of which are equal, and tell the memory along the way."""
    from longbench_eval.predictions import read_predictions
    from longbench_eval.scoring import score_row

    rows = [(task, row) for run in runs for task, file in files_of(run) for row in read_predictions(file)]
    endless = ((task, f"{row.pred} {lap}", row) for lap in count() for task, row in rows)
    for number, (task, prediction, row) in enumerate(islice(endless, n), 1):
        score_row(task, prediction, row.answers, row.all_classes)
        if number % (n // 10) == 0:
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{number:9} rows, {process_time():6.1f} s of CPU, peak memory {peak:.0f} MiB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", type=Path, metavar="RUN", default=DEFAULT_RUNS)
    parser.add_argument("--stream", type=int, metavar="N", help="score N rows in a stream")
    parser.add_argument("--side", choices=("official", "ours"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.stream:
        stream(given.runs, given.stream)
    elif given.side:
        json.dump({"official": measure_official, "ours": measure_ours}[given.side](given.runs), sys.stdout)
    else:
        sys.exit(not compare(given.runs))


if __name__ == "__main__":
    main()
