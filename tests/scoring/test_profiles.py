"""What each profile does differently, row by row; lm-eval's against its own module."""

import importlib.util
import json
import os
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from longbench_eval.predictions import read_predictions
from longbench_eval.scoring import PROFILES, score_profiles, score_row, score_rows
from longbench_eval.tasks import TASKS, get_suite

SHARED = Path(__file__).parents[2].parent / "shared"
EVERY = 1 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 40

ROWS = [
    # task, prediction, answers, {profile: expected}, why
    ("qasper", " a cat", ["cat"], {"official": 1, "lm-eval": 1, "kvpress": 1}, "normalization strips anyway"),
    ("trec", "\nFood", ["Food"], {"official": 1, "lm-eval": 0, "kvpress": 1}, "lm-eval stops at the first newline"),
    ("trec", " \nFood", ["Food"], {"official": 0, "lm-eval": 0, "kvpress": 1}, "kvpress strips before the first line"),
    ("lcc", "\n\nx = 1", ["x = 1"], {"official": 1, "lm-eval": 1, "kvpress": 1}, "leading newlines are dropped"),
    ("lcc", "# no\n\nx = 1", ["x = 1"], {"official": 0, "lm-eval": 1}, "lm-eval passes over blank lines"),
    ("lcc", "    x", ["    x"], {"official": 1, "lm-eval": 1, "kvpress": 0.33}, "kvpress loses the indentation"),
    ("lcc", "abcd", ["bacd"], {"official": 0.75, "official-levenshtein": 0.75, "opencompass": 0.75}, "one swap"),
    ("passage_count", "3", ["3", "3"], {"official": 1, "opencompass": 2}, "opencompass sums over the answers"),
    ("passage_retrieval_zh", "段落1", ["段落1", "段落1"], {"official": 1, "opencompass": 2}, "in Chinese too"),
    ("hotpotqa", "b", ["b", "b"], {"official": 1, "opencompass": 1}, "but not F1"),
]


@pytest.mark.parametrize(("task", "prediction", "answers", "expected", "why"), ROWS, ids=[row[-1] for row in ROWS])
def test_rows(task, prediction, answers, expected, why):
    classes = ("Food", "Date")
    found = {name: score_row(task, prediction, answers, classes, PROFILES[name]).value for name in expected}
    assert found == pytest.approx(expected, abs=1e-12), why


def test_kvpress_scores_longbench_e_officially():
    arguments = ("lcc", "    x", ["    x"], None, PROFILES["kvpress"])
    assert score_row(*arguments, get_suite("longbench-e")).value == 1


def test_opencompass_cuts_chinese_predictions_again_for_every_further_answer():
    text = "他来到了网易杭研大厦A股市场"
    once = score_row("dureader", text, [text], None, PROFILES["opencompass"])
    official = score_row("dureader", text, [text])
    assert once == official
    again = score_row("dureader", text, ["无", text], None, PROFILES["opencompass"]).value
    assert 0 < again <= official.value


def test_whose_classes_count(tmp_path):
    lines = [("Food", ["Food"]), ("Date", ["Date"])]
    rows = [{"pred": "Food Date", "answers": [p], "all_classes": c, "length": 1} for p, c in lines]
    path = tmp_path / "trec.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = {name: [s.value for s in score_rows("trec", read_predictions(path), p)] for name, p in PROFILES.items()}
    assert found["official"] == [0, 1]
    assert found["kvpress"] == [1, 0]
    assert found["lm-eval"] == [1, 1]


def test_several_profiles_at_once_are_each_what_it_is_alone(tmp_path):
    (tmp_path / "lcc.jsonl").write_text('{"pred": "abc", "answers": ["acb"], "all_classes": null, "length": 1}\n')
    together = score_profiles(tmp_path, list(PROFILES))
    assert together == [score_profiles(tmp_path, [name])[0] for name in PROFILES]
    assert [summary.profile for summary in together] == list(PROFILES)


@pytest.fixture(scope="module")
def lm_eval():
    """lm-eval's LongBench module, loaded from its file: importing the package would need all its dependencies."""
    package = importlib.util.find_spec("lm_eval")
    if package is None or not package.submodule_search_locations:
        pytest.skip("lm-eval is not installed")
    path = Path(package.submodule_search_locations[0]) / "tasks" / "longbench" / "metrics.py"
    return SourceFileLoader("lm_eval_longbench_metrics", str(path)).load_module()


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the public predictions")
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("task", TASKS)
def test_lm_eval_profile_equals_its_module(lm_eval, task):
    score = getattr(lm_eval, f"get_{TASKS[task].metric}_score")
    checked = 0
    for path in sorted((SHARED / "oracle").glob(f"*/predictions/{task}.jsonl")):
        rows = read_predictions(path)[::EVERY]
        for row, ours in zip(rows, score_rows(task, rows, PROFILES["lm-eval"]), strict=True):
            kept = row.pred.split("\n")[0] if TASKS[task].first_line else row.pred
            (theirs,) = score({"answers": row.answers, "all_classes": row.all_classes}, [kept]).values()
            assert ours.value == pytest.approx(theirs, abs=1e-12), (path, row)
            checked += 1
    assert checked
