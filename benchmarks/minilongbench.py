"""How well MiniLongBench's 237 rows tell the score of all 4,750: several estimators, on runs whose scores are known.

    python benchmarks/minilongbench.py RUNS [--write]

RUNS is a folder of folders with full LongBench predictions. Every estimator is fitted to all other runs and tried on
the one that was left out; `--siblings PREFIX` names runs that are left out together (by default those of one model).
`--write` stores the lines that the package ships, fitted to all runs. docs/minilongbench.md holds the outcome.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

import numpy as np

from longbench_eval.errors import LongBenchError
from longbench_eval.scoring import get_profile, read_folder, score_rows
from longbench_eval.scoring.averages import Average, averages_of, flat_averages
from longbench_eval.scoring.estimate import Line, MiniLongBench, estimate_scores
from longbench_eval.tasks import TASKS, get_suite

STORED = Path(__file__).parents[1] / "src" / "longbench_eval" / "scoring" / "minilongbench.json"
FULL, MINI = get_suite("longbench"), get_suite("minilongbench").row_numbers or {}
# A slope of 1 counts as much as runs whose scores spread by this sum of squares, in points.
PULL = 500.0
SIBLINGS = ("llama3.1-8b", "mistral-7b")

Run = Mapping[str, np.ndarray]  # the score of every row of a task, 0 to 100, in the order of the data


def read_run(path: Path) -> Run:
    """The row scores of a folder of predictions; tasks that lack rows are left out."""
    found = read_folder(path)
    run = {}
    for task, census in (found.censuses or {}).items():
        if found.suite.name != FULL.name or census.missing or census.foreign:
            continue
        values = [score.value for score in score_rows(task, found.files[task], get_profile("official"))]
        once = [value for place, value in enumerate(values) if place not in set(census.doubled)]
        run[task] = 100 * np.array(once)[np.argsort(census.found)]
    return run


def mini_mean(run: Run, task: str) -> float:
    """The score on MiniLongBench's rows."""
    return float(run[task][list(MINI[task])].mean())


def fit_line(task: str, runs: Sequence[Run], pull: float = PULL) -> Line:
    """The line through the runs, and its error where it is fitted to all but one."""
    having = [run for run in runs if task in run]
    line = _line(task, having, pull)
    errors = [_miss(_line(task, [other for other in having if other is not run], pull), run, task) for run in having]
    return Line(line.mini, line.full, line.slope, float(np.sqrt(np.mean(np.square(errors)))), len(having))


def _line(task: str, runs: Sequence[Run], pull: float) -> Line:
    few = np.array([mini_mean(run, task) for run in runs])
    all_ = np.array([run[task].mean() for run in runs])
    slope = (((few - few.mean()) * (all_ - all_.mean())).sum() + pull) / (((few - few.mean()) ** 2).sum() + pull)
    return Line(float(few.mean()), float(all_.mean()), float(slope), 0.0, len(runs))


def _miss(line: Line, run: Run, task: str) -> float:
    return line.at(mini_mean(run, task)) - float(run[task].mean())


# An estimator makes task scores of a run's few rows, and of all rows of other runs.
Estimator = Callable[[Run, Sequence[Run]], Mapping[str, float]]


def plain(run: Run, others: Sequence[Run]) -> Mapping[str, float]:
    """The mean of the few rows."""
    return {task: mini_mean(run, task) for task in run}


def shifted(run: Run, others: Sequence[Run]) -> Mapping[str, float]:
    """Their mean, shifted by how much harder all rows were for the others."""
    return {task: line.full + (mini_mean(run, task) - line.mini) for task, line in _lines(run, others, PULL).items()}


def straight(run: Run, others: Sequence[Run]) -> Mapping[str, float]:
    """A line, fitted by least squares."""
    return _by_line(run, _lines(run, others, 1e-9))


def drawn(run: Run, others: Sequence[Run]) -> Mapping[str, float]:
    """A line whose slope is drawn towards 1: what is shipped."""
    return _by_line(run, _lines(run, others, PULL))


def weighted(run: Run, others: Sequence[Run]) -> Mapping[str, float]:
    """A weight for each row, by ridge regression on the others' rows."""
    found = {}
    for task in run:
        having = [other for other in others if task in other]
        few = np.array([other[task][list(MINI[task])] for other in having]) / 100
        rest = np.array([other[task].mean() for other in having]) / 100 - few.mean(axis=1)
        centred = few - few.mean(axis=0)
        weights = centred.T @ np.linalg.solve(centred @ centred.T + np.eye(len(having)), rest - rest.mean())
        mine = run[task][list(MINI[task])] / 100
        found[task] = 100 * float(mine.mean() + rest.mean() + (mine - few.mean(axis=0)) @ weights)
    return found


def controlled(run: Run, others: Sequence[Run]) -> Mapping[str, float]:
    """The others' mean score of a row as a control variate for this run's."""
    found = {}
    for task in run:
        hard = np.mean([other[task] for other in others if task in other], axis=0) / 100
        few, mine = hard[list(MINI[task])], run[task][list(MINI[task])] / 100
        slope = (((few - few.mean()) * (mine - mine.mean())).sum() + 1) / (((few - few.mean()) ** 2).sum() + 1)
        found[task] = 100 * float(mine.mean() + slope * (hard.mean() - few.mean()))
    return found


