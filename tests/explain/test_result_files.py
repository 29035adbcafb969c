"""Result files: where they lie, how keys are spelt, averages, and what is refused."""

import pytest
from samples_to_explain import qa_rows, write_predictions, write_result

from longbench_eval.errors import DataError
from longbench_eval.scoring.explain import AVERAGINGS, explain, read_published
from longbench_eval.tasks import TASKS

KEYS = [
    ("qasper", "qasper"),
    ("qasper_e", "qasper"),
    ("qasper.jsonl", "qasper"),
    ("qasper_e.jsonl", "qasper"),
    ("qasper-ws32_mc2048", "qasper"),
    ("pred/model/qasper.jsonl", "qasper"),
    ("longbench_qasper", "qasper"),
    ("LongBench_qasper", "qasper"),
    ("longbench_e_qasper", "qasper"),
    ("2WikiMQA", "2wikimqa"),
    ("2wikimqa_ws3_st20.0_snks0", "2wikimqa"),
    ("multifieldqa_en_e", "multifieldqa_en"),
    ("MultiFieldQA-zh", "multifieldqa_zh"),
    ("RepoBench-P", "repobench-p"),
    ("repobench_p", "repobench-p"),
    ("PassageRetrieval-en", "passage_retrieval_en"),
    ("GovReport", "gov_report"),
]


@pytest.mark.parametrize(("key", "task"), KEYS)
def test_keys_that_circulate(tmp_path, key, task):
    found = read_published(write_result(tmp_path / "r.json", {key: 12.5}))
    assert {name: entry.key for name, entry in found.scores.items()} == {task: key}


@pytest.mark.parametrize("key", ["qasperx", "multifieldqa", "config", "model", "hotpot", "recall", "small"])
def test_other_keys_are_ignored(tmp_path, key):
    found = read_published(write_result(tmp_path / "r.json", {"lcc": 1.5, key: 12.5}))
    assert (list(found.scores), found.ignored) == (["lcc"], (key,))


@pytest.mark.parametrize(("even", "key"), [(True, "qasper_e"), (False, "qasper")])
def test_the_suite_decides_between_two_keys(tmp_path, even, key):
    found = read_published(write_result(tmp_path / "r.json", {"qasper": 1.5, "qasper_e": 2.5}), even)
    assert found.scores["qasper"].key == key
    assert len(found.ignored) == 1


VALUES = [("12.5", 12.5), ('"12.5"', 12.5), ('"12.5%"', 12.5), ("12", 12.0), ("1.25e1", 12.5)]


@pytest.mark.parametrize(("spelt", "value"), VALUES)
def test_numbers_as_they_are_spelt(tmp_path, spelt, value):
    found = read_published(write_result(tmp_path / "r.json", f'{{"qasper": {spelt}}}'))
    assert found.scores["qasper"].committed[""].value == value


@pytest.mark.parametrize("spelt", ["NaN", "null", "-Infinity"])
def test_what_is_no_number_is_not_reproduced(tmp_path, spelt):
    folder = write_predictions(tmp_path / "pred", {"qasper": qa_rows(5)})
    found = explain(folder, write_result(tmp_path / "r.json", f'{{"qasper": {spelt}}}')).tasks["qasper"]
    assert (found.reproduced, found.by, found.to_json()["committed"]) == (False, None, None)


REFUSED = [
    ("[1]", ["no object", "'qasper'"]),
    ("{", ["no JSON"]),
    ("{}", ["names no task", "empty"]),
    ('{"model": 1}', ["names no task", "'model'"]),
    ('{"qasper": true}', ["'qasper'", "true", "expected a number"]),
    ('{"qasper": "good"}', ["'qasper'", "good", "expected a number"]),
    ('{"qasper": {"short": 1}}', ["expected a number", "0-4k, 4-8k, 8k+"]),
    ('{"qasper": {"0-4k": [1]}}', ["expected a number"]),
    ('{"qasper_a": 1, "qasper_b": 2}', ["'qasper_a' and 'qasper_b' both name qasper", "--result"]),
]


@pytest.mark.parametrize(("text", "needles"), REFUSED)
def test_broken_files_are_refused(tmp_path, text, needles):
    path = write_result(tmp_path / "r.json", text)
    with pytest.raises(DataError) as refusal:
        read_published(path)
    assert all(needle in str(refusal.value) for needle in ["r.json", *needles])


@pytest.mark.parametrize("place", ["pred/m/result.json", "pred/result.json", "pred/m/committed.json"])
def test_the_file_is_found_beside_the_predictions_or_above(tmp_path, place):
    folder = write_predictions(tmp_path / "pred" / "m", {"qasper": qa_rows(5)})
    write_result(tmp_path / place, {"qasper": 1.5})
    assert explain(folder).result == str(tmp_path / place)
    assert explain(folder / "qasper.jsonl").result == str(tmp_path / place)


