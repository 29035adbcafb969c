"""What several charts are made of: altair itself, encodings of a series, axes of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from longbench_eval.charts.look import Frame, config, label, series
from longbench_eval.errors import UsageError

Record = Mapping[str, Any]


def altair() -> ModuleType:
    """The library; it is loaded when a chart is drawn.

    Raises:
        UsageError: The extra is not installed.
    """
    try:
        import altair
    except ImportError as error:
        raise missing_extra(error.name or "altair") from None
    return altair


def missing_extra(name: str) -> UsageError:
    """What to install."""
    return UsageError(f"Charts and reports need {name}: install it with `pip install 'longbench-eval[report]'`.")


def need(records: Sequence[Record], chart: str, what: str) -> None:
    """Refuse to draw nothing.

    Raises:
        UsageError: There are no records.
    """
    if not records:
        raise UsageError(f"There is nothing to draw a {chart} chart of: it needs {what}.")


def names_of(records: Sequence[Record], key: str = "run") -> list[str]:
    """The names in the order in which they come."""
    return list(dict.fromkeys(str(record[key]) for record in records))


def labelled(records: Sequence[Record], *keys: str) -> list[dict[str, Any]]:
    """The records with names that a chart can show."""
    return [{**record, **{key: label(str(record[key])) for key in keys}} for record in records]


def marks(runs: Sequence[str], frame: Frame) -> dict[str, Any]:
    """Encodings that tell runs apart by colour, and by shape; with one run without a legend."""
    alt, scales = altair(), series(runs, frame.colors)
    legend = alt.Legend(columns=1 if frame.narrow else 3) if len(runs) > 1 else None
    return {
        "color": alt.Color("run:N", scale=alt.Scale(**scales["color"]), legend=legend),
        "shape": alt.Shape("run:N", scale=alt.Scale(**scales["shape"]), legend=legend),
    }


def dash(runs: Sequence[str], frame: Frame) -> Any:
    """The encoding that tells lines apart without colour."""
    alt = altair()
    scale = alt.Scale(**series(runs, frame.colors)["dash"])
    return alt.StrokeDash("run:N", scale=scale, legend=alt.Legend() if len(runs) > 1 else None)


def percent(field: str, title: str | None = "score", **more: Any) -> Any:
    """A horizontal axis from 0 to 100."""
    alt = altair()
    axis = alt.Axis(title=title, values=[0, 20, 40, 60, 80, 100], format="d")
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, 100]), axis=axis, **more)


def finish(chart: Any, frame: Frame, about: str) -> Any:
    """The chart with the look that all share; `about` is what it shows, for readers who cannot see it."""
    return chart.properties(description=about, usermeta={"look": frame.look}).configure(**config(frame.colors))
