"""The report as a page: what it holds, what it never holds, and which rows it shows."""

import base64
import hashlib
import json
import re

import pytest

pytest.importorskip("altair")

from longbench_eval import RunSettings, run
from longbench_eval.reports.html import ReportSettings, render_report
from longbench_eval.reports.html.sample import choose
from longbench_eval.reports.html.texts import KEPT, clean, fold, visible
from longbench_eval.scoring import score
from samples import TASKS_USED, answer_by_hash, write_sample_data
from toys import ToyTokenizer
from viewer_runs import build, write_hostile


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("report")
    data = write_sample_data(root / "data", n=12)
    settings = RunSettings(tasks=TASKS_USED, data=data, allow_unofficial=True, max_input_tokens=64, out=root / "one")
    run(answer_by_hash, settings, tokenizer=ToyTokenizer())
    return root / "one"


@pytest.fixture(scope="module")
def page(made):
    return render_report([made], ReportSettings(sample=6))


@pytest.mark.parametrize(
    "part",
    [
        *(
            "<h1>",
            "bai2024longbench",
            "longbench-eval run --model",
            "--max-input-tokens 64",
            "Likely cause",
            "Rows cut",
        ),
        *("longbench|tasks:3|data:unofficial", 'id="charts"', 'id="warnings"', "@media print", "Settings that change"),
        *("prefers-color-scheme: dark", '<th scope="row">', "SHA-256", "of qasper?"),
    ],
)
def test_a_page_has_it(page, part):
    assert part in page


def test_a_page_is_alone(page):
    rest = page.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "")
    assert not re.search(r"<script|<link|<img|<iframe|\bsrc=|@import|url\(\s*['\"]?http", rest)
    assert not re.search(r'\shref="(?!#)', rest)
    assert not re.search(r"\son\w+=|style=", re.sub(r"<style>.*?</style>", "", rest, flags=re.DOTALL))


def test_the_policy_allows_its_own_sheet_and_nothing_else(page):
    sheet = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in page.replace("&#39;", "'")


def test_equal_runs_make_equal_pages(made, page):
    assert render_report([made], ReportSettings(sample=6)) == page
    assert render_report([made], ReportSettings(sample=6, seed=1)) != page


def test_hostile_texts_are_shown_as_text(tmp_path):
    hostile = write_hostile(build(tmp_path, n=6))
    path = hostile / "predictions" / "qasper.jsonl"
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:-1]), "utf-8")
    page = render_report([hostile], ReportSettings(sample=100))
    page.encode("utf-8")
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script&gt;window.owned = 1&lt;/script&gt;" in page
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page)
    assert "further characters are in the predictions file only" in page
    assert len(page) < 2_000_000


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a<b>&\"'", "a&lt;b&gt;&amp;&#34;&#39;"),
        ("x\x00y", 'x<span class="unseen">NUL</span>y'),
        ("\u202eabc", '<span class="unseen">RLO</span>abc'),
        ("\ud83d", '<span class="unseen">U+D83D</span>'),
        ("a\n\n\n\n\nb", 'a<span class="unseen">↵ × 5</span>b'),
        ("tab\tnew\nline שלום 中", "tab\tnew\nline שלום 中"),
    ],
)
def test_what_cannot_be_seen_is_named(text, shown):
    assert str(visible(text)) == shown


def test_long_texts_are_folded_and_the_rest_is_counted():
    text = fold([["x" * 20_000, ""]], 1_000_000)
    assert (len(text["head"]), len(text["head"]) + len(text["tail"])) == (900, KEPT)
    assert text["left_out"] == 1_000_000 - KEPT
    assert fold([["short", "hit"]], 5)["tail"] == ""


def test_clean_leaves_no_character_that_a_parser_would_change():
    assert clean("a\x00\ud800\x9fb\n\t") == "a\ufffd\ufffd\ufffdb\n\t"


def test_rows_are_drawn_from_the_best_the_middle_the_worst_and_the_failed(tmp_path):
    rows = [
        {"pred": f"answer {n}" if n % 3 else "", "answers": ["answer 1"], "all_classes": None, "length": n}
        for n in range(60)
    ]
    rows[0]["error"] = {"kind": "model", "message": "out of memory"}
    (tmp_path / "qasper.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    summary = score(tmp_path)
    chosen = choose(summary, 12, 0)
    kinds = [one.why for one in chosen]
    assert len(chosen) == len({one.position for one in chosen}) == 12
    assert kinds.count("best") == kinds.count("worst") == kinds.count("middle") == 3
    assert set(kinds[-3:]) <= {"failed", "empty"}
    assert choose(summary, 12, 0) == chosen
    assert choose(summary, 0, 0) == []
    assert len(choose(summary, 1000, 0)) <= 60


def test_runs_that_cannot_be_compared_are_still_shown(made, tmp_path):
    (tmp_path / "qasper.jsonl").write_text('{"pred": "x", "answers": ["other"], "length": 7}\n', "utf-8")
    page = render_report([made, tmp_path], ReportSettings(sample=1))
    assert "not compared row by row" in page
    assert 'class="versus"' not in page


def test_two_runs_have_differences_and_marks(made):
    page = render_report([made, made], ReportSettings(sample=1))
    assert 'class="versus"' in page
    assert "+0.00" in page
