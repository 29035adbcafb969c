"""A folder with everything that a viewer may meet: runs, cut prompts, predictions of other tools, hostile texts."""

import json
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from longbench_eval import RunSettings, run
from samples import TASKS_USED, answer_by_hash, write_sample_data
from toys import ToyTokenizer

HOSTILE_NAME = '<b>bold</b> & 100% "it\'s" наш'
SCRIPT = "<script>window.owned = 1</script><img src=x onerror='window.owned = 2'>"
HOSTILE_TEXTS = {
    "script": SCRIPT,
    "cdata": "a ]]> b </script> <!-- c --> </textarea>",
    "right to left": "abc\u202egnp.exe\u2066 עברית \u200f end",
    "control": "nul \x00 bell \x07 escape \x1b[31m delete \x7f",
    "surrogate": "half \ud83d of a pair",
    "megabyte": "word " * 210_000,
    "one word": "x" * 300_000,
    "lines": "\n" * 5000 + "after many lines\u2028and a separator",
    "empty": "",
}


@dataclass(frozen=True)
class Folder:
    """Where things lie."""

    runs: Path
    data: Path


def build(root: Path, n: int = 12) -> Folder:
    """Two runs of one model with different cuts, a folder of plain predictions below, and the data behind them."""
    data = write_sample_data(root / "data", n=n)
    folder = Folder(root / "runs", data)
    for name, budget, model in (("cut", 64, answer_by_hash), ("whole", 500, right_now_and_then)):
        settings = RunSettings(
            tasks=TASKS_USED, data=data, allow_unofficial=True, max_input_tokens=budget, out=folder.runs / name
        )
        run(model, settings, tokenizer=ToyTokenizer())
    for task in TASKS_USED:
        lines = (folder.runs / "whole" / "predictions" / f"{task}.jsonl").read_text("utf-8").splitlines()
        write_plain(folder.runs / "pred" / "other tool" / f"{task}.jsonl", map(json.loads, lines))
    return folder


def right_now_and_then(request) -> str:
    """The right answer to rows 0, 2, 4; to others a wrong one."""
    number = int(request.prompt.text.rpartition("question ")[2].split()[0])
    return f" answer {number}" if number % 2 == 0 else f"not {number}, I think"


def write_plain(path: Path, rows) -> None:
    """Predictions as the official code writes them: four keys, no ids."""
    path.parent.mkdir(parents=True, exist_ok=True)
    keys = ("pred", "answers", "all_classes", "length")
    path.write_text("".join(json.dumps({key: row[key] for key in keys}) + "\n" for row in rows), "utf-8")


def write_hostile(folder: Folder) -> Path:
    """A run whose every text tries something, its name included."""
    run_directory = folder.runs / HOSTILE_NAME
    shutil.copytree(folder.runs / "whole", run_directory)
    manifest = json.loads((run_directory / "run.json").read_text("utf-8"))
    manifest["evidence"]["model"]["name"] = SCRIPT
    manifest["warnings"] = [SCRIPT]
    (run_directory / "run.json").write_text(json.dumps(manifest), "utf-8")
    (run_directory / "summary.json").unlink()
    lines = [
        json.dumps({"pred": text, "answers": [f"answer {SCRIPT}", text], "all_classes": None, "length": i} | EXTRA)
        for i, text in enumerate(HOSTILE_TEXTS.values())
    ]
    broken = '{"pred": "a \x00 b"}'  # a control character that JSON does not allow
    (run_directory / "predictions" / "qasper.jsonl").write_text("\n".join([*lines, broken]) + "\n", "utf-8")
    return run_directory


EXTRA = {
    "_id": "<i>id</i>",
    "latency": float("nan"),
    "error": None,
    "__proto__": {"polluted": True},
    "truncation": {"start": -5, "end": "x", "tokens_before": 1e400, "tokens_after": None},
    "finish_reason": SCRIPT,
    "big": "y" * 50_000,
}


@contextmanager
def viewing(*words):
    """The command in a process of its own, and the address it prints."""
    command = [sys.executable, "-m", "longbench_eval", "view", "--no-open", *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        yield re.search(r"http://\S+", line)[0], process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == (0, "")
