import random
from pathlib import Path

import pytest
from official_rows import predictions, record, records

from longbench_eval.predictions import read_predictions
from longbench_eval.scoring.telling import tell_suite
from longbench_eval.tasks import TASKS, get_suite

ORACLE = Path(__file__).parents[3] / "shared" / "oracle"
EVEN = get_suite("longbench-e").tasks
SAME_ROWS = "multifieldqa_en"  # the same rows in both suites, in another order


def shuffled(rows):
    return random.Random(7).sample(rows, len(rows))


def interleaved(rows):
    """As several processes append them."""
    return [row for i in range(0, len(rows), 20) for row in shuffled(rows[i : i + 20])]


PARTS = {
    "whole": lambda rows: rows,
    "first half": lambda rows: rows[: len(rows) // 2],
    "second half": lambda rows: rows[len(rows) // 2 :],
    "reversed": lambda rows: rows[::-1],
    "interleaved": interleaved,
    "a sample": lambda rows: rows[1::7],
    "first half, shuffled": lambda rows: shuffled(rows[: len(rows) // 2]),
    "first five": lambda rows: rows[:5],
    "last five, reversed": lambda rows: rows[:-6:-1],
    "twice": lambda rows: rows + rows,
}


def tell(named_e=False, **files):
    return tell_suite({task: predictions(rows) for task, rows in files.items()}, named_e)


@pytest.mark.usefixtures("facts")
class TestRows:
    @pytest.mark.parametrize("part", PARTS)
    @pytest.mark.parametrize("suite", ["longbench", "longbench-e"])
    def test_one_file_is_enough_in_any_order_and_under_any_name(self, suite, part):
        for task in EVEN:
            rows = PARTS[part](records(task, suite))
            for named_e in (False, True):
                told = tell(named_e, **{task: rows})
                assert (told.suite.name, bool(told.doubt)) == (suite, task == SAME_ROWS), (task, named_e)

    @pytest.mark.parametrize(("named_e", "suite"), [(False, "longbench"), (True, "longbench-e")])
    def test_shuffled_too_unless_both_have_the_same_rows(self, named_e, suite):
        for task in EVEN:
            rows = shuffled(records(task, suite))
            assert tell(named_e if task == SAME_ROWS else not named_e, **{task: rows}).suite.name == suite, task

    @pytest.mark.parametrize("task", sorted(TASKS.keys() - set(EVEN)))
    def test_a_task_of_longbench_alone_is_told_by_its_name(self, task):
        for rows in (records(task)[:1], [], [record(task, 5, None)]):
            assert tell(True, **{task: rows}).suite.name == "longbench"

    def test_files_of_both_are_what_most_rows_are(self):
        few, many = records("lcc")[:20], records("trec", "longbench-e")
        assert tell(lcc=few, trec=many).suite.name == "longbench-e"
        assert tell(lcc=few, trec=many[:19]).suite.name == "longbench"

    def test_rows_of_both_suites_leave_a_doubt(self):
        rows = records(SAME_ROWS, "longbench-e")
        told = tell(**{SAME_ROWS: rows})
        assert told.suite.name == "longbench-e"
        assert told.doubt == "LongBench and LongBench-E share these rows; they are taken as those of longbench-e"
        # Once a row that only one suite has is there, all is clear.
        assert tell(**{SAME_ROWS: rows, "trec": records("trec", "longbench-e")[:1]}).doubt == ""

    @pytest.mark.parametrize(("named_e", "suite"), [(False, "longbench"), (True, "longbench-e")])
    def test_where_the_rows_say_nothing_names_do(self, named_e, suite):
        unknown = [record("qasper", 0, 10**6)] * 3
        for rows in ([], unknown, [row | {"length": None} for row in records("qasper")]):
            told = tell(named_e, qasper=rows)
            assert (told.suite, told.doubt) == (get_suite(suite), "")
        for task in (SAME_ROWS, "samsum"):
            told = tell(named_e, **{task: records(task, "longbench-e")[:1]})
            assert (told.suite.name, bool(told.doubt)) == (suite, True)

    def test_minilongbench_is_all_of_its_rows_and_no_others(self):
        numbers = get_suite("minilongbench").row_numbers
        files = {task: [records(task)[number] for number in numbers[task]] for task in TASKS}
        assert tell(**files).suite.name == "minilongbench"
        assert tell(qasper=shuffled(files["qasper"])).suite.name == "minilongbench"
        assert tell(qasper=files["qasper"][1:]).suite.name == "longbench"
        assert tell(**files | {"trec": records("trec")}).suite.name == "longbench"


@pytest.mark.skipif(not ORACLE.is_dir(), reason="needs the reference runs in ../shared")
@pytest.mark.parametrize(
    ("run", "suite"),
    [
        ("llama2-7b-chat-e", "longbench-e"),
        ("llama2-7b-chat-sparse-e", "longbench-e"),
        ("rwkv5-7b-e", "longbench-e"),
        ("llama3-8b-instruct", "longbench"),
        ("llama2-7b", "longbench"),
    ],
)
def test_real_files(run, suite):
    named_e = suite == "longbench"  # names that mislead
    for task in get_suite(suite).tasks:
        rows = read_predictions(ORACLE / run / "predictions" / f"{task}.jsonl")
        for name, part in PARTS.items():
            assert tell_suite({task: part(rows)}, named_e).suite.name == suite, (task, name)
        assert tell_suite({task: shuffled(rows)}, named_e != (task == SAME_ROWS)).suite.name == suite, task
