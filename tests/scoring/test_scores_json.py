"""The JSON of scores, held against the schema in the docs."""

import json
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from official_rows import record, records, write

from longbench_eval.manifest import Manifest
from longbench_eval.scoring import PROFILES, score
from longbench_eval.scoring.intervals import with_intervals
from longbench_eval.scoring.noise import without_noise
from longbench_eval.tasks import CATEGORIES, SUITE_NAMES, TASKS, get_suite

DOCS = Path(__file__).parents[2] / "docs" / "scores-schema.md"
ORACLE = Path(__file__).parents[3] / "shared" / "oracle"
COUNTS = {"failed", "truncated", "empty", "capped", "unfinished"}


@pytest.fixture(scope="module")
def schema():
    (block,) = re.findall(r"```json\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    return json.loads(block)


@pytest.fixture
def check(schema):
    def check(shape):
        Draft202012Validator(schema).validate(json.loads(json.dumps(shape, allow_nan=False)))
        return shape

    return check


@pytest.fixture
def folder(tmp_path, facts):
    files = {task: records(task) for task in TASKS}
    files["qasper"] = files["qasper"][:3] + files["qasper"][:1]
    files["vcsum"] = []
    return write(tmp_path / "plain", files)


@pytest.fixture
def folder_e(tmp_path, facts):
    tasks = get_suite("longbench-e").tasks
    return write(tmp_path / "even", {task: records(task, "longbench-e")[:100] for task in tasks})


def test_the_schema_is_one_and_fits_the_tables(schema):
    Draft202012Validator.check_schema(schema)
    assert schema["properties"]["tasks"]["propertyNames"]["enum"] == list(TASKS)
    assert schema["properties"]["suite"]["enum"] == list(SUITE_NAMES)
    assert schema["properties"]["profile"]["enum"] == list(PROFILES)
    assert list(schema["properties"]["categories"]["properties"]) == list(CATEGORIES)


def test_longbench(folder, check):
    shape = check(score(folder).to_json())
    assert list(shape)[:6] == ["signature", "profile", "suite", "tasks", "categories", "averages"]
    assert (shape["profile"], shape["suite"]) == ("official", "longbench")
    assert shape["tasks"]["trec"] == {"score": 100.0, "n": 200, "expected_n": 200, "warnings": []}
    warnings = shape["tasks"]["vcsum"].pop("warnings")
    assert shape["tasks"]["vcsum"] == {"score": None, "n": 0, "expected_n": 200}
    assert [warning.startswith("200 of 200 rows are missing") for warning in warnings] == [True]
    assert shape["categories"] | {"x": 1} == dict.fromkeys(CATEGORIES, 100.0) | {
        "single-doc QA": None,
        "summarization": None,
        "x": 1,
    }
    assert shape["averages"] == {"EN": None, "ZH": None, "All": None}
    assert shape["withheld"]["ZH"] == "vcsum has 0 of 200 rows"
    assert shape["withheld"]["All"] == "qasper has 3 of 200 rows; vcsum has 0 of 200 rows"


def test_longbench_e(folder_e, check):
    shape = check(score(folder_e).to_json())
    assert shape["suite"] == "longbench-e"
    assert shape["tasks"]["trec"]["buckets"] == {"0-4k": 100.0, "4-8k": 100.0, "8k+": None}
    assert set(shape["categories"].values()) == set(shape["averages"].values()) == {None}
    assert shape["bucket_averages"] == {"0-4k": None, "4-8k": None, "8k+": None}
    assert shape["withheld"].keys() == {*CATEGORIES, "EN", "ZH", "All", "0-4k", "4-8k", "8k+"}


def test_rows_and_counts_are_there_on_demand(folder, folder_e, check):
    for path in (folder, folder_e):
        summary = score(path, "official-levenshtein")
        for task, shape in check(summary.to_json(rows=True, counts=True))["tasks"].items():
            assert len(shape["rows"]) == shape["n"], task
            assert shape.keys() >= COUNTS
        assert not check(summary.to_json())["tasks"]["trec"].keys() & {"rows", *COUNTS}


def test_intervals_are_there_on_demand(folder, folder_e, check):
    for path in (folder, folder_e):
        summary = score(path)
        shape = check(with_intervals(summary).to_json())
        assert set(shape) - set(check(summary.to_json())) == {"intervals"}


def test_every_property_is_used(schema, folder, folder_e, tmp_path):
    few = write(tmp_path / "few", {task: mini_records(task) for task in TASKS})
    shapes = [with_intervals(score(path)).to_json(rows=True, counts=True) for path in (folder, folder_e, few)]
    without_noise(score(folder)).add_to(shapes[0])
    tasks = [task for shape in shapes for task in shape["tasks"].values()]
    assert {key for shape in shapes for key in shape} | {"run", "own_tasks"} == set(schema["properties"])
    assert {key for task in tasks for key in task} == set(schema["$defs"]["task"]["properties"])


def mini_records(task):
    """MiniLongBench's rows, of which the first was cut."""
    rows = [records(task)[number] for number in get_suite("minilongbench").row_numbers[task]]
    return [row | {"truncation": {} if place == 0 else None} for place, row in enumerate(rows)]


def test_a_minilongbench(tmp_path, facts, check):
    few = write(tmp_path / "few", {task: mini_records(task) for task in TASKS})
    shape = check(score(few).to_json(counts=True))
    assert shape["suite"] == "minilongbench"
    assert shape["minilongbench"]["averages"] == {"EN": 100.0, "ZH": 100.0, "ALL": 100.0}
    assert shape["minilongbench"]["estimated"]["averages"]["All"]["score"] <= 100
    assert shape["tasks"]["qasper"]["cut"]["rows"] == 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda shape: shape.update(extra=1), "an unknown key"),
        (lambda shape: shape.pop("withheld"), "a missing key"),
        (lambda shape: shape["tasks"].update(qasper_e=shape["tasks"]["trec"]), "an unknown task"),
        (lambda shape: shape["tasks"]["trec"].update(score=101), "a score above 100"),
        (lambda shape: shape["averages"].update(All="44.7"), "text for a number"),
        (lambda shape: shape["tasks"]["trec"].update(buckets={"0-4k": 1}), "missing buckets"),
    ],
)
def test_the_schema_refuses_other_shapes(schema, folder, change, why):
    shape = score(folder).to_json()
    change(shape)
    assert not Draft202012Validator(schema).is_valid(shape), why


