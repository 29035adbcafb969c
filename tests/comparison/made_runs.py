"""Rows that look like the official ones, answered as a test wants it."""

from longbench_eval.stats import Resampling
from scoring import official_rows

FEW = Resampling(resamples=1000)
CONTEXT = "{:064x}"


def answered(task, wrong, suite="longbench", n=None):
    """All rows of a task (or the first n), those whose number is in `wrong` answered wrongly."""
    rows = official_rows.records(task, suite)[:n]
    return [row | {"pred": "no"} if i in wrong else row for i, row in enumerate(rows)]


def of_a_run(task, number, row, shared):
    """The row as a run writes it; `shared` neighbours have one context. A `pred` of None is a failure."""
    made = {**row, "_id": f"{task} {number}", "error": None, "context_sha256": CONTEXT.format(number // shared)}
    return made if row["pred"] is not None else made | {"pred": "", "error": {"kind": "model", "message": "x"}}
