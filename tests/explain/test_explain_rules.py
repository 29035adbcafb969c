"""Each rule where it is the truth: predictions, how they were scored, what is found; and what is not found."""

import json
import math
import re
from statistics import fmean

import pytest
from samples_to_explain import again, code_rows, qa_rows, row, write_predictions, write_result

from longbench_eval.metrics import METRICS
from longbench_eval.scoring.explain import CHANCE_LIMIT, RULES, explain
from longbench_eval.scoring.explain.evidence import WAYS, gather
from longbench_eval.scoring.folder import read_folder
from longbench_eval.scoring.profiles import PROFILES
from longbench_eval.scoring.rows import score_rows


def percents(rows, metric="qa_f1"):
    """The rows' scores by the metric alone, 0 to 100."""
    return [100 * max(METRICS[metric](one["pred"], answer) for answer in one["answers"]) for one in rows]


def mean(values, decimals=2):
    return round(fmean(values), decimals)


def cut(value, decimals=2):
    return math.floor(value * 10**decimals) / 10**decimals


def even(rows, edges=(4000, 8000), inclusive=False, decimals=2):
    """Means by length."""
    cells = [[], [], []]
    for one, value in zip(rows, percents(rows), strict=True):
        cells[sum(one["length"] > edge if inclusive else one["length"] >= edge for edge in edges)].append(value)
    return {bucket: mean(cell, decimals) for bucket, cell in zip(("0-4k", "4-8k", "8k+"), cells, strict=True)}


QA = qa_rows()
QA_E = [{**one, "length": 4000 if i % 9 == 0 else one["length"]} for i, one in enumerate(qa_rows(224))]
SECOND = again(QA)
CODE = code_rows()
BLANK_FIRST = [{**one, "pred": f"  \n{one['pred']}"} if i % 3 else one for i, one in enumerate(CODE)]
INDENTED = [row("    " + one["pred"], ["    " + one["answers"][0]], one["length"]) for one in CODE]
COUNTS = [row(str(i % 5), [str(i % 3), str(i % 3)], i) for i in range(40)]
CHINESE = [row("北京在中国" if i % 7 else "北京", ["北京"], i) for i in range(200)]
PLACES = [row(f"段落{i % 7}", [f"段落{i % 4}"], i) for i in range(200)]
SPARSE = [{**one, "pred": ""} if i % 8 == 0 else one for i, one in enumerate(QA)]
PERCENTS = percents(QA)

