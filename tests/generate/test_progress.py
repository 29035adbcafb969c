"""What a person is told while a run goes on."""

import re

import pytest

from longbench_eval.generate import progress
from longbench_eval.generate.progress import BarProgress, PlainProgress, Progress, Rate, for_stream
from longbench_eval.records import Completion, Failure

ANSWERED = Completion("a", "yes", "stop", prompt_tokens=100, completion_tokens=10, cached_tokens=40)
FAILED = Completion("b", "", error=Failure("model", "boom"))
UNCOUNTED = Completion("c", "yes")


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands until it is moved: `clock[0] += seconds`."""
    now = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    return now


def test_rate(clock):
    rate = Rate(total=14, done=10)
    clock[0] = 2.0
    rate.add(ANSWERED)
    assert str(rate) == "0:06 left, 30 prompt tok/s, 5 new tok/s, 40% cached"
    rate.add(FAILED)
    assert str(rate).startswith("0:02 left, 1 failed, 30 prompt tok/s")


def test_rate_before_anything_was_answered_and_without_counts(clock):
    rate = Rate(total=3, done=0)
    assert str(rate) == "0:00 left, 0 prompt tok/s, 0 new tok/s"
    rate.add(UNCOUNTED)
    clock[0] = 3600.0
    assert str(rate) == "2:00:00 left, 0 prompt tok/s, 0 new tok/s"


def go_through(told, total=4, done=2):
    told.note("mind [this]")
    with told.over(total, done):
        told.row("qasper", ANSWERED)
        told.row("samsum", FAILED)


def test_silent(capsys):
    go_through(Progress())
    assert capsys.readouterr() == ("", "")


def test_plain_lines(capsys, clock):
    go_through(PlainProgress())
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert lines[:2] == ["warning: mind [this]", "2 of 4 rows are there already"]
    assert re.fullmatch(r"4/4 rows: 0:00 left, 1 failed, .*", lines[2])
    assert len(lines) == 3


def test_a_plain_line_every_now_and_then(capsys, clock):
    told = PlainProgress(every_s=10)
    with told.over(4, 0):
        for _ in range(4):
            clock[0] += 6
            told.row("qasper", ANSWERED)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(" rows")[0] for line in lines] == ["2/4", "4/4", "4/4"]
    assert "qasper" in lines[0]


def test_a_finished_run_has_nothing_to_tell(capsys):
    with PlainProgress().over(4, 4):
        pass
    assert capsys.readouterr().err == "4 of 4 rows are there already\n"


def test_the_bar_in_80_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    go_through(BarProgress())
    err = capsys.readouterr().err
    assert "warning: mind [this]" in err
    assert "4/4" in err
    assert "1 failed" in err


@pytest.mark.parametrize(("is_terminal", "expected"), [(True, BarProgress), (False, PlainProgress)])
def test_a_bar_only_where_somebody_looks_on(monkeypatch, is_terminal, expected):
    monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal)
    assert type(for_stream()) is expected
