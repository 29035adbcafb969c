"""Using the viewer: sorting, searching, opening, comparing, with the mouse and with the keyboard."""

import json
from urllib.parse import unquote

from browser.conftest import wait_until
from viewer_runs import viewing


def texts(page, selector):
    return [text.strip() for text in page.locator(selector).all_inner_texts()]


def settled(page, fragment):
    """Wait until the address holds a text, and its page stands."""
    shown = "document.getElementById('main').dataset.address === location.hash"
    wait_until(page, f"decodeURIComponent(location.hash).includes({json.dumps(fragment)}) && {shown}")
    page.wait_for_load_state("networkidle")


def test_the_list_is_filtered_and_sorted(site, open_page):
    page = open_page(site)
    page.keyboard.press("/")
    page.keyboard.type("max")
    page.keyboard.press("Control+a")
    page.keyboard.type("middle@64")
    wait_until(page, "document.querySelectorAll('tbody tr').length === 1")
    assert texts(page, "tbody a.open") == ["cut"]
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.type") != "search"
    page.get_by_role("searchbox").fill("")
    wait_until(page, "document.querySelectorAll('tbody tr').length === 4")
    head = page.get_by_role("columnheader", name="Run", exact=True)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    names = texts(page, "tbody a.open")
    assert names == sorted(names, key=str.lower)
    page.keyboard.press("Enter")  # the button keeps the focus
    assert head.get_attribute("aria-sort") == "descending"
    assert texts(page, "tbody a.open") == names[::-1]


def test_predictions_without_a_run_are_scored_while_one_looks(site, open_page):
    page = open_page(site)
    line = page.locator("tr", has=page.get_by_role("link", name="pred/other tool", exact=True))
    line.get_by_text("longbench", exact=True).wait_for()
    assert line.get_by_text("predictions only").is_visible()


def test_two_runs_are_ticked_and_compared(site, open_page):
    page = open_page(site)
    page.get_by_label("Compare cut").check()
    page.get_by_label("Compare whole").check()
    page.get_by_role("button", name="Compare").click()
    settled(page, "/runs/cut?with=whole")
    assert "The signatures differ" in page.locator("main").inner_text()
    assert "middle@64" in page.locator("table.plain").inner_text()
    page.get_by_role("link", name="Rows that differ most").click()
    settled(page, "sort=difference")
    assert page.get_by_role("columnheader", name="Difference").get_attribute("aria-sort") == "descending"


def test_rows_are_sorted_by_their_headings(site, open_page):
    page = open_page(f"{site}#/runs/whole/qasper")
    page.get_by_role("button", name="Score", exact=True).click()
    settled(page, "sort=score")
    scores = [float(text) for text in texts(page, "td.score")]
    assert scores == sorted(scores)
    assert scores[0] < scores[-1]
    page.get_by_role("button", name="Score", exact=True).press("Enter")
    settled(page, "down=1")
    assert [float(text) for text in texts(page, "td.score")] == scores[::-1]
    assert page.evaluate("document.activeElement.innerText.trim()").startswith("Score")


def test_rows_are_searched_and_filtered(site, open_page):
    page = open_page(f"{site}#/runs/whole/qasper")
    page.keyboard.press("/")
    page.keyboard.type("question 17 of")
    settled(page, "q=question+17+of")
    assert texts(page, "tbody a.open") == ["18"]
    assert page.evaluate("document.activeElement.type") == "search"
    assert "1 of 30 rows fit" in page.locator("main").inner_text()
    page.get_by_role("button", name="Show all").click()
    wait_until(page, "document.querySelectorAll('tbody tr').length === 30")
    page.locator(".spread button").last.click()
    settled(page, "score=9")
    assert set(texts(page, "td.score")) == {"100.00"}


def test_marks_filter(site, open_page):
    page = open_page(f"{site}#/runs/cut")
    page.get_by_role("link", name="30 cut").first.click()
    settled(page, "mark=truncated")
    assert len(texts(page, "tbody tr")) == 30


def test_a_row_opens_and_keys_walk_through_the_list(site, open_page):
    page = open_page(f"{site}#/runs/whole/qasper?sort=score&down=1")
    order = texts(page, "tbody a.open")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    settled(page, f"/qasper/{order[1]}?")
    for key, at in (("j", 2), ("ArrowRight", 3), ("k", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        settled(page, f"/qasper/{order[at]}?")
        assert page.locator("h1").inner_text() == f"qasper, line {order[at]}"
    page.keyboard.press("Escape")
    settled(page, "/qasper?sort=score&down=1")
    page.keyboard.press("Escape")
    settled(page, "/runs/whole")
    page.keyboard.press("Escape")
    wait_until(page, "location.hash === '#/'")


def test_keys_do_nothing_while_one_types(site, open_page):
    page = open_page(f"{site}#/runs/whole/qasper/3")
    page.get_by_label("Beside").focus()
    page.keyboard.press("j")
    assert "/qasper/3" in page.url


def test_deep_links_and_the_way_back(site, open_page):
    link = f"{site}#/runs/cut/multifieldqa_zh/3?with=whole&sort=difference&down=1"
    page = open_page(link)
    assert texts(page, "section.prediction .of") == ["cut", "whole"]
    page.get_by_role("link", name="multifieldqa_zh", exact=True).click()
    settled(page, "/multifieldqa_zh?with=whole")
    page.go_back()
    settled(page, "/multifieldqa_zh/3")
    assert unquote(page.url) == unquote(link)
    page.reload()
    page.wait_for_selector("section.prediction .of")
    assert texts(page, "section.prediction .of") == ["cut", "whole"]


def test_a_row_shows_the_match_and_the_cut(site, open_page):
    page = open_page(f"{site}#/runs/whole/qasper/5")
    assert texts(page, ".prediction mark.hit") == ["answer", "4"]
    assert texts(page, ".answers li mark.hit") == ["answer", "4"]
    assert "question 4 of qasper?" in page.locator(".asked").inner_text()
    page = open_page(f"{site}#/runs/cut/samsum/5")
    cut = page.locator(".sheet .gone")
    assert "characters cut out here" in cut.inner_text()
    assert cut.locator(".text").count() == 0  # not even asked for
    cut.locator("summary").click()
    wait_until(page, "document.querySelector('.gone .text')?.innerText.length > 10")
    assert "SHA-256 is the recorded one" in page.locator(".proof").inner_text()


def test_other_runs_come_when_they_are_asked_for(site, open_page):
    page = open_page(f"{site}#/runs/cut/qasper/5")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("summary", has_text="The same row in other runs").click()
    page.get_by_role("rowheader", name="whole").wait_for()
    assert any("/api/others" in url for url in asked)
    page.get_by_role("rowheader", name="whole").get_by_role("link").click()
    settled(page, "with=whole")


def test_the_token_leaves_the_address_and_stays_in_the_cookie(tmp_path, open_page):
    (tmp_path / "runs").mkdir()
    with viewing(tmp_path / "runs", "--port", 0, "--token", "abc") as (url, _):
        page = open_page(url)
        assert "token" not in page.url
        assert "No runs here yet" in page.locator("main").inner_text()
        assert page.evaluate("document.cookie") == ""
        page.reload()
        page.wait_for_selector("h1")
