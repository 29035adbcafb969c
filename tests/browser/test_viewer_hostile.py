"""Texts that try something are shown as text: nothing runs, nothing is fetched, nothing freezes."""

from time import perf_counter
from urllib.parse import quote

import pytest

from browser.conftest import wait_until
from viewer_runs import HOSTILE_NAME, HOSTILE_TEXTS, SCRIPT

RUN = f"#/runs/{quote(HOSTILE_NAME, safe='')}"
LINE = {name: line for line, name in enumerate(HOSTILE_TEXTS, 1)}
PLACES = ["#/", RUN, f"{RUN}/qasper", f"{RUN}/*", *(f"{RUN}/qasper/{line}" for line in LINE.values())]


def harmless(page):
    return (
        page.evaluate("window.owned") is None
        and page.locator("main :is(script, img, iframe, b, i:not(:empty))").count() == 0
    )


@pytest.mark.parametrize("place", PLACES)
def test_nothing_runs(site, open_page, place):
    page = open_page(site + place)
    assert harmless(page)


def test_scripts_are_shown_as_text(site, open_page):
    page = open_page(f"{site}{RUN}/qasper/{LINE['script']}")
    assert SCRIPT in page.locator(".prediction .text").inner_text()
    assert page.locator("h1").inner_text() == "qasper, line 1"
    page = open_page(site + RUN)
    assert page.locator("h1").inner_text() == HOSTILE_NAME
    assert SCRIPT in page.locator("main").inner_text()


def test_unseen_characters_are_named(site, open_page):
    page = open_page(f"{site}{RUN}/qasper/{LINE['control']}")
    assert page.locator(".prediction .text .unseen").all_inner_texts() == ["NUL", "BEL", "ESC", "DEL"]
    page = open_page(f"{site}{RUN}/qasper/{LINE['right to left']}")
    assert page.locator(".prediction .text .unseen").all_inner_texts() == ["RLO", "LRI", "RLM"]
    assert "עברית" in page.locator(".prediction .text").inner_text()
    page = open_page(f"{site}{RUN}/qasper/{LINE['surrogate']}")
    assert page.locator(".prediction .text .unseen").all_inner_texts() == ["U+D83D"]
    page = open_page(f"{site}{RUN}/qasper/{LINE['lines']}")
    assert page.locator(".prediction .text .unseen").first.inner_text() == "↵ × 5000"


@pytest.mark.parametrize("name", ["megabyte", "one word"])
def test_long_lines_come_in_pieces(site, open_page, name):
    start = perf_counter()
    page = open_page(f"{site}{RUN}/qasper/{LINE[name]}")
    assert perf_counter() - start < 20
    text = page.locator(".prediction .text")
    assert len(text.inner_text()) == 20_000
    more = page.get_by_role("button", name="Show more").first
    more.click()
    wait_until(page, "document.querySelector('.prediction .text').innerText.length >= 39999")
    assert "40,000 of" in more.inner_text()


def test_the_policy_stops_what_would_slip_through(site, open_page):
    page = open_page(site)
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.owned = 3";
            document.body.append(script);
            document.querySelector("main").setAttribute("onclick", "window.owned = 4");
            document.querySelector("main").click();
        }"""
    )
    assert page.evaluate("window.owned") is None
    assert sum("Content Security Policy" in line for line in page.said) >= 2
    page.said.clear()
