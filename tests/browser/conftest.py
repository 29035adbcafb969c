"""A real browser for tests of pages: headless Chromium, driven by Playwright, and axe for accessibility.

Tests that use it have the marker `browser`. Without Chromium or the packages they are skipped; with
LONGBENCH_EVAL_BROWSER=required they fail instead.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from viewer_runs import build, viewing, write_hostile

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
WIDTHS = {"phone": 375, "desk": 1280}


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


def _lacking(what: str):
    message = f"{what} is missing: apt-get install chromium; pip install playwright axe-playwright-python"
    if os.environ.get("LONGBENCH_EVAL_BROWSER") == "required":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def chromium():
    """The browser, once for all tests."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        _lacking("Chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _lacking("playwright")
    with sync_playwright() as driver:
        # As root, in a container, Chromium's own sandbox cannot be had.
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium) -> Iterator:
    """Open a page: `open_page(url, width="desk", scheme="light")`. What it says on the console fails the test.

    `page.said` lists what the console and uncaught errors said; a test that expects something empties it.
    """
    contexts, said = [], []

    def open_(url: str, width: str = "desk", scheme: str = "light", ready: str = "main:not([aria-busy]) h1"):
        context = chromium.new_context(viewport={"width": WIDTHS[width], "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.said = said
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"uncaught: {error}"))
        page.goto(url)
        page.wait_for_selector(ready)
        page.wait_for_load_state("networkidle")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert said == []


@pytest.fixture(scope="session")
def violations():
    """What axe finds wrong with a page, a line a rule: `assert violations(page) == []`."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        _lacking("axe-playwright-python")
    axe = Axe()

    def check(page) -> list[str]:
        found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
        return [f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]

    return check


def overflow(page) -> int:
    """How many pixels a page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def wait_until(page, expression: str, seconds: float = 15.0) -> None:
    """Wait until an expression is true in a page. Playwright's own `wait_for_function` evaluates what CSP forbids."""
    until = monotonic() + seconds
    while not page.evaluate(expression):
        assert monotonic() < until, expression
        sleep(0.02)


@pytest.fixture(scope="session")
def site(chromium, tmp_path_factory) -> Iterator[str]:
    """The address of a viewer over runs of every kind, hostile ones too."""
    folder = build(tmp_path_factory.mktemp("site"), n=30)
    write_hostile(folder)
    with viewing(folder.runs, "--data", folder.data, "--port", 0) as (url, _):
        yield url
