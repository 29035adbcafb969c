"""The TOML file of a task of one's own: what is read, and what each mistake is told."""

import pytest

from longbench_eval import load_task
from longbench_eval.errors import DataError, LongBenchError, UsageError
from longbench_eval.own import load_tasks
from longbench_eval.tasks import TASKS, Task
from own_samples import FIELDS, ROWS, write_sorting, write_task


def test_the_least_that_a_task_says(tmp_path):
    own = load_task(write_task(tmp_path))
    assert own.task == Task("leases", "own", "en", "qa_f1", 16, rows=3)
    assert own.template == "Lease: {context}\nAsk: {input}\nSay:"
    assert [row.answers for row in own.examples] == [tuple(row["answers"]) for row in ROWS]
    assert {row.task for row in own.examples} == {"leases"}
    assert own.rows.proof == "own"


def test_everything_that_a_task_can_say(tmp_path):
    own = load_task(write_sorting(tmp_path))
    assert own.task == Task("letters", "sorting mail", "en", "classification", 4, False, True, 3, None, True)
    assert own.examples[1].all_classes == ("bill", "bill of sale")


@pytest.mark.parametrize(
    ("end", "why"), [("", "as it is"), ("\n", "an editor's newline is not the prompt's"), ("\r\n", "")]
)
def test_a_template_in_a_file_of_its_own(tmp_path, end, why):
    (tmp_path / "prompt.txt").write_bytes(b"{context}\r\n{input}" + end.encode())
    own = load_task(write_task(tmp_path, template=None, template_file='"prompt.txt"'))
    assert own.template == "{context}\n{input}", why


def test_chinese_rows_without_a_length_are_measured_in_characters(tmp_path):
    rows = [{"input": "谁?", "context": "房东 付钱。", "answers": ["房东"]}]
    assert load_task(write_task(tmp_path, rows, language='"zh"')).examples[0].length == 6
    assert load_task(write_task(tmp_path, rows)).examples[0].length == 2


MISTAKES = [
    ({"metrics": '"qa_f1"'}, "There is no field 'metrics'. Did you mean 'metric'?"),
    ({"metric": '"qa_f2"'}, "There is no metric 'qa_f2'. Did you mean 'qa_f1'?"),
    ({"metric": "3"}, "metric is 3; expected the name of a metric"),
    ({"metric": None, "data": None}, "lacks data, metric; expected data = the path"),
    ({"max_new_tokens": "true"}, "max_new_tokens is True; expected a whole number from 1"),
    ({"max_new_tokens": "0"}, "max_new_tokens is 0; expected a whole number from 1"),
    ({"max_new_tokens": "8.0"}, "max_new_tokens is 8.0"),
    ({"chat": '"yes"'}, "chat is 'yes'; expected true or false"),
    ({"chat": "1"}, "chat is 1; expected true or false"),
    ({"language": '"english"'}, "There is no language 'english'"),
    ({"category": '""'}, "category is ''; expected a few words in one line"),
    ({"category": '"a\\u001b[2Jb"'}, "expected a few words in one line"),
    ({"name": '"../x"'}, "the name '../x' names files: expected letters, digits"),
    ({"name": '""'}, "the name '' names files"),
    ({"name": '"a.b"'}, "the name 'a.b' names files"),
    ({"name": '"qasper"'}, "would be taken for LongBench's qasper"),
    ({"name": '"Qasper"'}, "would be taken for LongBench's qasper"),
    ({"name": '"lcc_e"'}, "would be taken for LongBench's lcc"),
    ({"name": '"trec-mine"'}, "would be taken for LongBench's trec"),
    ({"template": None}, "has neither of template and template_file"),
    ({"template_file": '"a.txt"'}, "has both of template and template_file"),
    ({"template": None, "template_file": '"gone.txt"'}, "gone.txt cannot be read (No such file or directory)"),
    ({"template": '"{context} only"'}, "the template has no {input}, but rows have one"),
    ({"template": '"{input} only"'}, "the template has no {context}, but rows have one"),
    ({"template": '"{context.__class__.__mro__} {input}"'}, "has the field {context.__class__.__mro__}"),
    ({"template": '"{context[0]} {input}"'}, "has the field {context[0]}"),
    ({"template": '"{context!r} {input}"'}, "has the field {context!r}"),
    ({"template": '"{context:>999999999} {input}"'}, "has the field {context:>999999999}"),
    ({"template": '"{context} {input} {answers}"'}, "has the field {answers}"),
    ({"template": '"{context} {input} {}"'}, "has the field {}"),
    ({"template": '"{context} {input} {0}"'}, "has the field {0}"),
    ({"template": '"{context} {input} {"'}, "cannot be read"),
    ({"data": '"gone.jsonl"'}, "gone.jsonl cannot be read (No such file or directory); expected the rows of leases"),
    ({"data": '"."'}, "cannot be read (Is a directory)"),
    ({"metric": '"retrieval"'}, "leases.jsonl, line 1: The reference answer 'the owner' names no paragraph"),
    ({"metric": '"classification"'}, "line 1: the field 'all_classes' is missing; leases needs the list"),
    ({"max_new_tokens": "sixteen"}, "is no TOML: "),
    ({"name": "'leases'\nname = 'again'"}, "is no TOML: "),
]


