"""Finding predictions files, and what their names say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from longbench_eval.errors import DataError
from longbench_eval.tasks import TASKS

_NAMED_E = re.compile(r"_e(?![^\W_])")  # what follows the task's name in that of a LongBench-E file


def find_files(folder: Path, own: Sequence[str] = ()) -> dict[str, Path]:
    """Predictions files by task, in the order of the task table.

    The names that circulate are `TASK.jsonl`, `TASK_e.jsonl` and `TASK<suffix>.jsonl`.

    Args:
        folder: Where they lie, or one such file.
        own: Names of tasks of the user's own, which come after the others.

    Raises:
        DataError: The folder is missing, holds none, or two for one task.
    """
    found: dict[str, Path] = {}
    names = (*TASKS, *own)
    for file in row_files(folder):
        task = task_of(file.stem, names)
        if task in found:
            raise DataError(f"{found[task]} and {file.name} both hold {task}; score them in folders of their own.")
        if task:
            found[task] = file
    if not found:
        raise _nothing_in(folder)
    return {task: found[task] for task in names if task in found}


def row_files(folder: Path) -> list[Path]:
    """Every JSONL file in a folder, by name; a file is its own folder.

    Raises:
        DataError: There is no such folder or file.
    """
    if not folder.exists():
        raise DataError(f"{str(folder)!r} does not exist; expected a run, or a folder of predictions.")
    return [folder] if folder.is_file() else sorted(file for file in folder.glob("*.jsonl") if file.is_file())


def _nothing_in(folder: Path) -> DataError:
    below = sorted({str(file.parent) for file in folder.glob("*/*.jsonl") if task_of(file.stem)})
    hint = f" There are some in {', '.join(below[:3])}." if below else ""
    expected = "expected files named after their tasks, such as qasper.jsonl, or a run with answered rows"
    return DataError(f"{str(folder)!r} holds no predictions: {expected}.{hint}")


def task_of(stem: str, names: Iterable[str] = TASKS) -> str | None:
    """The task a file is named after: the longest name that the stem begins with, up to no letter or digit."""
    fitting = [task for task in names if stem.startswith(task) and not stem[len(task) : len(task) + 1].isalnum()]
    return max(fitting, key=len, default=None)


def named_e(paths: Mapping[str, Path]) -> bool:
    """Whether files are named as those of LongBench-E, or lie where the official code puts them, in pred_e/MODEL/."""
    in_place = all(path.absolute().parent.parent.name == "pred_e" for path in paths.values())
    return in_place or all(_NAMED_E.match(path.stem, len(task)) for task, path in paths.items())