@pytest.mark.skipif(not ORACLE.is_dir(), reason="needs the reference runs in ../shared")
@pytest.mark.parametrize("run", ["rwkv5-7b-e", "longalpaca-7b-16k"])
def test_real_runs(check, run):
    check(score(ORACLE / run).to_json(rows=True))


class TestCommand:
    """As a program that reads it sees it."""

    def call(self, *words, **environment):
        command = [sys.executable, "-m", "longbench_eval", "score", *map(str, words)]
        done = subprocess.run(command, capture_output=True, env={"PATH": "", **environment}, check=False)
        return done.returncode, done.stdout, done.stderr.decode("utf-8")

    @pytest.fixture
    def nasty(self, tmp_path):
        rows = [record("multifieldqa_zh", i, i) for i in range(3)]
        preds = ["\ud800 lone", "a\u2028b\x85c\x00", "答案\udfff"]
        folder = write(tmp_path / "nasty", {})
        lines = [json.dumps(row | {"pred": pred}) + "\n" for row, pred in zip(rows, preds, strict=True)]
        (folder / "multifieldqa_zh.jsonl").write_text("".join(lines))
        (folder / "lcc.jsonl").write_text("".join(lines))
        with suppress(OSError):  # not every file system takes such a name
            (folder / "n\udce9.jsonl").write_text("")
        return folder

    @pytest.mark.parametrize("environment", [{}, {"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}])
    def test_text_that_is_no_unicode_harms_nothing(self, nasty, check, environment):
        code, out, said = self.call(nasty, "--json", "--rows", **environment)
        assert (code, said) == (0, "")
        shape = check(json.loads(out.decode("utf-8")))
        assert [len(task["rows"]) for task in shape["tasks"].values()] == [3, 3]
        assert self.call(nasty, **environment)[0] == 0

    def test_a_run_has_the_same_shape(self, tmp_path, check):
        Manifest("demo", {}, {"tasks": "1"}, warnings=("only a demo",)).save(tmp_path)
        write(tmp_path / "predictions", {"trec": [record("trec", i, 1) | {"_id": str(i)} for i in range(2)]})
        code, out, _ = self.call(tmp_path, "--json")
        shape = check(json.loads(out))
        assert (code, shape["suite"], shape["tasks"]["trec"]["score"]) == (0, "demo", 100.0)
        assert shape["warnings"] == ["only a demo"]

    def test_several_paths_give_an_array(self, nasty, check):
        shapes = json.loads(self.call(nasty, nasty / "lcc.jsonl", "--json")[1])
        assert [len(check(shape)["tasks"]) for shape in shapes] == [2, 1]

    def test_a_broken_line_is_one_message(self, nasty):
        (nasty / "trec.jsonl").write_text('{"pred": 1, "answers": []}\n')
        code, out, said = self.call(nasty, "--json")
        assert (code, out) == (1, b"")
        assert said == f"Error: {nasty}/trec.jsonl, line 1: pred is 1; expected text.\n"
