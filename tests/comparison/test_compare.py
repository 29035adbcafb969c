"""Whole comparisons of written predictions."""

import json
import random

import numpy as np
import pytest
from made_runs import FEW, answered

import longbench_eval
from longbench_eval.comparison import CompareSettings, compare
from longbench_eval.errors import DataError, UsageError
from longbench_eval.tasks import CATEGORIES, TASKS, get_suite

SETTINGS = CompareSettings(resampling=FEW)
TWO = ("trec", "gov_report")


def compared(*paths, **options):
    return compare(*paths, settings=CompareSettings(resampling=FEW, **options))


@pytest.fixture
def pair(folder):
    return [
        folder("a", {task: answered(task, range(0, 60)) for task in TWO}),
        folder("b", {task: answered(task, range(40, 120)) for task in TWO}),
    ]


def test_differences_wins_and_scores(pair):
    item = compared(*pair).by_name["trec"]
    (effect,) = item.effects
    assert item.scores == (pytest.approx(70), pytest.approx(60))
    assert effect.difference == pytest.approx(-10)
    assert (effect.wins, effect.ties, effect.losses) == (40, 100, 60)
    assert effect.interval.low < -10 < effect.interval.high
    assert effect.interval.standard_error == pytest.approx(100 * np.sqrt((0.5 - 0.01) / 199), rel=1e-6)
    assert effect.detectable > effect.interval.standard_error
    assert effect.p <= effect.p_adjusted


def test_any_order_of_rows_gives_the_same_comparison(pair, folder):
    rng = random.Random(3)
    shuffled = {}
    for name, path in zip("ab", pair, strict=True):
        rows = {task: (path / f"{task}.jsonl").read_text("utf-8").splitlines() for task in TWO}
        files = {task: [json.loads(line) for line in rng.sample(lines, len(lines))] for task, lines in rows.items()}
        for rows in files.values():
            rows.sort(key=lambda row: row["all_classes"] is None)
        shuffled[name] = folder(f"shuffled/{name}", files)
    assert compared(*shuffled.values()).items == compared(*pair).items


def test_the_other_way_round_is_the_same_but_for_the_sign(pair):
    there, back = compared(*pair).by_name, compared(*pair[::-1]).by_name
    for name in TWO:
        (one,), (other,) = there[name].effects, back[name].effects
        assert (one.difference, one.wins, one.losses) == (-other.difference, other.losses, other.wins)
        assert one.p == pytest.approx(other.p, abs=0.02)


def test_what_a_task_gets_does_not_depend_on_other_tasks_but_for_the_correction(pair):
    whole, part = compared(*pair).by_name["trec"], compared(*pair, tasks=("trec",)).by_name["trec"]
    assert (whole.effects[0].interval, whole.effects[0].p) == (part.effects[0].interval, part.effects[0].p)
    assert part.effects[0].p == part.effects[0].p_adjusted < whole.effects[0].p_adjusted


def test_averages_are_formed_of_what_both_have_in_full(folder):
    files = {task: answered(task, range(20)) for task in TASKS}
    found = compared(folder("a", files), folder("b", {**files, "vcsum": files["vcsum"][:150]}))
    assert found.by_name["summarization"].withheld == ("vcsum has 150 of 200 rows in B",)
    assert found.by_name["summarization"].scores == ()
    assert found.by_name["EN"].n == 3750
    assert found.headline == "EN"
    assert found.by_name["vcsum"].n == 150
    assert "rows without counterpart in A, not compared: vcsum 50" in found.notes


def test_all_tasks_give_every_category_and_average(folder):
    one, two = (folder(n, {task: answered(task, range(k)) for task in TASKS}) for n, k in (("a", 20), ("b", 30)))
    found = compared(one, two)
    assert found.by_name.keys() == {*TASKS, *CATEGORIES, "EN", "ZH", "All", "mean of tasks"}
    assert found.headline == "All"
    effects = {name: item.effects[0].difference for name, item in found.by_name.items()}
    assert effects["code"] == pytest.approx((effects["lcc"] + effects["repobench-p"]) / 2)
    assert found.by_name["All"].scores[0] == pytest.approx(longbench_eval.score(one).averages["All"].value)
    assert effects["All"] == pytest.approx(np.mean([effects[name] for name in CATEGORIES]))


def test_longbench_e_is_compared_by_length_too(folder):
    tasks = get_suite("longbench-e").tasks
    one, two = (folder(n, {t: answered(t, range(k), "longbench-e") for t in tasks}) for n, k in (("a", 9), ("b", 30)))
    found = compared(one, two)
    assert found.suite.name == "longbench-e"
    assert found.by_name["trec 0-4k"].kind == "bucket"
    assert found.by_name["8k+"].scores[1] == pytest.approx(longbench_eval.score(two).bucket_averages["8k+"].value)
    assert found.by_name["few-shot 4-8k"].kind == "category"
    assert found.headline == "mean of tasks"


