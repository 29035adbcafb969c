"""The commands of the paper's tables: every option, and 80 columns."""

import json

import pytest

from longbench_eval.scoring import PROFILES
from samples import TASKS_USED
from toys import ToyTokenizer


def widest(out):
    return max(len(line) for line in out.splitlines() if "|" not in line)


@pytest.mark.parametrize("table", ["longbench", "longbench-e", "retrieval", "summarization", "no-context"])
@pytest.mark.parametrize("model", [(), ("GPT-3.5-Turbo-16k",)])
def test_reference_lists_published_scores(cli, table, model):
    code, out, _ = cli("reference", *model, "--table", table)
    assert (code, widest(out) <= 80) == (0, True)
    assert "GPT-3.5-Turbo-16k" in out
    assert "arXiv 2308.14508" in " ".join(out.split())
    assert "…" not in out
    assert ("triviaqa" in out) == (bool(model) and table.startswith("longbench"))


def test_reference_prints_markdown_and_json(cli):
    code, out, _ = cli("reference", "ChatGLM2-6B", "--markdown")
    assert code == 0
    assert out.startswith("| ChatGLM2-6B | score |\n| --- | ---: |\n| narrativeqa | 11.8 |\n")
    _, out, _ = cli("reference", "--json", "--table", "longbench-e")
    shape = json.loads(out)
    assert len(shape["rows"]) == 24
    assert shape["sources"]["paper"]["edit"] is None


@pytest.mark.parametrize("words", [("reference", "--beside"), ("compare", "--published")])
def test_a_run_is_set_beside_published_scores(cli, recorded, words):
    code, out, _ = cli(*words, recorded)
    assert (code, widest(out) <= 80) == (0, True)
    assert "the 3 nearest of 27 published models" in out
    assert "set-up of this run: data: unproved" in out
    _, out, _ = cli(*words, recorded, "--json")
    shape = json.loads(out)
    assert len(shape["rows"]) == 27
    assert shape["differences"][0] == "prompts: not on record"


def test_beside_one_model(cli, recorded):
    _, out, _ = cli("reference", "XGen", "--beside", recorded)
    assert "XGen-7B-8k" in out
    assert "nearest" not in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("reference", "nobody"), "There is no published model 'nobody'"),
        (("reference", "--table", "main"), "There is no table 'main'"),
        (("reference", "--table", "retrieval", "--beside", "RUN"), "--table does not go with --beside"),
        (("reference", "--markdown", "--beside", "RUN"), "--markdown does not go with --beside"),
        (("compare", "--published", "RUN", "RUN"), "--published takes one run"),
        (("compare", "--published", "RUN", "--format", "csv"), "--published takes one run"),
        (("compare", "--published", "RUN", "--on", "EN"), "--on does not go with --published"),
        (("data", "noise", "--suite", "longbnch"), "Did you mean 'longbench'?"),
    ],
)
def test_mistakes_are_one_message(cli, recorded, words, said):
    code, _, err = cli(*[recorded if word == "RUN" else word for word in words])
    assert code == 1
    assert said in err
    assert "Traceback" not in err


def test_data_noise(cli):
    code, out, _ = cli("data", "noise")
    assert (code, widest(out) <= 80) == (0, True)
    for kind in ("unanswerable-or-not", "asked-twice", "unscorable-line", "class-cut-short"):
        assert out.count(kind) >= 2, "its rows, and why"
    _, out, _ = cli("data", "noise", "--suite", "longbench-e", "--json")
    assert {row["suite"] for row in json.loads(out)["rows"]} == {"longbench-e"}


def test_score_without_noise(cli, recorded):
    code, out, _ = cli("score", recorded, "--without-noise")
    assert code == 0
    assert "no row of these is known to be wrong or impossible" in out
    _, out, _ = cli("score", recorded, "--without-noise", "--json")
    shape = json.loads(out)
    assert shape["without_noise"]["left_out"] == 0
    assert shape["tasks"]["qasper"]["without_noise"]["n"] == shape["tasks"]["qasper"]["n"]


@pytest.fixture
def cut_run(data, tmp_path):
    """A run whose every prompt was cut."""
    from longbench_eval import RunSettings, run

    settings = RunSettings(
        tasks=TASKS_USED, data=data, allow_unofficial=True, out=tmp_path / "cut", max_input_tokens=40
    )
    run(lambda request: "x", settings, tokenizer=ToyTokenizer())
    return tmp_path / "cut"


def test_score_cut(cli, cut_run, recorded):
    code, out, _ = cli("score", cut_run, "--cut")
    assert (code, widest(out) <= 80) == (0, True)
    assert "answer lost: it stood only in the part that was cut" in out
    assert "cut to fit: " in out
    _, out, _ = cli("score", cut_run, "--cut", "--json")
    cut = json.loads(out)["tasks"]["samsum"]["cut"]
    assert cut["rows"] == cut["answers"]["untold"] > 0
    _, out, _ = cli("score", cut_run, "--json")
    assert "cut" not in json.loads(out)["tasks"]["samsum"]


def test_several_profiles_have_tables_of_their_own(cli, recorded):
    code, out, _ = cli("score", recorded, "--without-noise", "--profile", "all")
    assert code == 0
    assert all(f"\n{name}:\n" in out for name in PROFILES)


def test_a_folder_that_does_not_say_what_was_cut(cli, recorded):
    code, out, _ = cli("score", recorded, "--cut")
    assert code == 0
    assert "what was cut is not on record" in out
