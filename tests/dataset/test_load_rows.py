import subprocess
import sys

import pytest
from fake_longbench import SHARED, encode, facts_of, make_rows, needs_shared, write, write_zip

from longbench_eval.dataset import load_examples, load_rows
from longbench_eval.dataset.official import official_files
from longbench_eval.errors import DataError, UsageError
from longbench_eval.tasks import TASKS, get_suite

LONGBENCH, LONGBENCH_E, MINI, DEMO = map(get_suite, ("longbench", "longbench-e", "minilongbench", "demo"))
ROWS = make_rows(200)
FACTS = facts_of(dict.fromkeys(official_files(), ROWS))


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "f" / "data" / "qasper.jsonl", encode(ROWS))
    write(tmp_path / "f" / "data" / "qasper_e.jsonl", encode(ROWS))
    return tmp_path / "f"


def load(folder, tasks=("qasper",), suite=LONGBENCH, **options):
    return load_rows(suite, tasks, folder, facts=FACTS, **options)


def test_official_rows_come_in_file_order(folder):
    rows = load(folder)["qasper"]
    assert (rows.task, rows.proof, rows.detail) == ("qasper", "official", "the official file")
    assert rows.sha256 == FACTS.files["qasper"].sha256
    assert [example.id for example in rows.examples] == [row["_id"] for row in ROWS]
    assert [rows.examples[i].answers for i in (0, 9, -1)] == [("answer 0",), ("answer 9",), ("answer 199",)]


def test_a_zip_gives_the_same_rows(folder, tmp_path):
    path = write_zip(tmp_path / "x.zip", {"data/qasper.jsonl": encode(ROWS)})
    rows, same = load(path)["qasper"], load(folder)["qasper"]
    assert list(rows.examples) == list(same.examples)
    assert (rows.proof, rows.sha256) == (same.proof, same.sha256)


def test_the_suite_names_the_file(folder):
    write(folder / "data" / "qasper.jsonl", b"broken")
    assert load(folder, suite=LONGBENCH_E)["qasper"].proof == "official"


UNPROVED = [
    (ROWS[:3], "unofficial", "row 3 is missing"),
    (make_rows(200, context="other"), "answers-agree", "the contexts are unproved"),
    (make_rows(200, length=...), "unofficial", r"row 0 \(line 1\) is different: it stores no length"),
]


@pytest.mark.parametrize(("rows", "proof", "detail"), UNPROVED)
def test_unproved_rows_need_the_option(rows, proof, detail, folder):
    write(folder / "data" / "qasper.jsonl", encode(rows))
    with pytest.raises(DataError, match=detail) as error:
        load(folder)
    for remedy in ("longbench-eval data pull", "--allow-unofficial", f"longbench-eval data verify {folder}"):
        assert remedy in str(error.value)
    taken = load(folder, allow_unofficial=True)["qasper"]
    assert (taken.proof, len(taken.examples)) == (proof, len(rows))


def test_broken_rows_are_never_taken(folder):
    write(folder / "data" / "qasper.jsonl", encode(ROWS[:1]) + b"[]\n")
    with pytest.raises(DataError, match=r"qasper.jsonl, line 2: found a list"):
        load(folder, allow_unofficial=True)
    write(folder / "data" / "qasper.jsonl", encode([ROWS[0], ROWS[0]]))
    with pytest.raises(DataError, match=r"line 2: the _id .* is that of line 1 too"):
        load(folder, allow_unofficial=True)
    write(folder / "data" / "qasper.jsonl", b"\n\n")
    with pytest.raises(DataError, match="holds no rows; LongBench has 200"):
        load(folder, allow_unofficial=True)


def test_missing_files_are_named_together_with_what_is_there(folder):
    write(folder / "data" / "lcc.jsonl", encode(ROWS))
    there = r"take those that are there \(qasper,lcc; a run by --tasks\)"
    with pytest.raises(DataError, match=rf"lacks trec.jsonl, lsht.jsonl: {there}, or .*data pull"):
        load(folder, tasks=("qasper", "trec", "lsht"))
    with pytest.raises(DataError, match=r"lacks lcc_e.jsonl: take those that are there \(qasper;"):
        load(folder, tasks=("lcc",), suite=LONGBENCH_E)
    (folder / "data" / "qasper_e.jsonl").unlink()
    with pytest.raises(DataError, match=r"lacks lcc_e.jsonl: fetch all with"):
        load(folder, tasks=("lcc",), suite=LONGBENCH_E)