# file stem, rows, published score, the rule, what the detail says
TRUTHS = [
    ("qasper", QA, mean(PERCENTS), "official", "all 200 rows"),
    ("lcc", CODE, mean(percents(CODE, "code_sim")), "official", "all 60 rows; edit similarity of difflib"),
    ("lcc", CODE, mean(percents(CODE, "code_sim_levenshtein")), "official-levenshtein", "of python-Levenshtein"),
    ("lcc", BLANK_FIRST, mean(percents(CODE, "code_sim")), "lm-eval", PROFILES["lm-eval"].about),
    (
        "passage_count",
        COUNTS,
        mean([200 * (i % 5 == i % 3) for i in range(40)]),
        "opencompass",
        PROFILES["opencompass"].about,
    ),
    (
        "lcc",
        INDENTED,
        mean(percents([row(one["pred"].lstrip(), one["answers"], 0) for one in INDENTED], "code_sim")),
        "kvpress",
        PROFILES["kvpress"].about,
    ),
    ("passage_retrieval_zh", PLACES, 0.0, "english-rule-error", "its error was taken as 0.0; a 0.0 fits much"),
    ("multifieldqa_zh", CHINESE, mean(percents(CHINESE)), "english-rule", "the English qa_f1"),
    ("gov_report", QA, 0.0, "rouge-raised", "a 0.0 fits much"),
    (
        "qasper",
        QA + SECOND[:40],
        mean(PERCENTS),
        "ignored-duplicates",
        "40 repeated rows counted once, by the first prediction (left out: line 201 to 240)",
    ),
    (
        "qasper",
        SECOND[:40] + QA,
        mean(PERCENTS),
        "ignored-duplicates",
        "by the last prediction (left out: line 1 to 40)",
    ),
    ("qasper", QA + SECOND, mean(PERCENTS), "appended-runs", "2 runs stand in the file"),
    ("qasper", SECOND + QA, mean(PERCENTS), "appended-runs", "scored was run 2 alone, lines 201 to 400"),
    ("qasper", QA + SECOND + again(QA, 6), mean(percents(QA + SECOND)), "appended-runs", "were the first 2"),
    ("qasper_e", QA_E, even(QA_E), "official", "all 224 rows"),
    ("qasper_e", QA_E, even(QA_E, inclusive=True), "other-buckets", "up to 4000 and 8000 inclusive: 25 rows"),
    ("qasper_e", QA_E, even(QA_E, (4096, 8192)), "other-buckets", "below 4096 and 8192"),
    ("qasper_e", QA_E, mean(percents(QA_E)), "other-averaging", "one mean over all rows, not by length"),
    ("qasper_e", QA_E, mean(even(QA_E, decimals=9).values()), "other-averaging", "the mean of the 3 buckets' means"),
    ("qasper", QA, even(QA), "other-averaging", "means by length"),
    ("qasper", QA, mean(PERCENTS) / 100, "other-averaging", "on the scale from 0 to 1"),
    ("qasper", SPARSE, mean(percents([one for one in SPARSE if one["pred"]])), "other-averaging", "25 rows without an"),
    ("qasper", QA[:150], round(sum(PERCENTS[:150]) / 200, 2), "other-averaging", "50 missing rows counted as 0"),
    ("qasper", QA, mean([round(one / 100, 2) * 100 for one in PERCENTS], 4), "other-averaging", "every row rounded"),
    ("qasper", QA, mean(PERCENTS[:60]), "first-N-rows", "the first 60 of 200 rows"),
    ("qasper_e", QA_E, even(QA_E[:190]), "first-N-rows", "the first 190 of 224 rows"),
    (
        "lcc",
        CODE,
        mean(percents(CODE[:17], "code_sim_levenshtein"), 6),
        "first-N-rows",
        "the first 17 of 60 rows; edit",
    ),
]


def explained(tmp_path, stem, rows, committed, more=None):
    folder = write_predictions(tmp_path / "predictions", {stem: rows})
    result = write_result(tmp_path / "result.json", {stem: committed, **(more or {})})
    (found,) = explain(folder, result).tasks.values()
    return found


@pytest.mark.parametrize(("stem", "rows", "committed", "rule", "detail"), TRUTHS)
def test_the_true_rule_is_found(tmp_path, stem, rows, committed, rule, detail):
    found = explained(tmp_path, stem, rows, committed)
    assert (found.by, found.reproduced) == (rule, True), found
    assert detail in found.detail


def test_every_rule_is_the_truth_somewhere():
    assert {rule for *_, rule, _ in TRUTHS} == {rule.slug for rule in RULES}


# Scores in a file of numbers with two decimals, or with these.
PRINTED = [
    (round(fmean(PERCENTS), 1), 12.34, "other-averaging", "rounded to 1 decimal"),
    (round(fmean(PERCENTS)), 12.34, "other-averaging", "rounded to a whole number"),
    (cut(fmean(PERCENTS), 1), 12.34, "other-averaging", "cut, not rounded, to 1 decimal"),
    (round(fmean(PERCENTS), 1), 12.3, "official", "all 200 rows"),
    (round(fmean(PERCENTS)), 12, "official", "all 200 rows"),
    (fmean(PERCENTS), 12.3456789, "official", "all 200 rows"),
]


@pytest.mark.parametrize(("committed", "neighbour", "rule", "detail"), PRINTED)
def test_numbers_count_with_the_decimals_of_their_file(tmp_path, committed, neighbour, rule, detail):
    found = explained(tmp_path, "qasper", QA, committed)
    write_result(tmp_path / "result.json", {"qasper": committed, "hotpotqa": neighbour, "musique": neighbour})
    found = explain(tmp_path / "predictions", tmp_path / "result.json").tasks["qasper"]
    assert (found.by, found.reproduced) == (rule, True), found
    assert detail in found.detail


def test_cut_digits(tmp_path):
    rows = next(QA[:n] for n in range(200, 100, -1) if cut(fmean(PERCENTS[:n])) != mean(PERCENTS[:n]))
    found = explained(tmp_path, "qasper", rows, cut(fmean(percents(rows))))
    assert found.by == "other-averaging"
    assert found.detail.startswith("cut, not rounded, to 2 decimals")
    assert found.possible == ("first-N-rows",) or not found.possible


