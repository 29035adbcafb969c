"""A run that is split over machines and joined again is the run of one machine."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longbench_eval import RunSettings, run
from longbench_eval.errors import RunError, UsageError
from longbench_eval.generate.order import groups_of, work_of
from longbench_eval.runs.merge import merge_runs
from longbench_eval.runs.shards import Shard, parse_shard, part_of
from samples import TASKS_USED, answer_by_hash, options, write_sample_data
from toys import example

CONTEXTS = st.lists(st.sampled_from("abcdefgh"), max_size=40)


def rows_of(contexts):
    return [example(id_=str(i), context=context * (1 + ord(context) % 5)) for i, context in enumerate(contexts)]


@given(CONTEXTS, st.integers(1, 5))
def test_every_row_is_in_one_part_and_no_context_in_two(contexts, n):
    rows = rows_of(contexts)
    parts = [part_of(rows, Shard(i, n)) for i in range(1, n + 1)]
    assert sorted(id_ for part in parts for id_ in part) == sorted(row.id for row in rows)
    of_context = {}
    for number, part in enumerate(parts):
        for row in rows:
            assert row.id not in part or of_context.setdefault(row.context, number) == number


@given(CONTEXTS, st.integers(1, 5))
def test_parts_differ_by_no_more_work_than_one_group(contexts, n):
    rows = rows_of(contexts)
    parts = [part_of(rows, Shard(i, n)) for i in range(1, n + 1)]
    loads = [sum(map(work_of, groups_of(row for row in rows if row.id in part))) for part in parts]
    assert max(loads) - min(loads) <= max(map(work_of, groups_of(rows)), default=0)


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2", "1.5/2"])
def test_other_spellings_are_refused(text):
    with pytest.raises(UsageError, match=r"expected i/n with i from 1 to n"):
        parse_shard(text)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("shards")
    write_sample_data(home / "data")
    return home


@pytest.fixture(scope="module")
def whole(home):
    return run_part(home, "whole", None)


@pytest.fixture(scope="module")
def parts(home):
    return [run_part(home, f"part{i}", f"{i}/3") for i in (1, 2, 3)]


def settings_of(home, name, shard):
    return RunSettings(tasks=TASKS_USED, data=home / "data", allow_unofficial=True, out=home / name, shard=shard)


def run_part(home, name, shard):
    return run(answer_by_hash, settings_of(home, name, shard)).directory


def contents(run_directory):
    return {file.name: file.read_bytes() for file in sorted((run_directory / "predictions").iterdir())}


def test_joined_parts_are_the_bytes_of_the_whole(whole, parts, tmp_path):
    merged = merge_runs([parts[2], parts[0], parts[1]], tmp_path / "merged")
    assert merged.missing == 0
    assert contents(tmp_path / "merged") == contents(whole)
    for name in ("summary.json", "scores.jsonl"):
        assert (tmp_path / "merged" / name).read_bytes() == (whole / name).read_bytes()
    manifest = json.loads((tmp_path / "merged" / "run.json").read_text("utf-8"))
    assert "shard" not in manifest["signature"]
    assert len(manifest["invocations"]) == 3
    assert len((tmp_path / "merged" / "timings.jsonl").read_text("utf-8").splitlines()) == sum(
        data.count(b"\n") for data in contents(whole).values()
    )


def test_a_part_says_that_it_is_one(parts):
    summary = json.loads((parts[0] / "summary.json").read_text("utf-8"))
    assert "|shard:1/3|" in summary["signature"]
    assert summary["averages"] == {"EN": None, "ZH": None, "All": None}
    assert not any("rows are missing" in warning for task in summary["tasks"].values() for warning in task["warnings"])


def test_what_no_part_has_is_asked_by_the_whole_run(home, whole, parts, tmp_path):
    merged = merge_runs([parts[0], parts[2]], tmp_path / "merged")
    assert merged.missing == sum(data.count(b"\n") for data in contents(parts[1]).values()) > 0
    finished = run(answer_by_hash, settings_of(home, tmp_path / "merged", None))
    assert contents(finished.directory) == contents(whole)


def test_what_is_no_part_of_the_same_run_is_refused(home, whole, parts, tmp_path):
    other = run_part(home, "other", "1/2")
    left = run(
        answer_by_hash,
        RunSettings(
            tasks=TASKS_USED,
            data=home / "data",
            allow_unofficial=True,
            out=tmp_path / "left",
            shard="2/3",
            truncate="left",
        ),
    ).directory
    for paths, message in [
        ([parts[0], whole], "is a whole run; only parts made with --shard"),
        ([parts[0], other], "is part of another run"),
        ([parts[0], left], "truncate: 'middle' there, 'left' now"),
        ([parts[0], parts[0]], "are both part 1/3"),
        ([parts[0], tmp_path / "nothing"], "is no run directory"),
    ]:
        with pytest.raises(RunError, match=message):
            merge_runs(paths, tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
    with pytest.raises(RunError, match="is not empty"):
        merge_runs(parts, whole)


def test_the_commands(cli, home, whole):
    for number in (1, 2):
        arguments = [*options(home / "data"), "--shard", f"{number}/2", "--out", f"p{number}"]
        assert cli("run", "--model", f"replay:{whole}", *arguments)[0] == 0
    code, out, err = cli("runs", "merge", "p1", "--out", "half")
    assert code == 3
    assert out.endswith("report: half/report.html\n")
    assert "rows are missing: run it without --shard and with --out half" in err
    code, out, _ = cli("runs", "merge", "p1", "p2", "--out", "all", "--json")
    assert code == 0
    assert json.loads(out)["run"] == "all"
    assert {task: shape["n"] for task, shape in json.loads(out)["tasks"].items()} == {
        file.removesuffix(".jsonl"): data.count(b"\n") for file, data in contents(whole).items()
    }
