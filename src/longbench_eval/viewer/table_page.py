"""One page of a table, as the API tells it."""

from __future__ import annotations

from typing import Any

from longbench_eval.viewer.marks import names_of
from longbench_eval.viewer.query import Line
from longbench_eval.viewer.table import Table, known
from longbench_eval.viewer.wire import clip

PAGE = 200
_EXCERPT = 240


def table_page(table: Table, page: int, size: int = PAGE) -> dict[str, Any]:
    """One page of a table, from 0."""
    lines = table.lines[page * size : (page + 1) * size]
    mine, theirs = table.means_of_pairs or (None, None)
    return {
        "n": table.n,
        "matched": len(table.lines),
        "page": page,
        "pages": max(1, -(-len(table.lines) // size)),
        "size": size,
        "whole": table.whole,
        "marks": dict(table.marks),
        "histogram": list(table.histogram),
        "mean": table.mean,
        "paired": table.paired,
        "pair_means": {"mine": mine, "theirs": theirs} if table.means_of_pairs else None,
        "problems": list(table.problems),
        "rows": [_row(line) for line in lines],
    }


def _row(line: Line) -> dict[str, Any]:
    row, lines = line.file.lines.read(line.position), line.file.lines
    return {
        "task": line.file.task,
        "line": lines.numbers[line.position],
        "score": line.score,
        "other": line.other,
        "difference": line.difference,
        "length": row.length,
        "tokens": known(lines.tokens[line.position]),
        "marks": names_of(line.marks),
        "pred": clip(row.pred, _EXCERPT),
        "answer": clip(row.answers[0] if row.answers else "", _EXCERPT),
        "answers": len(row.answers),
    }
