"""How often the chunks that a retriever keeps still hold what answers the question.

    python benchmarks/retrieval.py [--data FOLDER] [RETRIEVER ...]

A RETRIEVER is what `--compress retrieval:` takes before its first comma; without any, bm25 and paper-bm25. Rows are
read from `../shared/longbench` unless `--data` names another folder. Counted are:

- answer: of the rows whose context holds the words of an answer, in how many the kept chunks do;
- passage: for passage_retrieval_zh, in how many rows the passage that is asked for is kept (more than half of its
  characters), and `and its number`: with the number in front of it, which is the answer.

Published bm25 ranks characters, ours words. Exits 1 if one of the others keeps less than paper-bm25 anywhere.
"""

# ruff: noqa: D103
from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

from longbench_eval.compress.kept import holds_answer
from longbench_eval.compress.retrieval import Retrieval, open_ranker
from longbench_eval.compress.spec import RetrievalSpec, parse_spec
from longbench_eval.dataset import load_rows
from longbench_eval.models.base import ServerOptions
from longbench_eval.records import Example
from longbench_eval.tasks import get_suite

SHARED = Path(__file__).resolve().parents[2] / "shared" / "longbench"
ENGLISH = ("qasper", "multifieldqa_en", "hotpotqa", "2wikimqa", "musique", "narrativeqa")
SIZES = ("chunk=200,top=7", "chunk=500,top=3", "chunk=200,top=3")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="a folder with the rows of LongBench")
    parser.add_argument("--rows", choices=("multifieldqa_zh", "passage_retrieval_zh", "English QA"), help="only these")
    parser.add_argument("retriever", nargs="*", default=["bm25", "paper-bm25"])
    options = parser.parse_args()
    print("| rows | what is kept | chunks | " + " | ".join(options.retriever) + " |")
    print("| --- | --- | --- |" + " ---: |" * len(options.retriever))
    worse = [
        line for name, rows in groups(options.data, options.rows) for line in measure(name, rows, options.retriever)
    ]
    return int(any(worse))


def groups(data: Path | None, only: str | None) -> Iterator[tuple[str, list[Example]]]:
    """Rows by name: two whole tasks, and what there is of English ones, together."""
    parts = {
        "multifieldqa_zh": (SHARED / "data", ("multifieldqa_zh",)),
        "passage_retrieval_zh": (SHARED / "data", ("passage_retrieval_zh",)),
        "English QA": (SHARED / "samples", ENGLISH),
    }
    for name, (folder, tasks) in parts.items():
        if only in (None, name):
            yield name, [row for task in tasks for row in rows_of(data or folder, task)]


def rows_of(folder: Path, task: str) -> list[Example]:
    return list(load_rows(get_suite("longbench"), (task,), folder, allow_unofficial=True)[task].examples)


def measure(name: str, rows: list[Example], retrievers: Sequence[str]) -> Iterator[bool]:
    """Print a line for each measure and size; yields whether the published variant keeps more than another."""
    for size in SIZES:
        kept = {retriever: keep(rows, f"retrieval:{retriever},{size}") for retriever in retrievers}
        for what, share in MEASURES.items():
            if what == "answer" or name == "passage_retrieval_zh":
                shares = {retriever: share(rows, contexts) for retriever, contexts in kept.items()}
                cells = [f"{name}, {counted(rows, what)}", what, size, *map("{:.1%}".format, shares.values())]
                print(f"| {' | '.join(cells)} |", flush=True)
                yield min(shares.values()) < shares.get("paper-bm25", 0.0)


def keep(rows: list[Example], text: str) -> list[str]:
    """The contexts that are left; the time goes to standard error."""
    spec = parse_spec(text)
    assert isinstance(spec, RetrievalSpec)
    began = process_time()
    retrieval = Retrieval(spec, open_ranker(spec, ServerOptions()))
    contexts = [retrieval.apply(row).example.context for row in rows]
    retrieval.close()
    print(f"{text}: {process_time() - began:.1f} s of CPU for {len(rows)} rows", file=sys.stderr)
    return contexts


def counted(rows: list[Example], what: str) -> int:
    """How many rows a share is of."""
    return sum(holds_answer(row.answers, row.context) for row in rows) if what == "answer" else len(rows)


def answers(rows: list[Example], contexts: list[str]) -> float:
    held = [holds_answer(row.answers, context) for row, context in findable(rows, contexts)]
    return sum(held) / len(held)


def findable(rows: list[Example], contexts: list[str]) -> Iterator[tuple[Example, str]]:
    pairs = zip(rows, contexts, strict=True)
    return ((row, context) for row, context in pairs if holds_answer(row.answers, row.context))


def passages(rows: list[Example], contexts: list[str]) -> float:
    return sum(has_passage(row, context) for row, context in zip(rows, contexts, strict=True)) / len(rows)


def numbered_passages(rows: list[Example], contexts: list[str]) -> float:
    pairs = zip(rows, contexts, strict=True)
    return sum(has_passage(row, text) and f"{row.answers[0]}：" in text for row, text in pairs) / len(rows)


def has_passage(row: Example, context: str) -> bool:
    """Whether more than half of the gold passage is left, counted in its lines and sentences."""
    _, _, rest = row.context.partition(f"{row.answers[0]}：")
    passage = re.split(r"段落\d+：", rest, maxsplit=1)[0]
    pieces = re.split(r"(?<=[。？！；\n.!?;])", passage)
    return sum(len(piece) for piece in pieces if piece in context) > len(passage) / 2


MEASURES = {"answer": answers, "passage": passages, "passage and its number": numbered_passages}


if __name__ == "__main__":
    sys.exit(main())