def test_a_missing_file_is_asked_for(tmp_path):
    folder = write_predictions(tmp_path / "pred" / "m", {"qasper": qa_rows(5)})
    with pytest.raises(DataError, match=r"neither result.json nor committed.json .* `--result FILE`"):
        explain(folder)
    with pytest.raises(DataError, match="is no file"):
        explain(folder, tmp_path / "nowhere.json")


def test_what_has_no_partner_is_said(tmp_path):
    folder = write_predictions(tmp_path / "pred", {"qasper": qa_rows(5), "musique": qa_rows(5), "hotpotqa": []})
    found = explain(folder, write_result(tmp_path / "r.json", {"qasper": 1.5, "lcc": 2.5, "hotpotqa": 3.5, "note": 1}))
    assert (found.unpublished, found.ignored) == (("musique",), ("note",))
    assert found.tasks["lcc"].detail == "nothing to score: no predictions of it, as lcc.jsonl"
    assert found.tasks["hotpotqa"].detail == "nothing to score: its predictions file has no rows"


def test_averages_within_a_task_are_ignored(tmp_path):
    score = {"0-4k": 1.5, "4-8k": 2.5, "8k+": 3.5, "avg": 2.5}
    found = read_published(write_result(tmp_path / "r.json", {"qasper": score}))
    assert (list(found.scores["qasper"].committed), found.ignored) == (["0-4k", "4-8k", "8k+"], ("qasper.avg",))


SCORES = {task: 10.25 + 3 * i + (i % 4) / 8 for i, task in enumerate(TASKS)}
ENGLISH = {task: score for task, score in SCORES.items() if TASKS[task].language != "zh"}


def by_category(scores):
    means = {}
    for task, score in scores.items():
        means.setdefault(TASKS[task].category, []).append(score)
    return sum(sum(cell) / len(cell) for cell in means.values()) / len(means)


CHINESE = {task: score for task, score in SCORES.items() if TASKS[task].language != "en"}
MANY = [
    (SCORES, {"EN": by_category(ENGLISH)}, "EN"),
    (SCORES, {"average_zh": by_category(CHINESE)}, "ZH"),
    (SCORES, {"overall": by_category(SCORES)}, "All"),
    (SCORES, {"avg": sum(SCORES.values()) / 21}, "flat-21"),
    (SCORES, {"mean": sum(ENGLISH.values()) / 16}, "flat-16"),
    (ENGLISH, {"Avg.": sum(ENGLISH.values()) / 16}, "flat-16"),
    ({"lcc": 3.5, "qasper": 8.25}, {"avg": 5.875}, "flat"),
    (SCORES, {"averages": {"EN": by_category(ENGLISH)}}, "EN"),
    (SCORES, {"avg": 99.5}, None),
]


@pytest.mark.parametrize(("scores", "average", "by"), MANY)
def test_averages(tmp_path, scores, average, by):
    folder = write_predictions(tmp_path / "pred", {"qasper": qa_rows(5)})
    found = explain(folder, write_result(tmp_path / "r.json", {**scores, **average}))
    ((key, one),) = found.averages.items()
    assert key.split(".")[0] == next(iter(average)).split(".")[0]
    assert (one.by, one.reproduced) == (by, by is not None)
    assert by is None or AVERAGINGS[by][0] in one.detail


@pytest.mark.parametrize(
    ("average", "by"),
    [
        ({"avg": {"0-4k": 2.0, "4-8k": 3.0, "8k+": 4.0}}, "flat"),
        ({"0-4k": 2.0}, "flat"),
        ({"avg": 3.0}, "flat"),
        ({"avg": 3.5}, None),
    ],
)
def test_averages_by_length(tmp_path, average, by):
    folder = write_predictions(tmp_path / "pred", {"qasper_e": qa_rows(5)})
    scores = {"qasper_e": {"0-4k": 1.5, "4-8k": 2.5, "8k+": 3.5}, "lcc_e": {"0-4k": 2.5, "4-8k": 3.5, "8k+": 4.5}}
    found = explain(folder, write_result(tmp_path / "r.json", {**scores, **average}))
    assert [one.by for one in found.averages.values()] == [by]


def test_averages_may_be_of_the_unrounded_scores(tmp_path):
    rows = qa_rows(200)
    files = {"qasper": rows, "musique": rows[:77], "hotpotqa": rows[:111]}
    folder = write_predictions(tmp_path / "pred", files)
    first = explain(folder, write_result(tmp_path / "r.json", dict.fromkeys(files, 1.5)))
    assert first.averages == {}
    from longbench_eval.scoring import score

    values = {task: one.value for task, one in score(folder).tasks.items()}
    published = {task: round(value, 1) for task, value in values.items()} | {"avg": round(sum(values.values()) / 3, 6)}
    (one,) = explain(folder, write_result(tmp_path / "r.json", published)).averages.values()
    assert (one.by, one.detail.endswith("of the unrounded scores")) == ("flat", True)