@pytest.mark.parametrize(("changes", "said"), MISTAKES)
def test_mistakes(tmp_path, changes, said):
    path = write_task(tmp_path, **changes) if "name" not in changes else write_named(tmp_path, changes)
    with pytest.raises((UsageError, DataError)) as told:
        load_task(path)
    assert said in str(told.value)
    assert str(tmp_path) in str(told.value)


def write_named(folder, changes):
    """Names that no file may have stand in a file of another name."""
    write_task(folder)
    path = folder / "named.toml"
    path.write_text("".join(f"{key} = {value}\n" for key, value in {**FIELDS, **changes}.items()), "utf-8")
    return path


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["[1]"], "line 1: found a list; expected a JSON object"),
        (['{"input": "a", "context": "b"}'], "line 1: the field 'answers' is missing"),
        (['{"input": "a", "context": "b", "answers": ["c"]}', '{"input"'], "line 2: no JSON"),
        (['{"input": "a", "context": "b", "answers": []}'], "line 1: the field 'answers' is an empty list"),
        (['{"input": 1, "context": "b", "answers": ["c"]}'], "line 1: the field 'input' is 1; expected text"),
        (['{"_id": "x", "input": "a", "context": "b", "answers": ["c"]}'] * 2, "line 2: the _id 'x' is that of line 1"),
        ([], "holds no rows"),
    ],
)
def test_rows_that_are_none(tmp_path, rows, said):
    path = write_task(tmp_path)
    (tmp_path / "leases.jsonl").write_text("\n".join(rows), "utf-8")
    with pytest.raises(DataError) as told:
        load_task(path)
    assert said in str(told.value)
    assert "data pull" not in str(told.value), "these are not LongBench's rows"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"name = 'x", b"\x00", b"[[[[", b"a = " + b"[" * 5000])
def test_files_that_are_no_toml(tmp_path, content):
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"broken\.toml"):
        load_task(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match=r"none\.toml cannot be read \(No such file or directory\)"):
        load_task(tmp_path / "none.toml")


def test_a_template_without_input_is_right_where_no_row_has_one(tmp_path):
    rows = [{**row, "input": ""} for row in ROWS]
    assert load_task(write_task(tmp_path, rows, template='"Sum up: {context}"')).task.rows == 3


def test_two_tasks_of_one_name_are_refused(tmp_path):
    first = load_task(write_task(tmp_path))
    second = load_task(write_task(tmp_path, name='"LEASES"'))
    with pytest.raises(UsageError, match="both describe a task 'leases'"):
        load_tasks([first, second])


@pytest.mark.parametrize(
    "change", [{"metric": '"rouge"'}, {"template": '"{context} {input}"'}, {"max_new_tokens": "17"}, {"chat": "false"}]
)
def test_the_digest_is_of_everything(tmp_path, change):
    before = load_task(write_task(tmp_path)).digest
    assert load_task(write_task(tmp_path)).digest == before
    assert load_task(write_task(tmp_path, **change)).digest != before
    assert load_task(write_task(tmp_path, ROWS[:2])).digest != before


def test_every_official_name_is_taken(tmp_path):
    for name in TASKS:
        with pytest.raises(LongBenchError, match="would be taken for"):
            load_task(write_named(tmp_path, {"name": f'"{name}"'}))
