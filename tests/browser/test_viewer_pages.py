"""Every page of the viewer as a browser shows it: no errors, accessible, no wider than the window."""

import pytest

from browser.conftest import WIDTHS, overflow

PAGES = {
    "list": "#/",
    "run": "#/runs/cut",
    "run beside another": "#/runs/cut?with=whole",
    "predictions": "#/runs/pred%2Fother%20tool",
    "rows": "#/runs/cut/qasper",
    "rows of all tasks": "#/runs/cut/*?with=whole&sort=difference&down=1",
    "no rows": "#/runs/cut/qasper?q=nowhere",
    "row": "#/runs/cut/qasper/3",
    "row beside another": "#/runs/cut/multifieldqa_zh/1?with=whole",
    "hostile run": "#/runs/%3Cb%3Ebold%3C%2Fb%3E%20%26%20100%25%20%22it's%22%20%D0%BD%D0%B0%D1%88",
    "hostile rows": "#/runs/%3Cb%3Ebold%3C%2Fb%3E%20%26%20100%25%20%22it's%22%20%D0%BD%D0%B0%D1%88/qasper",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_pages(site, open_page, violations, name, width, scheme):
    page = open_page(site + PAGES[name], width, scheme)
    assert violations(page) == []
    assert overflow(page) == 0
    assert page.locator("h1").count() == 1
    assert page.title() != ""


def test_the_help_is_accessible(site, open_page, violations):
    page = open_page(site)
    page.keyboard.press("?")
    assert page.locator("dialog[open]").is_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    assert not page.locator("dialog[open]").is_visible()
    assert page.url.endswith("/")


def test_what_is_not_there_is_told(site, open_page, violations):
    page = open_page(f"{site}#/runs/nobody")
    assert "there is no run 'nobody'" in page.locator("main").inner_text()
    assert violations(page) == []
    assert any("404" in line for line in page.said)
    page.said.clear()


def test_colours_are_chosen_and_kept(site, open_page):
    page = open_page(site, scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    button = page.get_by_role("button", name="Colours")
    button.click()
    assert page.evaluate(paper) == light
    button.click()
    assert page.evaluate(paper) != light
    page.reload()
    page.wait_for_selector("h1")
    assert page.evaluate(paper) != light
    assert button.get_attribute("aria-label") == "Colours: dark"