def test_minilongbench_is_selected_from_the_full_file(folder):
    rows = load(folder, suite=MINI)["qasper"]
    numbers = MINI.row_numbers["qasper"]
    assert rows.proof == "official"
    assert [example.id for example in rows.examples] == [ROWS[number]["_id"] for number in numbers]


def test_minilongbench_takes_a_file_of_its_size_whole_as_unofficial(folder):
    count = MINI.counts["qasper"]
    write(folder / "data" / "qasper.jsonl", encode(ROWS[:count]))
    with pytest.raises(DataError, match="--allow-unofficial"):
        load(folder, suite=MINI)
    rows = load(folder, suite=MINI, allow_unofficial=True)["qasper"]
    assert (rows.proof, len(rows.examples)) == ("unofficial", count)
    assert "taken whole" in rows.detail
    write(folder / "data" / "qasper.jsonl", encode(ROWS[:50]))
    with pytest.raises(DataError, match=f"has 50 rows; minilongbench selects {count} from a file of 200"):
        load(folder, suite=MINI, allow_unofficial=True)


def test_without_a_path_rows_come_from_what_was_pulled(folder, monkeypatch):
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(folder.parent / "cache"))
    with pytest.raises(DataError, match="longbench-eval data pull"):
        load(None)
    (folder.parent / "cache").mkdir()
    folder.rename(folder.parent / "cache" / "longbench")
    assert load(None)["qasper"].proof == "official"


def test_the_demo_suite_brings_its_own_rows(folder, monkeypatch):
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(folder / "empty"))
    rows = load_rows(DEMO, DEMO.tasks)
    assert list(rows) == list(TASKS)
    assert all(r.proof == "demo" and len(r.examples) == 2 for r in rows.values())
    ids = [example.id for r in rows.values() for example in r.examples]
    assert len(set(ids)) == 42
    with pytest.raises(UsageError, match="brings its own rows; leave out --data"):
        load(folder, suite=DEMO)


def test_load_examples_is_the_short_form(folder):
    with pytest.raises(DataError, match="--allow-unofficial"):
        load_examples("qasper", data=folder)
    assert len(load_examples("qasper", data=str(folder), allow_unofficial=True)) == 200
    assert len(load_examples("trec", "demo")) == 2
    with pytest.raises(UsageError, match="Did you mean 'qasper'"):
        load_examples("casper")
    with pytest.raises(UsageError, match="has no task 'lsht'"):
        load_examples("lsht", "longbench-e")


def test_importing_the_package_stays_cheap():
    code = "import longbench_eval.dataset, sys; print({'huggingface_hub', 'numpy', 'rich', 'click'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


@needs_shared
def test_original_files_load_as_official():
    rows = load_rows(LONGBENCH, ("multi_news", "multifieldqa_zh", "passage_retrieval_zh"), SHARED)
    assert all(r.proof == "official" and len(r.examples) == 200 for r in rows.values())
    assert rows["multi_news"].examples[0].length == 2099
    assert len(load_rows(MINI, ("multi_news",), SHARED)["multi_news"].examples) == 11


@needs_shared
@pytest.mark.parametrize("suite", [LONGBENCH, MINI], ids=lambda suite: suite.name)
def test_the_237_sample_rows_load_as_unofficial(suite):
    rows = load_rows(suite, suite.tasks, SHARED / "samples", allow_unofficial=True)
    assert {task: len(r.examples) for task, r in rows.items()} == dict(MINI.counts)
    assert {r.proof for r in rows.values()} == {"unofficial"}
    examples = [example for r in rows.values() for example in r.examples]
    assert len({example.id for example in examples}) == len(examples) == 237
    assert all(example.length > 0 for example in examples)
    with pytest.raises(DataError, match=r"narrativeqa.jsonl is not the official file: row 0"):
        load_rows(suite, suite.tasks, SHARED / "samples")
