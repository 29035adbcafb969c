"""Texts that try something are told as they are, as JSON that every browser reads."""

import json
from pathlib import Path

import pytest

from longbench_eval.viewer import app
from longbench_eval.viewer.wire import Json, finite
from viewer.conftest import client_of
from viewer_runs import HOSTILE_NAME, HOSTILE_TEXTS, SCRIPT

STATIC = sorted(Path(app.STATIC).glob("*.js"))
LINES = dict(enumerate(HOSTILE_TEXTS.values(), 1))


def strictly(text: str):
    """Parse JSON as browsers do: NaN and its like are refused."""
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


def get(folder, name, **query):
    answer = client_of(folder).get(f"/api/{name}", params={"run": HOSTILE_NAME, **query})
    assert answer.headers["content-type"] == "application/json"
    return answer.status_code, strictly(answer.text)


@pytest.mark.parametrize("line", LINES)
def test_predictions_come_back_character_by_character(folder, line):
    status, row = get(folder, "row", task="qasper", line=line)
    assert status == 200
    text = "".join(part for part, _ in row["pred"])
    while len(text) < row["total"]:
        text += get(folder, "text", task="qasper", line=line, start=len(text))[1]["text"]
    assert text == LINES[line]


def test_tables_hold_excerpts_only(folder):
    status, table = get(folder, "rows", task="qasper")
    assert status == 200
    assert table["n"] == len(LINES)
    assert len(json.dumps(table)) < 20_000
    [problem] = table["problems"]
    assert problem.startswith("qasper, line 10: no JSON (Invalid control character")


def test_a_broken_line_leaves_the_run_readable(folder):
    status, page = get(folder, "run")
    assert status == 200
    assert "line 10" in page["problem"]
    assert page["model"] == SCRIPT


@pytest.mark.parametrize("call", ["prompt", "others"])
def test_other_calls_bear_it(folder, call):
    for line in LINES:
        assert get(folder, call, task="qasper", line=line)[0] == 200


def test_json_is_finite_and_its_surrogates_are_escaped():
    shape = {"a": [float("nan"), float("inf"), 1.5], "b": {"c": "half \ud83d"}, 3: ("x",)}
    body = Json(shape).body
    assert strictly(body.decode("ascii")) == {"a": ["nan", "inf", 1.5], "b": {"c": "half \ud83d"}, "3": ["x"]}
    assert finite(True) is True


def test_scripts_never_parse_text_as_html():
    banned = (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "DOMParser",
        "srcdoc",
    )
    assert len(STATIC) > 8
    for script in STATIC:
        found = [word for word in banned if word in script.read_text("utf-8")]
        assert not found, script.name


def test_the_page_has_nothing_inline():
    page = (Path(app.STATIC) / "index.html").read_text("utf-8")
    assert "<style" not in page
    assert " style=" not in page
    assert " onclick=" not in page
    assert page.count("<script") == page.count("<script src=") + page.count('<script type="module" src=')