ESTIMATORS: Mapping[str, Estimator] = {
    "plain mean": plain,
    "shifted": shifted,
    "control variate": controlled,
    "row weights": weighted,
    "line": straight,
    "line, drawn": drawn,
}


def _lines(run: Run, others: Sequence[Run], pull: float) -> dict[str, Line]:
    return {task: _line(task, [other for other in others if task in other], pull) for task in run}


def _by_line(run: Run, lines: Mapping[str, Line]) -> dict[str, float]:
    return {task: line.at(mini_mean(run, task)) for task, line in lines.items()}


def averages(scores: Mapping[str, float]) -> dict[str, float]:
    """Every average that these tasks allow."""
    cells = {task: Average(scores[task]) if task in scores else Average(None, (task,)) for task in TASKS}
    categories, overall = averages_of(FULL, cells)
    parts = {**categories, **overall, **flat_averages(FULL, cells)}
    return {name: part.value for name, part in parts.items() if part.value is not None}


def true_scores(run: Run) -> dict[str, float]:
    """Task scores over all rows."""
    return {task: float(values.mean()) for task, values in run.items()}


def left_out(runs: Mapping[str, Run], name: str, siblings: Sequence[str]) -> list[Run]:
    """All runs but one, and but those of the same model."""
    family = next((prefix for prefix in siblings if name.startswith(prefix)), name)
    return [run for other, run in runs.items() if not other.startswith(family)]


def compare(runs: Mapping[str, Run], siblings: Sequence[str]) -> None:
    """Print the mean absolute error of each estimator, over tasks and over each average."""
    heads = ("EN", "ZH", "All", "flat-16", "flat-21")
    print(f"{'mean absolute error':20}{'task':>8}" + "".join(f"{head:>9}" for head in heads))
    for name, estimator in ESTIMATORS.items():
        misses: dict[str, list[float]] = {}
        for label, run in runs.items():
            found, truth = estimator(run, left_out(runs, label, siblings)), true_scores(run)
            misses.setdefault("task", []).extend(abs(found[task] - truth[task]) for task in truth)
            known = averages(truth)
            for head, value in averages(found).items():
                misses.setdefault(head, []).append(abs(value - known[head]))
        print(f"{name:20}" + f"{fmean(misses['task']):8.2f}" + "".join(f"{fmean(misses[h]):9.2f}" for h in heads))


def coverage(runs: Mapping[str, Run], siblings: Sequence[str]) -> None:
    """Print, for every run, its known scores, their estimates by the others, and whether the intervals hold them."""
    inside: dict[str, list[bool]] = {}
    misses: dict[str, list[float]] = {}
    widths: dict[str, list[float]] = {}
    for name, run in runs.items():
        others = left_out(runs, name, siblings)
        made = estimate_scores(
            {task: mini_mean(run, task) for task in run}, {task: fit_line(task, others) for task in TASKS}
        )
        _print_run(name, run, made)
        truth = {**true_scores(run), **averages(true_scores(run))}
        for key, one in {**made.tasks, **made.categories, **made.overall}.items():
            if one is not None:
                kind = "task" if key in TASKS else key
                inside.setdefault(kind, []).append(one.low <= truth[key] <= one.high)
                misses.setdefault(kind, []).append(abs(one.score - truth[key]))
                widths.setdefault(kind, []).append((one.high - one.low) / 2)
    print(f"\n{'':16}{'error':>7}{'largest':>9}{'half width':>12}   held by the interval")
    for kind in misses:
        held = f"{sum(inside[kind])} of {len(inside[kind])}"
        print(f"{kind:16}{fmean(misses[kind]):7.2f}{max(misses[kind]):9.2f}{fmean(widths[kind]):12.1f}   {held}")


def _print_run(name: str, run: Run, made: MiniLongBench) -> None:
    truth = averages(true_scores(run))
    plainly = averages({task: mini_mean(run, task) for task in run})
    for key in ("All", "EN", "ZH"):
        if (one := made.overall[key]) is not None:
            found = f"{one.score:6.2f}  ({one.low:.1f} to {one.high:.1f})"
            print(f"{name:22}{key:4} known {truth[key]:6.2f}  237 rows {plainly[key]:6.2f}  estimated {found}")


def main() -> None:
    """Read the runs, compare, and store if asked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", type=Path)
    parser.add_argument("--siblings", nargs="*", default=SIBLINGS)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    runs: dict[str, Run] = {}
    for path in sorted(given.runs.iterdir()):
        try:
            run = read_run(path) if path.is_dir() else {}
        except LongBenchError as error:
            print(error)
            continue
        if run:
            runs[path.name] = run
    print(f"{len(runs)} runs: {', '.join(f'{name} ({len(run)} tasks)' for name, run in runs.items())}\n")
    compare(runs, given.siblings)
    print()
    coverage(runs, given.siblings)
    if given.write:
        fitted = {task: asdict(fit_line(task, list(runs.values()))) for task in TASKS}
        rounded = {task: {key: round(value, 4) for key, value in line.items()} for task, line in fitted.items()}
        STORED.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
