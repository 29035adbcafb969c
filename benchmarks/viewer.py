"""How fast the viewer is, and how much memory it needs, over 50 full runs.

    python benchmarks/viewer.py [--runs 50] [--keep FOLDER]

The runs are made in a temporary folder (about 250 MB) from the 21-task predictions of `../shared/oracle`: with
manifest, ids, scores and summary, as `longbench-eval run` writes them. The server is a process of its own; times are
those of a client on the same machine. Exits 1 if a bar is missed: list 1 s, row 100 ms, memory 300 MB.
"""

# ruff: noqa: D101, D102, D103
from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import httpx2

ORACLE = Path(__file__).resolve().parents[2] / "shared" / "oracle"
SOURCES = ("llama3-8b-instruct", "qwen3-8b", "llama3.1-8b-fused")
LIST_S, ROW_S, MEMORY_MB = 1.0, 0.1, 300


def make_runs(folder: Path, n: int) -> None:
    """The sources are written once each and copied; every copy names itself."""
    for number in range(n):
        path, source = folder / f"run-{number:02}", SOURCES[number % len(SOURCES)]
        if number < len(SOURCES):
            make_run(path, ORACLE / source)
        else:
            shutil.copytree(folder / f"run-{number % len(SOURCES):02}", path)


def make_run(path: Path, source: Path) -> None:
    from longbench_eval.manifest import Manifest
    from longbench_eval.predictions import Prediction
    from longbench_eval.scoring import get_profile, summarize
    from longbench_eval.tasks import get_suite

    (path / "predictions").mkdir(parents=True)
    files = {}
    timings = []
    for file in sorted((source / "predictions").glob("*.jsonl")):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        records = [full_record(file.stem, number, row) for number, row in enumerate(rows)]
        (path / "predictions" / file.name).write_text("".join(map(line_of, records)), "utf-8")
        files[file.stem] = [
            Prediction(r["pred"], tuple(r["answers"]), r["all_classes"], r["length"], r["_id"], r) for r in records
        ]
        timings += [{"task": file.stem, "_id": record["_id"], "latency_s": 1.0} for record in records]
    (path / "timings.jsonl").write_text("".join(map(line_of, timings)), "utf-8")
    suite = get_suite("longbench")
    manifest = Manifest("longbench", {"limit": None}, {"tasks": "21"}, evidence={"model": {"name": source.name}})
    manifest = manifest.with_invocation({"started_at": "2026-01-01T00:00:00+00:00"})
    manifest.save(path)
    summary = summarize(manifest.signature, suite, files, get_profile("official"))
    scores = [
        {"task": name, "_id": id_, "score": score.value, "extracted": score.extracted}
        for name, task in summary.tasks.items()
        for id_, score in zip(task.ids, task.scores, strict=True)
    ]
    (path / "scores.jsonl").write_text("".join(map(line_of, scores)), "utf-8")
    (path / "summary.json").write_text(json.dumps(summary.to_json(counts=True)), "utf-8")


def full_record(task: str, number: int, row: dict) -> dict:
    id_ = hashlib.sha256(f"{task} {number}".encode()).hexdigest()
    cut = {"tokens_before": 9000, "tokens_after": 7500, "start": 15000, "end": 18000, "head_chars": 15000}
    more = {"prompt_sha256": id_, "prompt_tokens": 7500, "completion_tokens": 20, "truncation": cut}
    return {**row, "_id": id_[:48], **more, "finish_reason": "stop", "error": None}


def line_of(record: dict) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


@contextmanager
def server(folder: Path) -> Iterator[tuple[str, int, float]]:
    """The command: its address, process id, and seconds until it answered."""
    start = perf_counter()
    command = [sys.executable, "-m", "longbench_eval", "view", folder, "--no-open", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = re.search(r"http://\S+", process.stdout.readline())[0]
        httpx2.get(url)
        yield url, process.pid, perf_counter() - start
    finally:
        process.terminate()
        process.wait()


def peak_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024 / 1e6


class Client:
    def __init__(self, url: str) -> None:
        self._http, self._url = httpx2.Client(timeout=120), url

    def time(self, call: str, **query: object) -> tuple[float, dict]:
        start = perf_counter()
        answer = self._http.get(f"{self._url}api/{call}", params={key.rstrip("_"): v for key, v in query.items()})
        seconds = perf_counter() - start
        answer.raise_for_status()
        return seconds, answer.json()


def measure(folder: Path, n: int) -> bool:
    with server(folder) as (url, pid, started):
        client = Client(url)
        first, listed = client.time("runs")
        again, _ = client.time("runs")
        assert len(listed["runs"]) == n
        print(f"{'from the command to the first page':52}{started:8.2f} s")
        print(f"{f'list of {n} runs, the first time':52}{first * 1000:8.0f} ms")
        print(f"{'list, again':52}{again * 1000:8.0f} ms")
        print(f"{'page of a run':52}{client.time('run', run='run-01')[0] * 1000:8.0f} ms")
        cold, warm = rows_of(client)
        for name, seconds in (("a task nobody opened yet", cold), ("an opened task", warm)):
            worst, middle = max(seconds), statistics.median(seconds)
            print(
                f"{f'row of {name}: median, worst of {len(seconds)}':52}{middle * 1000:8.1f} ms{worst * 1000:8.1f} ms"
            )
        pair = {"run": "run-01", "with_": "run-02", "sort": "difference", "down": 1}
        print(f"{'two whole runs by disagreement, the first time':52}{client.time('rows', **pair)[0] * 1000:8.0f} ms")
        print(f"{'again':52}{client.time('rows', **pair)[0] * 1000:8.0f} ms")
        print(f"{'search in all 4,750 rows':52}{client.time('rows', run='run-01', q='zebra')[0] * 1000:8.0f} ms")
        others = {"run": "run-01", "task": "hotpotqa", "line": 7, "most": 50}
        print(f"{f'one row in {n} runs, the first time':52}{client.time('others', **others)[0] * 1000:8.0f} ms")
        print(f"{'peak memory so far':52}{peak_mb(pid):8.0f} MB")
        for run in listed["runs"]:
            client.time("rows", run=run["name"])
        memory = peak_mb(pid)
        print(f"{f'peak memory when every row of {n} runs was scored':52}{memory:8.0f} MB")
    return first < LIST_S and max(warm) < ROW_S and statistics.median(cold) < ROW_S and memory < MEMORY_MB


def rows_of(client: Client) -> tuple[list[float], list[float]]:
    """Seconds for a first row of each task, then for rows at random."""
    tasks = [task["task"] for task in client.time("run", run="run-00")[1]["tasks"]]
    cold = [client.time("row", run="run-00", task=task, line=1)[0] for task in tasks]
    pick = random.Random(0)
    warm = [client.time("row", run="run-00", task=pick.choice(tasks), line=pick.randint(1, 150))[0] for _ in range(300)]
    return cold, warm


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=50, metavar="N")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to make the runs, or where they are")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        if not folder.is_dir() or not any(folder.iterdir()):
            make_runs(folder, given.runs)
        sys.exit(not measure(folder, given.runs))


if __name__ == "__main__":
    main()
