"""The runs of a report, read and scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from longbench_eval.comparison import CompareSettings, Comparison, compare
from longbench_eval.comparison.entries import names_of_folders
from longbench_eval.errors import LongBenchError, RunError
from longbench_eval.manifest import Manifest, load_manifest
from longbench_eval.scoring import Summary, get_profile, read_folder, summarize
from longbench_eval.scoring.intervals import with_intervals
from longbench_eval.scoring.stored import read_stored
from longbench_eval.stats import Resampling

_FEWER = 2000  # resamples of a difference in a page: its third digit is not shown


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """What a user decides about a report.

    Attributes:
        profile: How to score; a name in `PROFILES`.
        data: Folder or zip with the rows, for their questions; None for what the run itself used, if it is there.
        sample: How many rows of each run are shown.
        seed: Of their choice, and of the resampling.
    """

    profile: str = "official"
    data: Path | None = None
    sample: int = 12
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Reported:
    """One run: its name, where it lies, its manifest if it has one, its scores with intervals."""

    name: str
    path: Path
    manifest: Manifest | None
    summary: Summary = field(repr=False)

    @property
    def model(self) -> str:
        """The model's name, or the folder's."""
        known = (self.manifest.evidence.get("model") if self.manifest else None) or {}
        name = known.get("name") if isinstance(known, dict) else None
        return name if isinstance(name, str) and name else self.name


def read_runs(paths: Sequence[Path], settings: ReportSettings) -> list[Reported]:
    """Read and score every run.

    Raises:
        LongBenchError: One holds no predictions, a line is broken, or there is no such profile.
    """
    return [_read(*one, settings) for one in zip(names_of_folders(paths), paths, strict=True)]


def _read(name: str, path: Path, settings: ReportSettings) -> Reported:
    profile, found = get_profile(settings.profile), read_folder(path)
    stored = read_stored(found.run, found.files, profile) if found.run else None
    scored = summarize(found.signature, found.suite, found.files, profile, found.warnings, found.censuses, stored)
    return Reported(name, path, _manifest(found.run), with_intervals(scored, Resampling(seed=settings.seed)))


def _manifest(run: Path | None) -> Manifest | None:
    try:
        return load_manifest(run) if run else None
    except RunError:
        return None


def compared(paths: Sequence[Path], settings: ReportSettings) -> tuple[Comparison | None, str]:
    """The runs against the first, or why they cannot be compared."""
    resampling = Resampling(seed=settings.seed, resamples=_FEWER)
    try:
        chosen = CompareSettings(profile=settings.profile, data=settings.data, resampling=resampling)
        return compare(*paths, settings=chosen), ""
    except LongBenchError as error:
        return None, str(error)
