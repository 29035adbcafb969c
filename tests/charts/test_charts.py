"""Every chart of records and of runs: what its spec holds, and that every format is what it says."""

import json
import re
from xml.etree import ElementTree

import pytest

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

from longbench_eval.charts import KINDS, LOOKS, Frame, draw, save, to_svg
from longbench_eval.charts.look import SHAPES, label, series
from longbench_eval.charts.of_runs import distribution_records, length_records
from longbench_eval.errors import UsageError
from longbench_eval.scoring import score
from longbench_eval.scoring.intervals import with_intervals
from longbench_eval.tasks import CATEGORIES
from samples import write_rows
from scoring import official_rows

HOSTILE = '<script>"&\x00\u202e]]>'
SCORES = dict(zip(CATEGORIES, (10.0, 20.0, 30.0, 40.0, 50.0, 60.0), strict=True))
ENDS = {"low": 5.0, "high": 65.0}
RECORDS = {
    "radar": [
        {"run": run, "category": name, "score": value} for run in ("a", HOSTILE) for name, value in SCORES.items()
    ],
    "bars": [{"run": "a", "category": name, "score": value} | ENDS for name, value in SCORES.items()],
    "tasks": [
        {"run": run, "task": task, "category": category, "score": value} | ENDS
        for run in ("a", HOSTILE)
        for task, category, value in (("qasper", "single-doc QA", 12.5), ("lcc", "code", 62.5))
    ],
    "length": [{"run": "a", "bucket": name, "score": 40.0, "n": 9} | ENDS for name in ("0-4k", "4-8k", "8k+")],
    "distribution": [{"task": "qasper", "bin": n, "share": 1 / 12} for n in range(12)],
    "context": [{"task": "hotpotqa", "baseline": 42.0, "changed": 20.0, "name": "without documents"}],
    "budget": [{"run": HOSTILE, "max_input_tokens": m, "score": s} | ENDS for m, s in ((2000, 20.0), (4000, 28.0))],
    "cost": [{"run": run, "cost": c, "unit": "tokens a row", "score": 30.0} | ENDS for run, c in (("a", 1), ("b", 9))],
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("frame", [Frame(), Frame(330, "dark"), Frame(980, "page")], ids=str)
def test_every_chart_is_drawn_as_safe_named_svg(kind, frame):
    chart = KINDS[kind].draw(RECORDS[kind], frame)
    spec = chart.to_dict()
    assert spec["config"]["background"] == LOOKS[frame.look].paper
    assert spec["config"]["aria"] is False
    assert "http" not in json.dumps({name: value for name, value in spec.items() if name != "$schema"})
    svg = to_svg(chart, "one")
    root = ElementTree.fromstring(svg)
    assert (root.get("role"), root.get("aria-labelledby")) == ("img", "one-title")
    assert root[0].text
    assert not any(part.tag.endswith("script") for part in root.iter())
    assert float(root.get("width")) <= frame.width + 60
    assert ("var(--c-ink)" in svg) == (frame.look == "page")
    assert not re.search(r"#a[01]a?[0-9]0[0-9]", svg)


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_and_names_are_told_in_words(kind):
    told = KINDS[kind].draw(RECORDS[kind], Frame()).to_dict()["description"]
    assert re.search(r"\d", told)
    assert "\x00" not in told


@pytest.mark.parametrize(
    ("form", "magic"), [("svg", b"<svg"), ("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-"), ("json", b"{")]
)
@pytest.mark.parametrize("kind", ["radar", "distribution"])
def test_formats_are_what_they_say(tmp_path, kind, form, magic):
    save(KINDS[kind].draw(RECORDS[kind], Frame()), tmp_path / f"chart.{form}")
    assert (tmp_path / f"chart.{form}").read_bytes().startswith(magic)


def test_the_spec_is_vega_lite(tmp_path):
    save(KINDS["bars"].draw(RECORDS["bars"], Frame()), tmp_path / "chart.json")
    spec = json.loads((tmp_path / "chart.json").read_text("utf-8"))
    assert "vega-lite" in spec["$schema"]
    values = spec["layer"][0]["data"]["values"] if "data" in spec["layer"][0] else spec["data"]["values"]
    assert [row["score"] for row in values] == list(SCORES.values())


def test_series_are_told_apart_without_colour():
    names = [str(n) for n in range(14)]
    scales = series(names, LOOKS["light"])
    looks = {
        (shape, tuple(dash)) for shape, dash in zip(scales["shape"]["range"], scales["dash"]["range"], strict=True)
    }
    assert len(looks) == 14
    assert scales["shape"]["range"][:7] == list(SHAPES)


def luminance(color: str) -> float:
    parts = [int(color[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("name", ["light", "dark"])
def test_colours_have_contrast(name):
    look = LOOKS[name]

    def contrast(color):
        one, other = sorted((luminance(color), luminance(look.paper)))
        return (other + 0.05) / (one + 0.05)

    assert min(contrast(color) for color in look.series) >= 3
    assert min(contrast(look.ink), contrast(look.soft)) >= 4.5
    assert contrast(look.strong) >= 3


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\x00b\nc", "a b c"), ("abc\u202egnp", "abc gnp"), ("x" * 99, "x" * 33 + "…"), ("é 中", "é 中")],
)
def test_labels_are_one_clean_line(text, shown):
    assert label(text) == shown


@pytest.fixture
def folder(tmp_path):
    """All rows of two tasks, half of them answered rightly."""
    for task in ("qasper", "hotpotqa"):
        rows = [
            row | {"pred": "no"} if n % 2 else row for n, row in enumerate(official_rows.records(task, "longbench"))
        ]
        write_rows(tmp_path / "pred" / f"{task}.jsonl", rows)
    return tmp_path / "pred"


def test_records_of_runs(folder):
    summary = with_intervals(score(folder))
    shares = {(row["task"], row["bin"]): row["share"] for row in distribution_records(summary)}
    assert sum(share for (task, _), share in shares.items() if task == "qasper") == pytest.approx(1)
    assert shares["hotpotqa", 0] == pytest.approx(0.5, abs=0.1)
    by_length = length_records({"a": summary})
    assert all(row["relative"] and row["low"] <= row["score"] <= row["high"] for row in by_length)
    assert sum(row["n"] for row in by_length) <= 400
    assert draw("tasks", {"a": summary}).to_dict()["description"].startswith("Scores of tasks")


@pytest.mark.parametrize("kind", ["radar", "context", "budget", "cost"])
def test_nothing_to_draw_says_what_is_needed(folder, kind):
    with pytest.raises(UsageError, match="it needs"):
        draw(kind, {"a": with_intervals(score(folder))})


def test_unknown_names_are_told(folder):
    with pytest.raises(UsageError, match="Did you mean 'radar'"):
        draw("rader", {})
    with pytest.raises(UsageError, match="Did you mean 'dark'"):
        KINDS["bars"].draw(RECORDS["bars"], Frame(680, "drak"))
