"""The file of published scores: where it lies, what its keys mean, which numbers it holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from longbench_eval.errors import DataError
from longbench_eval.scoring.explain.written import WHOLE, Committed, Written, with_lost_zeros, written
from longbench_eval.tasks import BUCKETS, TASKS

RESULT_NAMES = ("result.json", "committed.json")
_AVERAGE_WORDS = {"avg", "average", "averages", "mean", "overall", "all"}
_AVERAGE_KEYS = {"en", "zh"}
_NAMED_E = re.compile(r"[-_ ]e(?![a-z0-9])")
_DECOR = re.compile(r"^longbench[-_ ]|^.*[/\\]", re.IGNORECASE)
_BUCKET_FORMS = {
    "0-4k": "0-4k",
    "<4k": "0-4k",
    "4-8k": "4-8k",
    "4k-8k": "4-8k",
    "8k+": "8k+",
    "8+k": "8k+",
    ">8k": "8k+",
}


class Entry(NamedTuple):
    """One published score and the key it stands under."""

    key: str
    committed: Committed


@dataclass(frozen=True, slots=True)
class Published:
    """What a result file holds.

    Attributes:
        path: The file.
        scores: By task.
        averages: By key.
        ignored: Keys that name neither a task nor an average.
    """

    path: Path
    scores: Mapping[str, Entry]
    averages: Mapping[str, Committed] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()


def find_result(folder: Path) -> Path:
    """Find the scores published with these predictions, beside them or one folder up.

    Raises:
        DataError: There is no such file.
    """
    place = folder if folder.is_dir() else folder.parent
    places = [place, place.parent if place.name else place / ".."]
    for path in (where / name for where in places for name in RESULT_NAMES):
        if path.is_file():
            return path
    raise DataError(
        f"There are no published scores: neither {' nor '.join(RESULT_NAMES)} lies in {str(places[0])!r} or in the "
        f"folder above. Name the file with `--result FILE`."
    )


def read_published(path: Path, even: bool = False) -> Published:
    """Read a result file.

    Args:
        path: The file.
        even: Whether the predictions are LongBench-E's, which decides between `TASK` and `TASK_e` where both are there.

    Raises:
        DataError: It is missing, no JSON object, a task's score is no number, two keys name one task, or none does.
    """
    found = _object(path)
    named: dict[str, list[Entry]] = {}
    averages: dict[str, Committed] = {}
    ignored: list[str] = []
    for key, value in found.items():
        if task := task_in(key):
            named.setdefault(task, []).append(Entry(key, _score(path, key, value)))
            ignored += (
                [f"{key}.{inner}" for inner in value if _is_inner_average(inner)] if isinstance(value, dict) else []
            )
        elif is_average(key):
            averages |= dict(_averages(key, value))
        else:
            ignored.append(key)
    if not named:
        raise DataError(f"{str(path)!r} names no task of LongBench; expected keys such as 'qasper'.{_sample(found)}")
    chosen = {task: _choose(path, task, entries, even) for task, entries in named.items()}
    ignored += [entry.key for task, entries in named.items() for entry in entries if entry is not chosen[task]]
    return Published(path, _settled({task: chosen[task] for task in TASKS if task in chosen}), averages, tuple(ignored))


def _settled(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    scores = with_lost_zeros(entry.committed for entry in entries.values())
    return {task: Entry(entry.key, score) for (task, entry), score in zip(entries.items(), scores, strict=True)}


def _object(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise DataError(f"{str(path)!r} is no file; expected the published scores, a JSON object of task and score.")
    try:
        text = path.read_bytes().decode("utf-8-sig")
        found = json.loads(text, parse_float=written, parse_int=written, parse_constant=written)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{str(path)!r} is no JSON ({error}); expected an object of task and score.") from None
    if not isinstance(found, dict):
        raise DataError(f"{str(path)!r} holds no object; expected one of task and score, such as {{'qasper': 44.9}}.")
    return found


def _sample(found: Mapping[str, Any]) -> str:
    return f" Its keys: {', '.join(map(repr, list(found)[:3]))}." if found else " It is empty."


def task_in(key: str) -> str | None:
    """The task that a key names: with any suffix, in any case, under the prefix `longbench_` or a folder."""
    bare = _bare(key)
    fitting = [task for task, form in _FORMS.items() if form.match(bare)]
    return max(fitting, key=len, default=None)


def _bare(key: str) -> str:
    return _DECOR.sub("", _DECOR.sub("", key.strip())).lower()


def _form(task: str) -> re.Pattern[str]:
    """The spelling of a task's name with its separators changed or left out, up to no letter or digit."""
    parts = map(re.escape, re.split("[-_]", task))
    return re.compile(r"(?:e[-_ ])?" + "[-_ ]?".join(parts) + r"(?![a-z0-9])")


_FORMS = {task: _form(task) for task in TASKS}


def is_average(key: str) -> bool:
    """Whether a key that names no task names an average, or a bucket, which then has one."""
    words = set(re.split(r"[^a-z]+", _bare(key)))
    return bool(words & _AVERAGE_WORDS) or _bare(key) in _AVERAGE_KEYS or _bucket(key) is not None


def _bucket(key: str) -> str | None:
    return _BUCKET_FORMS.get(key.replace(" ", "").lower())


def _score(path: Path, key: str, value: Any) -> Committed:
    score = _committed(value)
    if not score:
        raise DataError(
            f"{str(path)!r}: {key!r} is {_shown(value)}; expected a number, or for LongBench-E numbers for "
            f"{', '.join(BUCKETS)}."
        )
    return score


def _committed(value: Any) -> Committed:
    """A score or an average: a number, or numbers by bucket; empty for anything else."""
    if not isinstance(value, dict):
        number = _number(value)
        return {} if number is None else {WHOLE: number}
    cells = {_bucket(key): _number(part) for key, part in value.items() if not _is_inner_average(key)}
    numbers = {bucket: cells[bucket] for bucket in BUCKETS if bucket in cells}
    known = {bucket: number for bucket, number in numbers.items() if number is not None}
    return known if len(known) == len(cells) else {}


def _is_inner_average(key: str) -> bool:
    return _bucket(key) is None and is_average(key)


def _number(value: Any) -> Written | None:
    if value is None:
        return written("nan")
    if not isinstance(value, str | Written):
        return None
    try:
        return value if isinstance(value, Written) else written(value.strip().removesuffix("%"))
    except ValueError:
        return None


def _averages(key: str, value: Any) -> Iterator[tuple[str, Committed]]:
    """One average, or an object of several; what holds no number is passed over."""
    if committed := _committed(value):
        bucket = _bucket(key)
        yield key, {bucket: committed[WHOLE]} if bucket and WHOLE in committed else committed
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _averages(f"{key}.{name}", part)


def _choose(path: Path, task: str, entries: Sequence[Entry], even: bool) -> Entry:
    """Of several keys for one task the one of the suite, then the one that is just its name."""

    def rank(entry: Entry) -> tuple[bool, bool]:
        return bool(_NAMED_E.search(_bare(entry.key))) == even, entry.key in (task, f"{task}_e")

    best = max(map(rank, entries))
    chosen = [entry for entry in entries if rank(entry) == best]
    if len(chosen) > 1:
        keys = " and ".join(repr(entry.key) for entry in chosen)
        raise DataError(f"{str(path)!r}: {keys} both name {task}; leave one in a file of its own for `--result FILE`.")
    return chosen[0]


def _shown(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 40 else f"{text[:40]}..."
