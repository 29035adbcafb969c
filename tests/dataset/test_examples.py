"""Rows that are read when they are wanted are the rows that were proved."""

from pathlib import Path

import pytest
from fake_longbench import encode, facts_of, make_rows, write, write_zip

from longbench_eval.dataset import load_rows
from longbench_eval.dataset.examples import Examples
from longbench_eval.dataset.official import official_files
from longbench_eval.errors import DataError
from longbench_eval.tasks import get_suite
from toys import example

ROWS = make_rows(200)
FACTS = facts_of(dict.fromkeys(official_files(), ROWS))
SUITE = get_suite("longbench")


@pytest.fixture(params=["folder", "zip"])
def place(request, tmp_path):
    if request.param == "zip":
        return write_zip(tmp_path / "x.zip", {"data/qasper.jsonl": encode(ROWS)})
    write(tmp_path / "qasper.jsonl", encode(ROWS))
    return tmp_path


def load(place, **options):
    return load_rows(SUITE, ("qasper",), place, **{"facts": FACTS, **options})["qasper"].examples


def test_each_pass_and_each_item_gives_the_same_rows(place):
    examples = load(place)
    rows = list(examples)
    assert rows == list(examples) == [examples[i] for i in range(200)]
    assert (rows[-1], rows[3:9]) == (examples[-1], list(examples[3:9]))
    assert [row.id for row in rows] == examples.ids == [row["_id"] for row in ROWS]
    assert [row.input for row in rows] == [row["input"] for row in ROWS]


def test_choices_keep_the_order_of_the_file(place):
    examples = load(place)
    some = examples[:100].only({examples.ids[i] for i in (70, 7, 150)})
    assert (len(some), some.ids) == (2, [examples.ids[7], examples.ids[70]])
    assert list(some) == [examples[7], examples[70]]
    assert list(some[1:]) == [examples[70]]
    assert list(examples.only(())) == []


def test_derived_ids_of_equal_rows_differ_each_time_they_are_read(tmp_path):
    write(tmp_path / "qasper.jsonl", encode([{k: v for k, v in ROWS[0].items() if k != "_id"}] * 2))
    examples = load(tmp_path, allow_unofficial=True)
    assert [row.id for row in examples] == examples.ids == [examples.ids[0], f"{examples.ids[0]}-2"]


def test_a_file_with_blank_lines_and_crlf_is_the_same_file(tmp_path):
    data = b"\r\n\r\n".join(encode([row]).strip() for row in ROWS)
    write(tmp_path / "qasper.jsonl", data)
    examples = load(tmp_path, allow_unofficial=True)
    assert [row.id for row in examples] == [row["_id"] for row in ROWS]


@pytest.mark.parametrize(
    ("data", "how"),
    [
        (encode([*ROWS[:5], {**ROWS[5], "context": "other"}, *ROWS[6:]]), "has another line 6 now"),
        (encode(ROWS[:5]), "ends earlier now"),
        (None, "can no longer be read"),
    ],
)
def test_a_file_that_was_changed_meanwhile_is_refused_where_it_differs(data, how, tmp_path):
    file = tmp_path / "qasper.jsonl"
    write(file, encode(ROWS))
    examples = load(tmp_path)
    read = list(examples[:5])
    file.unlink()
    if data is not None:
        write(file, data)
        assert list(examples[:5]) == read, "what is the same is taken"
    with pytest.raises(DataError, match=rf"qasper.jsonl {how}"):
        list(examples)


@pytest.mark.parametrize("data", [None, b"no zip"])
def test_a_zip_that_was_replaced_or_removed_is_told_as_such(data, tmp_path):
    file = write_zip(tmp_path / "x.zip", {"qasper.jsonl": encode(ROWS)})
    examples = load(file)
    file.unlink()
    if data is not None:
        write(file, data)
    with pytest.raises(DataError, match=r"x.zip:qasper.jsonl can no longer be read: it was changed or removed since"):
        list(examples)


def test_a_relative_path_outlives_a_change_of_the_working_directory(place, tmp_path, monkeypatch):
    monkeypatch.chdir(place.parent)
    examples = load(Path(place.name))
    monkeypatch.chdir("/")
    assert [row.id for row in examples] == [row["_id"] for row in ROWS]


def test_rows_in_memory():
    rows = [example(id_=id_) for id_ in "abc"]
    held = Examples.held(rows)
    assert list(held) == rows
    assert (len(held), held.ids, held[1]) == (3, ["a", "b", "c"], rows[1])