def test_the_simplest_rule_goes_first_and_the_others_are_listed(tmp_path):
    right = [{**one, "pred": one["answers"][0]} for one in CODE]
    found = explained(tmp_path, "passage_retrieval_zh", [{**one, "pred": "no"} for one in PLACES], 0.0)
    assert (found.by, found.also) == ("official", ("english-rule-error",))
    assert "every row scores 0" in found.detail
    assert explained(tmp_path / "code", "lcc", right, 100.0).also == ()  # Levenshtein would be no other rule here


def test_many_rows_near_the_number_make_the_first_rows_only_possible(tmp_path):
    flat = [row("right" if i % 2 else "wrong", ["right"], i) for i in range(200)]
    found = explained(tmp_path, "qasper", flat, round(100 * 91 / 183, 2))
    assert (found.by, found.reproduced) == ("first-N-rows", False)
    assert "the first 183 of 200 rows; only possible: " in found.detail
    assert float(re.search(r"(\d+\.\d) such fits", found.detail)[1]) >= CHANCE_LIMIT


def test_a_zero_of_the_first_rows_is_only_possible(tmp_path):
    found = explained(tmp_path, "qasper", [{**QA[0], "pred": "no", "length": 1}, *QA], 0.0)
    assert (found.by, found.reproduced) == ("first-N-rows", False)
    assert found.detail.endswith("only possible: a 0.0 fits much")


def test_nothing_is_found_for_a_number_from_elsewhere(tmp_path):
    found = explained(tmp_path, "qasper", QA, 97.53)
    assert (found.by, found.reproduced, found.also) == (None, False, ())
    off = 97.53 - fmean(PERCENTS)
    assert re.search(r"nothing reproduces it; nearest is [\w-]+ with [\d.]+, off by (\d+)", found.detail)
    assert float(found.detail.rsplit(" ", 1)[1]) <= off + 0.5


def test_buckets_under_different_rules_are_not_reproduced_by_one(tmp_path):
    mixed = {**even(QA_E), "4-8k": even(QA_E, (4096, 8192))["4-8k"], "0-4k": even(QA_E, (4096, 8192))["0-4k"]}
    mixed["8k+"] = round(mixed["8k+"], 1)
    found = explained(tmp_path, "qasper_e", QA_E, mixed)
    assert (found.by, found.reproduced) == (None, False)
    assert found.detail.startswith("no one rule reproduces it: ")
    assert "0-4k" in found.detail
    assert "by other-buckets" in found.detail


def test_an_empty_bucket_is_nan(tmp_path):
    short = qa_rows(50)
    folder = write_predictions(tmp_path / "pred", {"qasper_e": short})
    text = json.dumps({"qasper": {"0-4k": mean(percents(short)), "4-8k": math.nan, "8k+": math.nan}})
    found = explain(folder, write_result(tmp_path / "result.json", text)).tasks["qasper"]
    assert (found.by, found.reproduced) == ("official", True)
    assert found.to_json()["committed"] == {"0-4k": mean(percents(short)), "4-8k": None, "8k+": None}


@pytest.mark.parametrize("stem", ["qasper", "lcc", "passage_count", "multifieldqa_zh", "trec", "dureader", "lcc_e"])
def test_reused_row_values_are_those_of_scoring_again(tmp_path, stem):
    rows = {"lcc": BLANK_FIRST + INDENTED, "lcc_e": INDENTED, "passage_count": COUNTS, "multifieldqa_zh": CHINESE}
    rows |= {"trec": [row(" \nb or a", ["b"], i, ["a", "b"]) for i in range(5)] + [row("a", ["a"], 9, ["a"])]}
    rows |= {"dureader": [{**one, "answers": [*one["answers"], "另一个答案"]} for one in CHINESE[:9]]}
    folder = write_predictions(tmp_path / "pred", {stem: rows.get(stem, QA)})
    found = read_folder(folder)
    ((task, predictions),) = found.files.items()
    evidence = gather(found.suite, task, predictions, {})
    for way in WAYS:
        if way.name not in evidence.raised:
            values = [score.value for score in score_rows(task, predictions, way, found.suite)]
            assert values in evidence.values.values(), way.name
            assert evidence.values.get(way.name, values) == values
