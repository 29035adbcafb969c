"""`run.json`: what a run is, written once at its start and completed at its end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from longbench_eval.errors import RunError
from longbench_eval.files import write_atomic
from longbench_eval.signature import Signature

MANIFEST = "run.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything about a run but its rows.

    Attributes:
        suite: The suite's name.
        identity: The settings that change outputs, as resolved. Another identity is another run.
        signature_choices: What the signature says before scoring.
        settings: The settings as given.
        warnings: What a reader of the scores must know.
        evidence: Data hashes, the model, and whatever else proves the run.
        invocations: One record each time the run was started: when, versions, hardware, rows answered.
        format: The version of this file's shape.
    """

    suite: str
    identity: Mapping[str, Any]
    signature_choices: Mapping[str, str]
    settings: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    invocations: tuple[Mapping[str, Any], ...] = ()
    format: int = FORMAT

    @property
    def signature(self) -> Signature:
        """How the predictions were made."""
        return Signature(self.suite, self.signature_choices)

    @property
    def planned_rows(self) -> int:
        """How many rows the run, or the part of it, asks for.

        Raises:
            RunError: The manifest does not tell.
        """
        try:
            if "places" in self.evidence:
                return sum(map(len, self.evidence["places"].values()))
            counts = [int(task["rows"]) for task in self.evidence["data"].values()]
            return sum(min(n, int(self.identity["limit"] or n)) for n in counts)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise RunError(f"{MANIFEST} does not tell how many rows there are.") from None

    def with_invocation(self, record: Mapping[str, Any]) -> Manifest:
        """The same with one more start of the run on record."""
        return replace(self, invocations=(*self.invocations, record))

    def save(self, run: Path) -> None:
        """Write `run.json`, whole or not at all."""
        shape = {**asdict(self), "signature": str(self.signature)}
        write_atomic(run / MANIFEST, json.dumps(shape, ensure_ascii=False, indent=1) + "\n")


def load_manifest(run: Path) -> Manifest:
    """Read a run's manifest.

    Raises:
        RunError: There is none, or it is not one of ours.
    """
    path = run / MANIFEST
    try:
        shape = json.loads(path.read_text("utf-8"))
        if shape["format"] != FORMAT:
            raise RunError(f"{path} has format {shape['format']}, this version reads format {FORMAT}.")
        return _from_shape(shape)
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(f"{str(run)!r} is no run directory: it has no {MANIFEST}.") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RunError(
            f"{str(path)!r} cannot be read as a run's manifest ({error}). Restore it, or name another --out; the rows "
            "in predictions/ can be scored from a copy of that folder."
        ) from None


def _from_shape(shape: dict[str, Any]) -> Manifest:
    """Take the fields that are known, each of its type; a later version may have added others."""
    kinds = {"suite": str, "identity": dict, "signature_choices": dict, "settings": dict, "evidence": dict}
    for name, kind in {**kinds, "warnings": list, "invocations": list}.items():
        if not isinstance(shape[name], kind):
            raise TypeError(f"{name} is {type(shape[name]).__name__}, expected {kind.__name__}")
    known = {name: shape[name] for name in kinds}
    return Manifest(**known, warnings=tuple(shape["warnings"]), invocations=tuple(shape["invocations"]))
