import json

import pytest

from longbench_eval.errors import DataError
from longbench_eval.predictions import Prediction, parse_prediction, read_predictions, read_unfinished, to_record
from longbench_eval.records import Completion, Example, Failure, Prompt, Truncation

ROW = {"pred": "a cat", "answers": ["cat", "a dog"], "all_classes": None, "length": 3512}


def line(**fields):
    """A line of a predictions file; a field set to `...` is left out."""
    return json.dumps({name: value for name, value in (ROW | fields).items() if value is not ...}).encode()


def read(path, data):
    path.write_bytes(data)
    return read_predictions(path)


def test_the_official_four_fields():
    assert parse_prediction(line(), "x") == Prediction("a cat", ("cat", "a dog"), None, 3512)


READABLE = [
    # line, the attribute that counts, its value, why
    (line(all_classes=...), "all_classes", None, "only two tasks need classes"),
    (line(all_classes=["x", "y"]), "all_classes", ("x", "y"), "which have a list"),
    (line(length=...), "length", None, "the official scorer needs no length outside LongBench-E"),
    (line(length=None), "length", None, "null is no length either"),
    (line(length=3.0), "length", 3, "tables turn whole numbers into floats"),
    (line(answers=[]), "answers", (), "the official scorer gives such a row 0"),
    (line(_id="abc"), "id", "abc", "what a run adds"),
    (line(_id=5), "id", None, "what other tools keep there need not be an id"),
    (line(model="m", score=[1]), "extra", {"model": "m", "score": [1]}, "everything else is kept"),
    (line(pred=""), "failed", False, "an empty answer is an answer"),
    (line(pred="", error={"kind": "timeout"}), "failed", True, "an error and no text"),
    (line(pred="", error=None), "failed", False, "no error"),
    (line(pred="", error=""), "failed", False, "nor is an empty one"),
    (line(pred="text", error="late"), "failed", False, "there is something to score"),
    (b"\xef\xbb\xbf" + line(), "pred", "a cat", "a byte order mark"),
    (line() + b"\r", "pred", "a cat", "CRLF"),
    (line(pred="a\u2028b\x85c\x0bd\0"), "pred", "a\u2028b\x85c\x0bd\0", "line separators and NUL, escaped"),
    (line().replace(b"cat", "a\u2028b\x85".encode(), 1), "pred", "a a\u2028b\x85", "and not escaped"),
    (b'{"pred": "\\ud800", "answers": []}', "pred", "\ud800", "JSON can escape half a character"),
    (line().replace(b"a cat", b"\xed\xa0\x80"), "pred", "\ud800", "and some tools write it as it is"),
    (line(pred=float("nan"), x=1).replace(b"NaN", b'"NaN"'), "pred", "NaN", "text is text"),
]


@pytest.mark.parametrize(("raw", "name", "value", "why"), READABLE, ids=[why for *_, why in READABLE])
def test_what_can_be_read(raw, name, value, why, tmp_path):
    (row,) = read(tmp_path / "qasper.jsonl", raw + b"\n")
    assert getattr(row, name) == value


BROKEN = [
    # line, what the message says
    (line()[:-3], "no JSON (Expecting ',' delimiter"),
    (b"\0\0\0\0", "no JSON (Expecting value"),
    (b'{"pred": "\0"}', "no JSON (Invalid control character"),
    (b"[" * 100_000, "no JSON ("),
    (b'{"length": ' + b"9" * 5000 + b"}", "no JSON ("),
    (line().replace(b"a cat", b"\xff"), "byte 10 (from 0) is not UTF-8"),
    (line().decode().encode("utf-16"), "byte 0 (from 0) is not UTF-8"),
    (b'["a"]', 'found ["a"]; expected an object with pred and answers'),
    (b"null", "found null; expected an object"),
    (line(pred=...), "there is no field 'pred'; a prediction has pred, answers, all_classes, length"),
    (line(answers=...), "there is no field 'answers'"),
    (line(pred=None), "pred is null; expected text"),
    (line(pred=float("nan")), "pred is NaN; expected text"),
    (line(answers="cat"), 'answers is "cat"; expected a list of texts'),
    (line(answers=[1]), "answers is [1]; expected a list of texts"),
    (line(all_classes="x"), 'all_classes is "x"; expected a list of texts'),
    (line(length="3512"), 'length is "3512"; expected a whole number'),
    (line(length=3.5), "length is 3.5; expected a whole number"),
    (line(length=True), "length is true; expected a whole number"),
    (line(length=float("nan")), "length is NaN; expected a whole number"),
    (line(length=float("inf")), "length is Infinity; expected a whole number"),
    (line(length=[1]), "length is [1]; expected a whole number"),
]