def test_three_runs_are_compared_with_the_first_and_corrected_together(folder):
    runs = [folder(name, {"trec": answered("trec", range(k))}) for name, k in (("a", 20), ("b", 40), ("c", 23))]
    item = compared(*runs).by_name["trec"]
    assert [effect.difference for effect in item.effects] == [pytest.approx(-10), pytest.approx(-1.5)]
    assert item.effects[0].p_adjusted == pytest.approx(2 * item.effects[0].p)
    assert "|boot:1000@seed0|test:signs-2000@seed0|" in str(compared(*runs).signature)
    assert [side.letter for side in compared(*runs).sides] == ["A", "B", "C"]


def test_identical_runs_do_not_differ(folder):
    one, two = (folder(name, {"trec": answered("trec", range(20))}) for name in "ab")
    (effect,) = compared(one, two).by_name["trec"].effects
    assert (effect.difference, effect.p, effect.wins, effect.losses, effect.detectable) == (0, 1, 0, 0, None)
    assert effect.interval.low < 0 < effect.interval.high


def test_ids_and_contexts_of_runs_are_used(run):
    one, two = (run(name, {"trec": answered("trec", wrong)}, shared=4) for name, wrong in (("a", ()), ("b", range(40))))
    found = compared(one, two)
    assert (found.by_name["trec"].n, found.by_name["trec"].clusters) == (200, 50)
    assert "|clusters:contexts|" in str(found.signature)
    assert {"rows are paired by id", "rows of one context are kept together: trec"} <= set(found.notes)


def test_a_run_and_a_folder_are_paired_by_answers(run, folder):
    found = compared(run("a", {"trec": answered("trec", ())}), folder("b", {"trec": answered("trec", range(9))}))
    assert found.by_name["trec"].n == 200
    assert "rows are paired by answers, length and occurrence" in found.notes
    assert "prompts, truncation and decoding unknown: B (no run directory)" in found.notes


def test_failed_rows_are_named_and_keep_averages_away(run):
    rows = answered("trec", ())
    failing = [row | {"pred": None} if i < 3 else row for i, row in enumerate(rows)]
    found = compared(run("a", {"trec": rows}), run("b", {"trec": failing}))
    assert found.by_name["trec"].n == 197
    assert "rows without an answer in B, not compared: trec 3" in found.notes
    assert "rows without counterpart in A, not compared: trec 3" in found.notes


def test_appended_runs_are_paired_by_occurrence_and_are_no_new_evidence(folder):
    rows = [answered("trec", wrong) for wrong in (range(20), range(40))]
    once = compared(*(folder(f"once{i}", {"trec": some}) for i, some in enumerate(rows))).by_name["trec"]
    twice = compared(*(folder(f"twice{i}", {"trec": some * 2}) for i, some in enumerate(rows))).by_name["trec"]
    assert (twice.n, twice.clusters) == (400, 200)
    assert twice.effects[0].interval.standard_error == pytest.approx(once.effects[0].interval.standard_error)


def test_tasks_that_one_side_lacks_are_named(folder):
    one = folder("a", {task: answered(task, ()) for task in TWO})
    found = compared(one, folder("b", {"trec": answered("trec", range(3))}))
    assert "tasks of A that are not compared: gov_report" in found.notes
    assert [item.name for item in found.items if item.kind == "task"] == ["trec"]


def test_nothing_in_common_is_an_error(folder):
    one = folder("a", {"trec": answered("trec", ())[:100]})
    with pytest.raises(DataError, match="a and b have no row in common"):
        compared(one, folder("b", {"trec": answered("trec", ())[100:]}))


def test_one_run_is_too_few(folder):
    with pytest.raises(UsageError, match="1 runs are given"):
        compared(folder("a", {"trec": answered("trec", ())}))


def test_runs_of_one_name_are_told_apart_by_their_paths(folder):
    paths = [folder(f"{x}/predictions", {"trec": answered("trec", ())}) for x in ("x/m", "y/m")]
    assert [side.name for side in compared(*paths).sides] == [str(path) for path in paths]
    assert compared(paths[0], folder("other", {"trec": answered("trec", ())})).sides[0].name == "m"


def test_stored_scores_are_not_scored_again(run, monkeypatch):
    from longbench_eval.files import json_line
    from longbench_eval.scoring.stored import SCORES, score_lines

    paths = [run(name, {"trec": answered("trec", range(k))}) for name, k in (("a", 3), ("b", 9))]
    before = compared(*paths)
    for path in paths:
        lines = "".join(json_line(line) for line in score_lines(longbench_eval.score(path)))
        (path / SCORES).write_text(lines, encoding="utf-8")
    monkeypatch.setattr("longbench_eval.scoring.rows.score_row", None)
    assert compared(*paths).items == before.items
    with pytest.raises(TypeError):
        compared(*paths, profile="kvpress")


def test_the_public_name():
    assert longbench_eval.compare is compare


def test_json_is_plain(pair):
    found = compared(*pair)
    shape = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert list(shape) == ["signature", "suite", "profile", "level", "runs", "headline", "items", "withheld", "notes"]
    assert shape["items"][0]["name"] == "gov_report"
    assert shape["items"][0]["effects"][0].keys() == {
        *("difference", "interval", "standard_error", "p", "p_adjusted", "wins", "ties", "losses", "detectable")
    }
    assert shape["withheld"]["All"].startswith("narrativeqa is not compared; qasper is")
