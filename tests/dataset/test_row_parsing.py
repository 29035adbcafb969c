import hashlib
import io
import json

import pytest
from fake_longbench import encode, make_row, make_rows
from hypothesis import example, given
from hypothesis import strategies as st

from longbench_eval.dataset.lines import HashedLines
from longbench_eval.dataset.rows import Place, parse_row, parse_rows, unique_ids
from longbench_eval.errors import DataError

PLACE = Place("data/qasper.jsonl", 7)


def parse(row, task="qasper"):
    return parse_row(row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n", task, PLACE)


def read(raw, task="qasper"):
    return list(parse_rows(HashedLines(io.BytesIO(raw)), task, "qasper.jsonl"))


def test_a_row_becomes_an_example():
    example = parse(make_row(3)).example
    assert (example.task, example.id, example.length) == ("qasper", f"{3:048x}", 103)
    assert example.answers == ("answer 3",)
    assert example.all_classes is None


BROKEN = [
    (b"", "no JSON"),
    (b'{"input": "q"', "may have been cut short"),
    (b'{"input": nope}\n', "no JSON (Expecting value at character 10)"),
    (b"[1, 2]\n", "found a list; expected a JSON object"),
    (b"null\n", "found null"),
    (b'"text"\n', "found the text 'text'"),
    (b"[" * 100_000 + b"\n", "unreadable JSON"),
    (b'{"length": ' + b"9" * 5000 + b"}\n", "unreadable JSON"),
    (b'{"input": "\xff"}\n', "byte 11 (from 0) is not UTF-8"),
    (make_row(input=...), "the field 'input' is missing"),
    (make_row(context=...), "the field 'context' is missing"),
    (make_row(answers=...), "the field 'answers' is missing"),
    ({"pred": "x", "answers": ["x"], "length": 1}, "looks like a file of predictions"),
    (make_row(input=3), "the field 'input' is 3; expected text"),
    (make_row(context=None), "the field 'context' is null; expected text"),
    (make_row(context=["a"]), "the field 'context' is a list; expected text"),
    (make_row(answers="yes"), "the field 'answers' is the text 'yes'; expected a list of texts"),
    (make_row(answers=[]), "the field 'answers' is an empty list; expected at least one"),
    (make_row(answers=["a", None]), "the field 'answers[1]' is null; expected text"),
    (make_row(length="long"), "the field 'length' is the text 'long'; expected a whole number"),
    (make_row(length=True), "the field 'length' is true"),
    (make_row(length=1.5), "the field 'length' is 1.5"),
    (make_row(length=-1), "the field 'length' is -1"),
    (make_row(_id=5), "the field '_id' is 5; expected text"),
    (make_row(_id=""), "the field '_id' is the text ''"),
    (make_row(all_classes={"a": 1}), "the field 'all_classes' is an object; expected a list of texts"),
    (make_row(context="ab\ud800"), "the field 'context' holds the lone surrogate U+D800 at character 2"),
    (make_row(input="\udfff"), "the field 'input' holds the lone surrogate U+DFFF at character 0"),
    (make_row(answers=["ok", "\udc00"]), "the field 'answers[1]' holds the lone surrogate"),
    (make_row(_id="x\ud9aa"), "the field '_id' holds the lone surrogate"),
    (make_row(all_classes=["\ud9aa"]), "the field 'all_classes[0]' holds the lone surrogate"),
]


@pytest.mark.parametrize(("row", "message"), BROKEN, ids=[message[:40] for _, message in BROKEN])
def test_a_broken_row_is_named_with_file_line_and_remedy(row, message):
    with pytest.raises(DataError) as error:
        parse(row)
    text = str(error.value)
    assert text.startswith("data/qasper.jsonl, line 7: ")
    assert message in text
    assert text.endswith("`longbench-eval data pull`.")
    assert len(text) < 400


@pytest.mark.parametrize("classes", [..., None, [], "abc", [1]])
def test_a_classification_row_needs_its_classes(classes):
    with pytest.raises(DataError, match="all_classes"):
        parse(make_row(all_classes=classes), task="trec")


def test_classes_are_kept():
    assert parse(make_row(all_classes=["a", "b"]), task="trec").example.all_classes == ("a", "b")
    assert parse(make_row(all_classes=[])).example.all_classes is None


ODD_TEXTS = [
    "{not} a {field!r:>9}",
    "a\0b",
    "one\u2028two\u2029three\x85four\x0bfive\x0c",
    "😀\ufeff",
    "\r\n",
    "",
    "x" * 10_000_000,
]


@pytest.mark.parametrize("text", ODD_TEXTS, ids=lambda text: repr(text[:12]))
@pytest.mark.parametrize("ascii_only", [True, False])
def test_odd_texts_load_as_they_are(text, ascii_only):
    raw = json.dumps(make_row(context=text), ensure_ascii=ascii_only).encode() + b"\n"
    assert [row.example.context for row in read(raw + raw)] == [text, text]


def test_blank_lines_crlf_and_byte_order_mark_change_no_row():
    rows = make_rows(3)
    expected = [row.example for row in read(encode(rows))]
    raw = b"\xef\xbb\xbf" + encode(rows, "\r\n \r\n\r\n")
    assert [row.example for row in read(raw)] == expected
    assert [row.line for row in read(raw)] == [1, 4, 7]
    assert [row.example for row in read(encode(rows)[:-1])] == expected


def test_the_hash_is_taken_with_lf_line_ends():
    lf, crlf = encode(make_rows(3)), encode(make_rows(3), "\r\n")
    for raw, count in ((lf, 0), (crlf, 3)):
        lines = HashedLines(io.BytesIO(raw))
        assert len(list(lines)) == 3
        assert lines.sha256 == hashlib.sha256(lf).hexdigest()
        assert (lines.crlf_lines, lines.size) == (count, len(raw))


LENGTHS = [("qasper", "three short words", 3), ("lcc", "a = 1\nb = 2", 6), ("dureader", "三个字 a", 5)]


@pytest.mark.parametrize(("task", "context", "length"), LENGTHS)
@pytest.mark.parametrize("stored", [..., None])
def test_a_missing_length_is_measured_and_proves_nothing(task, context, length, stored):
    row = parse(make_row(context=context, length=stored), task)
    assert row.example.length == length
    assert row.digest is None


def test_missing_ids_are_derived_from_the_content_and_stay_unique():
    rows = [make_row(0, _id=...), make_row(0, _id=None), make_row(0, _id=..., answers=["other"]), make_row(0, _id=...)]
    first, second, other, third = (example.id for example in unique_ids(read(encode(rows)), "f", trusted=False))
    assert len(first) == 48
    assert set(first) <= set("0123456789abcdef")
    assert (second, third) == (f"{first}-2", f"{first}-3")
    assert other not in (first, second, third)
    assert parse(rows[0], "hotpotqa").example.id != first  # the task is part of it
    assert parse(rows[0] | {"length": 9, "dataset": "x"}).example.id == first  # these are not


def test_a_repeated_stored_id_names_both_lines():
    rows = read(encode([make_row(0), make_row(1), make_row(2, _id=f"{0:048x}")]))
    with pytest.raises(DataError, match=r"qasper.jsonl, line 3: the _id '0{48}' is that of line 1 too"):
        unique_ids(rows, "qasper.jsonl", trusted=False)
    assert len({example.id for example in unique_ids(rows, "qasper.jsonl", trusted=True)}) == 3


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
fields = st.sampled_from(["input", "context", "answers", "length", "_id", "all_classes"])


@given(st.binary())
@example(b"\xef\xbb\xbf")
def test_any_bytes_are_a_row_or_one_error(raw):
    with pytest.raises(DataError, match="line 7"):
        parse(raw)


@given(fields, json_values, st.sampled_from(["qasper", "lsht"]))
def test_any_value_in_a_field_is_a_row_or_one_error(field, value, task):
    error = ""
    try:
        row = parse(make_row(all_classes=["a"]) | {field: value}, task)
        assert isinstance(row.example.length, int)
        assert row.example.answers
    except DataError as raised:
        error = str(raised)
    assert not error or ("line 7" in error and field in error)
