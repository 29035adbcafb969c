"""`compare` and `score --intervals`, called as a user calls them."""

import json

import pytest

from samples import TASKS_USED, options


@pytest.fixture
def runs(cli, data, recorded, tmp_path):
    """A run, and one that is wrong in five of six rows."""
    worse = tmp_path / "worse-predictions"
    worse.mkdir()
    for task in TASKS_USED:
        lines = (recorded / f"{task}.jsonl").read_text("utf-8").splitlines()
        rows = [json.loads(line) | ({"pred": "no"} if i else {}) for i, line in enumerate(lines)]
        (worse / f"{task}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    made = []
    for name, replayed in (("good", recorded), ("bad", worse)):
        assert cli("run", "--model", f"replay:{replayed}", *options(data), "--out", name)[0] == 0
        made.append(tmp_path / name)
    return made


def test_a_table_and_its_caption(cli, runs):
    code, out, said = cli("compare", *runs)
    assert (code, said) == (0, "")
    assert "-83.33" in out
    assert "rows of one context are kept together: qasper, multifieldqa_zh, samsum" in " ".join(out.split())
    assert "longbench|compare:paired|tasks:3|profile:official|" in out


@pytest.mark.parametrize(
    ("form", "begins"), [("markdown", "|  | good | bad |"), ("latex", "% needs"), ("csv", "name,kind,n"), ("json", "{")]
)
def test_formats(cli, runs, form, begins):
    code, out, _ = cli("compare", *runs, "--format", form)
    assert code == 0
    assert out.startswith(begins)


def test_json_with_every_option(cli, runs, data):
    words = ["--json", "--seed", 3, "--level", 0.9, "--profile", "kvpress", "--tasks", "qasper,samsum", "--data", data]
    code, out, _ = cli("compare", *runs, *words, "--allow-mismatch", "--fail-if-worse", 60, "--on", "qasper")
    shape = json.loads(out)
    assert code == 0
    assert "|profile:kvpress|edit:difflib|clusters:contexts|boot:10000@seed3|" in shape["signature"]
    assert shape["level"] == 0.9
    assert [item["name"] for item in shape["items"]] == ["qasper", "samsum", "mean of tasks"]
    assert [verdict["outcome"] for verdict in shape["gate"]] == ["cannot tell"]


def test_the_gate_exits_4_only_with_evidence(cli, runs):
    good, bad = runs
    code, out, _ = cli("compare", good, bad, "--fail-if-worse", 1)
    assert code == 4
    assert "bad: worse by more than 1 points on mean of tasks" in out
    code, out, said = cli("compare", good, bad, "--fail-if-worse", 1, "--format", "csv")
    assert code == 4
    assert "worse by" in said
    assert "worse by" not in out
    code, out, _ = cli("compare", bad, good, "--fail-if-worse", 1)
    assert code == 0
    assert "good: not worse by more than 1 points" in out
    code, out, _ = cli("compare", good, bad, "--fail-if-worse", 80)
    assert code == 0
    assert "cannot tell whether it is worse by more than 80 points" in " ".join(out.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--format", "tex"], "There is no format 'tex'"),
        (["--level", 95], "--level is 95"),
        (["--on", "All"], "give --fail-if-worse POINTS too"),
        (["--fail-if-worse", 1, "--on", "All"], "'All' is not formed: narrativeqa is not compared"),
        (["--profile", "all"], "There is no profile 'all'"),
        (["--tasks", "qaspr"], "Did you mean 'qasper'"),
    ],
)
def test_mistakes_are_one_message(cli, runs, words, message):
    code, out, said = cli("compare", *runs, *words)
    assert (code, out) == (1, "")
    assert said.startswith("Error: ")
    assert message in said


def test_no_color_is_respected(cli, runs, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = cli("compare", *runs)[1]
    assert "\x1b[31m" not in out
    assert "\x1b[32m" not in out


def test_a_run_stores_intervals_and_prints_them(cli, runs):
    shape = json.loads((runs[1] / "summary.json").read_text("utf-8"))
    low, high = shape["tasks"]["qasper"]["interval"]
    assert low < shape["tasks"]["qasper"]["score"] < high
    assert "|boot:10000@seed0|v:" in shape["signature"]


def test_score_with_intervals(cli, runs):
    code, out, _ = cli("score", runs[1], "--intervals")
    assert code == 0
    assert "95% interval" in out
    assert "░" in out
    assert max(len(line) for line in out.splitlines() if "|" not in line) <= 80
    shape = json.loads(cli("score", runs[1], "--intervals", "--seed", 5, "--json")[1])
    assert "|boot:10000@seed5|" in shape["signature"]
    assert "interval" not in json.loads(cli("score", runs[1], "--json")[1])["tasks"]["qasper"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seed", 5], "add --intervals"),
        (["--rows", "--intervals"], "leave out --intervals, or add --json"),
        (["--profile", "all", "--intervals"], "name one profile, or add --json"),
    ],
)
def test_options_of_score_that_contradict(cli, recorded, words, message):
    code, _, said = cli("score", recorded, *words)
    assert code == 1
    assert message in said


def test_plain_score_does_without_numpy(recorded):
    import subprocess
    import sys

    program = (
        "import sys; sys.argv = ['x', 'score', sys.argv[1]]\n"
        "from longbench_eval.cli import main\n"
        "try: main()\nfinally: print('numpy' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(recorded)], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "False"