@pytest.mark.parametrize(("raw", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_what_cannot_be_read_is_named_by_file_and_line(raw, message, tmp_path):
    path = tmp_path / "qasper.jsonl"
    with pytest.raises(DataError) as error:
        read(path, line() + b"\n\n" + raw + b"\n" + line() + b"\n")
    assert str(error.value).startswith(f"{path}, line 3: {message}")


def test_blank_lines_count_as_lines_and_not_as_rows(tmp_path):
    rows = read(tmp_path / "qasper.jsonl", b"\n" + line() + b"\n \r\n" + line(pred="2"))
    assert [(row.line, row.pred) for row in rows] == [(2, "a cat"), (4, "2")]


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n \n"])
def test_an_empty_file_has_no_rows(tmp_path, data):
    assert read(tmp_path / "qasper.jsonl", data) == []
    assert read_unfinished(tmp_path / "qasper.jsonl") == ([], False)


def test_a_torn_last_line_is_an_error_that_says_so(tmp_path):
    with pytest.raises(DataError, match=r"line 2 \(the last, without a newline at its end: was the file cut short\?\)"):
        read(tmp_path / "qasper.jsonl", line() + b"\n" + line()[:20])
    assert len(read(tmp_path / "qasper.jsonl", line() + b"\n" + line())) == 2, "a whole last line needs no newline"


@pytest.mark.parametrize(
    ("tail", "torn"),
    [(b"", False), (b" ", False), (b"{", True), (line(), True), (b"\0\0", True), ("段".encode()[:2], True)],
)
def test_an_unfinished_file_is_read_up_to_its_last_newline(tmp_path, tail, torn):
    path = tmp_path / "qasper.jsonl"
    path.write_bytes(line() + b"\n" + tail)
    rows, is_torn = read_unfinished(path)
    assert (len(rows), rows[0].line, is_torn) == (1, 1, torn)


def test_a_finished_line_that_is_broken_is_an_error_in_an_unfinished_file_too(tmp_path):
    path = tmp_path / "qasper.jsonl"
    path.write_bytes(b"{\n")
    with pytest.raises(DataError, match="line 1: no JSON"):
        read_unfinished(path)


EXAMPLE = Example("trec", "id1", "q", "c", ("x",), 12, ("x", "y"))
CUT = Truncation(100, 50, 5, 9, 5)


def test_what_a_run_writes_is_what_is_read(tmp_path):
    prompt = Prompt("id1", "text", False, (1, 2, 3), CUT)
    written = to_record(EXAMPLE, prompt, "f00", Completion("id1", "x\n", "length", 3, 2))
    assert list(written)[:4] == ["pred", "answers", "all_classes", "length"]
    (row,) = read(tmp_path / "trec.jsonl", json.dumps(written).encode())
    assert (row.pred, row.answers, row.all_classes, row.length, row.id) == ("x\n", ("x",), ("x", "y"), 12, "id1")
    assert (row.extra["truncation"]["tokens_before"], row.extra["finish_reason"]) == (100, "length")
    assert not row.failed


def test_a_failure_is_read_as_one():
    failed = to_record(
        EXAMPLE, Prompt("id1", "", False, None, None), "", Completion("id1", "", error=Failure("model", "x"))
    )
    assert parse_prediction(json.dumps(failed).encode(), "x").failed
