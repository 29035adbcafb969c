"""`report` and `chart`, called as a user calls them."""

import sys

import pytest

pytest.importorskip("altair")

from samples import options


@pytest.fixture
def run(cli, data, recorded, tmp_path):
    assert cli("run", "--model", f"replay:{recorded}", *options(data), "--out", tmp_path / "one")[0] == 0
    return tmp_path / "one"


def test_a_run_ends_with_its_report(run):
    page = (run / "report.html").read_text("utf-8")
    assert "<h1>" in page
    assert "http://" not in page.replace("http://www.w3.org", "")


def test_a_report_of_one_and_of_two(cli, run, recorded, data, tmp_path):
    (run / "report.html").unlink()
    assert cli("report", run)[:2] == (0, f"{run / 'report.html'}\n")
    more = ["--out", tmp_path / "both.html", "--sample", 3, "--seed", 4, "--profile", "official", "--data", data]
    assert cli("report", run, recorded, *more)[0] == 0
    page = (tmp_path / "both.html").read_text("utf-8")
    assert page.count('<article class="row">') == 6
    assert "question 0 of" in page or "question 1 of" in page or "of qasper?" in page
    assert cli("report", recorded)[1] == "report.html\n"


def test_no_rows_are_shown_when_none_are_asked_for(cli, run):
    assert cli("report", run, "--sample", 0)[0] == 0
    assert '<article class="row">' not in (run / "report.html").read_text("utf-8")
    code, _, err = cli("report", run, "--sample", -1)
    assert (code, "expected a number of rows from 0" in err) == (1, True)


def test_charts(cli, run, tmp_path):
    for name in ("tasks.svg", "tasks.png"):
        more = ["--out", tmp_path / name, "--look", "dark", "--width", 400, "--profile", "official"]
        assert cli("chart", "tasks", run, *more)[0] == 0
        assert (tmp_path / name).stat().st_size > 2000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rader", "--out", "x.svg"], "Did you mean 'radar'"),
        (["radar", "--out", "x.gif"], "There is no format 'gif'"),
        (["radar", "--out", "x"], "has no ending"),
        (["tasks", "--out", "x.svg", "--width", 20], "expected 200 to 4000 pixels"),
        (["tasks", "--out", "x.svg", "--look", "drak"], "Did you mean 'dark'"),
        (["context", "--out", "x.svg"], "two runs"),
    ],
)
def test_mistakes_are_one_message(cli, run, words, said):
    code, _, err = cli("chart", words[0], run, *words[1:])
    assert code == 1
    assert said in err


def test_without_the_extra_one_line_says_what_to_install(cli, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    code, _, err = cli("report", run)
    assert (code, "pip install 'longbench-eval[report]'" in err) == (1, True)
    monkeypatch.setitem(sys.modules, "altair", None)
    code, _, err = cli("chart", "tasks", run, "--out", "x.svg")
    assert (code, "pip install 'longbench-eval[report]'" in err) == (1, True)


def test_a_run_without_the_extra_is_done_all_the_same(cli, data, recorded, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    code, out, _ = cli("run", "--model", f"replay:{recorded}", *options(data), "--out", tmp_path / "two")
    assert code == 0
    assert "no report: Charts and reports need jinja2" in out
