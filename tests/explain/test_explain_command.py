"""`longbench-eval explain` as it is called, and its page in the docs."""

import json
from pathlib import Path

import jsonschema
import pytest
from samples_to_explain import code_rows, qa_rows, write_predictions, write_result

from longbench_eval.scoring.explain import AVERAGINGS, RULES
from longbench_eval.scoring.explain.chance import CHANCE_LIMIT, SAID_FROM

PAGE = (Path(__file__).parents[2] / "docs" / "explain.md").read_text("utf-8")
EXPLAINED = {
    "type": "object",
    "properties": {
        "key": {"type": "string"},
        "committed": {"type": ["number", "object", "null"]},
        "reproduced": {"type": "boolean"},
        "by": {"enum": [*(rule.slug for rule in RULES), *AVERAGINGS, None]},
        "detail": {"type": "string", "minLength": 1},
        "also": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["key", "committed", "reproduced", "by", "detail", "also"],
    "additionalProperties": False,
}
SHAPE = {
    "type": "object",
    "properties": {name: {"type": "object", "additionalProperties": EXPLAINED} for name in ("tasks", "averages")},
    "required": ["suite", "result", "tasks", "possible", "averages", "ignored", "unpublished", "warnings"],
}


@pytest.fixture
def published(tmp_path):
    """One score of a rule, one of the first rows, one of nowhere, one without predictions, and more keys."""
    files = {"qasper": qa_rows(), "lcc": code_rows(), "musique": qa_rows(7), "samsum": qa_rows(3)}
    folder = write_predictions(tmp_path / "predictions", files)
    scores = {"qasper.jsonl": 97.53, "lcc_run_7": 100.0, "hotpotqa": 12.34, "musique": 0.5, "Avg": 3.5, "seed": 42}
    write_result(tmp_path / "result.json", scores)
    return folder


def test_json(cli, published):
    code, out, _ = cli("explain", published, "--json")
    shape = json.loads(out)
    jsonschema.validate(shape, SHAPE)
    assert code == 0
    assert list(shape["tasks"]) == ["qasper", "hotpotqa", "musique", "lcc"]
    assert shape["tasks"]["qasper"]["key"] == "qasper.jsonl"
    assert (shape["suite"], shape["ignored"], shape["unpublished"]) == ("longbench", ["seed"], ["samsum"])
    assert list(shape["averages"]) == ["Avg"]


def test_text_fits_the_terminal_and_ends_with_a_summary(cli, published, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = cli("explain", published)
    lines = out.splitlines()
    assert code == 0
    assert max(map(len, lines)) <= 80
    assert "predictions without a published score: samsum" in lines
    for task in ("qasper", "hotpotqa", "musique", "lcc"):
        assert any(line.split()[:1] == [task] for line in lines)
    assert " ".join(" ".join(lines).split()).endswith(
        "0 of 4 reproduced; not reproduced: qasper, hotpotqa, musique, lcc"
    )


def test_result_elsewhere(cli, published, tmp_path):
    elsewhere = write_result(tmp_path / "other.json", {"musique": 99.5})
    shape = json.loads(cli("explain", published, "--result", elsewhere, "--json")[1])
    assert (list(shape["tasks"]), shape["result"]) == (["musique"], str(elsewhere))


@pytest.mark.parametrize(
    ("words", "needle"),
    [
        (["nowhere"], "'nowhere' does not exist"),
        (["predictions", "--result", "nowhere.json"], "'nowhere.json' is no file"),
        (["predictions", "--result", "predictions/qasper.jsonl"], "is no JSON"),
    ],
)
def test_mistakes_are_one_message(cli, published, words, needle):
    code, _, err = cli("explain", *words)
    assert code == 1
    assert needle in err
    assert "Traceback" not in err


def test_the_page_lists_the_rules_and_averagings():
    rules = "".join(f"| `{rule.slug}` | {rule.about} |\n" for rule in RULES)
    assert rules in PAGE, f"paste this into docs/explain.md:\n\n{rules}"
    averagings = "".join(f"| `{name}` | {words} |\n" for name, (words, _) in AVERAGINGS.items())
    assert averagings in PAGE, f"paste this into docs/explain.md:\n\n{averagings}"
    assert f"fewer than {CHANCE_LIMIT} such fits are expected; from {SAID_FROM} on" in PAGE


def test_the_example_on_the_page_has_the_shape():
    example = PAGE.rsplit("```json\n", 1)[1].split("```")[0]
    jsonschema.validate(json.loads(example), SHAPE)
