"""The report in a real browser: accessible, silent and harmless, at both widths and in both schemes."""

import pytest

pytest.importorskip("altair")

from browser.conftest import WIDTHS, overflow
from longbench_eval.reports.html import ReportSettings, write_report
from viewer_runs import build, write_hostile


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    root = tmp_path_factory.mktemp("reports")
    folder = build(root, n=12)
    hostile = write_hostile(folder)
    path = hostile / "predictions" / "qasper.jsonl"
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:-1]), "utf-8")
    one, two = folder.runs / "cut", folder.runs / "whole"
    return {
        "one": write_report([one], root / "one.html"),
        "two": write_report([one, two], root / "two.html"),
        "hostile": write_report([hostile], root / "hostile.html", ReportSettings(sample=60)),
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["one", "two", "hostile"])
def test_a_report_is_accessible_and_fits(reports, open_page, violations, name, width, scheme):
    page = open_page(reports[name].as_uri(), width, scheme)
    assert violations(page) == []
    assert overflow(page) <= 0
    shown = page.locator("svg[role=img]:visible").count()
    assert shown == page.locator("figure.chart").count() > 0


def test_nothing_runs(reports, open_page):
    page = open_page(reports["hostile"].as_uri())
    assert page.evaluate("window.owned") is None
    assert page.locator("script, img, iframe").count() == 0
    assert "<script>window.owned = 1</script>" in page.locator("main").inner_text()
    assert "NUL" in page.locator(".text .unseen").all_inner_texts()


def test_the_policy_stops_what_would_slip_through(reports, open_page):
    page = open_page(reports["one"].as_uri())
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: 'owned = 1'}))")
    assert page.evaluate("window.owned") is None
    assert any("Content Security Policy" in line for line in page.said)
    page.said.clear()


def test_charts_follow_the_scheme(reports, open_page):
    def paint(scheme):
        page = open_page(reports["one"].as_uri(), scheme=scheme)
        return page.evaluate("getComputedStyle(document.querySelector('.desk svg text')).fill")

    assert paint("light") != paint("dark")


def test_it_prints_light_with_every_section(reports, open_page):
    page = open_page(reports["two"].as_uri(), scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.pdf(format="A4").startswith(b"%PDF-")
    assert page.locator("h2:visible").count() == 6
