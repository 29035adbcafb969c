"""What can go wrong, by kind; every message names what was given, what was expected, and the remedy."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class LongBenchError(Exception):
    """The root of every error this package raises on purpose; the command line prints it as one message."""


class UsageError(LongBenchError):
    """The user's mistake: an unknown name, options that contradict each other, a missing extra."""


class DataError(LongBenchError):
    """Rows, templates, archives or predictions that are missing, broken, or not LongBench's."""


class ModelError(LongBenchError):
    """A model that cannot be loaded or asked at all (a single failed row is a `Failure`, not an error)."""


class RunError(LongBenchError):
    """A run directory that is busy, damaged, or belongs to other settings."""


def unknown_name(kind: str, given: str, known: Iterable[str], remedy: str = "") -> UsageError:
    """Build the error for a name that is not in a table, offering the nearest one.

    Args:
        kind: What the name was meant to be, e.g. `"task"`.
        given: The name as the user wrote it.
        known: The names there are.
        remedy: The command that lists them, if there is one.
    """
    names = list(known)
    near = get_close_matches(given.lower(), names, n=1, cutoff=0.5)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    tail = f" See them with `{remedy}`." if remedy else ""
    return UsageError(f"There is no {kind} {given!r}.{guess} Known: {', '.join(names)}.{tail}")
