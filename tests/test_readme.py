"""What the README shows works: its commands are known with their options, its Python runs."""

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from longbench_eval import Request
from longbench_eval.cli.root import app
from longbench_eval.tasks import get_suite
from samples import write_sample_data
from toys import ToyTokenizer

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]
SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("longbench-eval ")])
def test_commands_and_options_exist(line):
    words = shlex.split(line, comments=True)[1:]
    depth = 2 if words[0] in ("data", "models", "runs") else 1
    shown = CliRunner().invoke(app, [*words[:depth], "--help"])
    assert shown.exit_code == 0, shown.output
    for option in (word for word in words if word.startswith("--")):
        assert option in shown.output


def test_make_targets_exist():
    makefile = (Path(__file__).parents[1] / "Makefile").read_text("utf-8")
    targets = [line.split()[1] for line in COMMANDS if line.startswith("make ")]
    assert targets[:2] == ["demo", "test"]
    assert all(f"\n{target}:" in makefile for target in targets)


def test_the_function_snippet(tmp_path, monkeypatch, capsys):
    """Over rows that stand where `data pull` puts them, taken for official."""
    data = write_sample_data(tmp_path / "longbench", ("hotpotqa", "samsum"), n=2)
    monkeypatch.chdir(tmp_path)
    names = {
        "my_tokenizer": ToyTokenizer(),
        "generate_greedily": lambda ids, max_new_tokens: f"answer {len(ids) + max_new_tokens}",
    }
    snippet = SNIPPETS[0].replace("RunSettings(", "RunSettings(data=DATA, allow_unofficial=True, ")
    exec(compile(snippet, "README.md", "exec"), names | {"DATA": data})
    assert "|trunc:middle@7500|" in capsys.readouterr().out


class Cache:
    """Keeps what it has seen until it is reset."""

    def __init__(self, size):
        self.size, self.seen, self.resets = size, [], 0

    def reset(self):
        self.seen, self.resets = [], self.resets + 1


def test_the_snippet_for_kv_caches(tmp_path, monkeypatch, capsys):
    data = write_sample_data(tmp_path / "longbench", ("qasper", "hotpotqa"), n=9)
    monkeypatch.chdir(tmp_path)
    full, small = Cache(None), Cache(40)

    def answer(cache, ids, max_new_tokens):
        cache.seen += ids
        kept = bytes(i for i in ids[-(cache.size or len(ids)) :] if i < 256).decode(errors="replace")
        return f"answer {kept.split('question ')[1][0]}" if "question " in kept else "nothing"

    names = {"my_tokenizer": ToyTokenizer(), "answer": answer, "full_cache": full, "small_cache": small}
    snippet = SNIPPETS[1].replace("RunSettings(", "RunSettings(data=DATA, allow_unofficial=True, ")
    exec(compile(snippet, "README.md", "exec"), names | {"DATA": data})
    assert re.fullmatch(r"[+-]\d+\.\d\d points, p = \d\.\d{3}\n", capsys.readouterr().out)
    assert (full.resets, small.resets) == (6, 6), "three contexts in each of two tasks"


def test_the_scoring_snippet(tmp_path):
    row = {"pred": "Paris", "answers": ["Paris"], "all_classes": None, "length": 1}
    (tmp_path / "hotpotqa.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    lines = SNIPPETS[2].replace("path/to/predictions", str(tmp_path)).splitlines()
    names: dict = {}
    exec("\n".join(line for line in lines if line.startswith("from")), names)
    values = [eval(line.split("  #")[0], names) for line in lines if line.split("(")[0] in names]
    assert values == [100.0, pytest.approx(2 / 3), 1.0]


def test_counts_in_the_readme_are_those_of_the_code():
    assert f"{sum(get_suite('minilongbench').counts.values())} rows" in README
    assert Request.__dataclass_fields__.keys() >= {"prompt", "max_new_tokens"}
