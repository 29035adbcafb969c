"""`doctor` without a model: what is installed and at hand."""

import hashlib
import json
import shutil
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from longbench_eval.dataset.official import Facts, OfficialFile, row_digest
from longbench_eval.doctor import installation
from longbench_eval.doctor.installation import look_around
from longbench_eval.models.fetch import ALIASES
from samples import rows_of

SHARED = Path(__file__).parents[2].parent / "shared" / "longbench"
TEMPLATES = json.dumps({"qasper": "{context} {input}"}).encode()


def raw(task, n, newline="\n"):
    return "".join(json.dumps(row) + newline for row in rows_of(task, n)).encode()


OFFICIAL = {"qasper": raw("qasper", 5), "samsum": raw("samsum", 4)}
FACTS = Facts(
    {stem: OfficialFile(hashlib.sha256(text).hexdigest(), len(text)) for stem, text in OFFICIAL.items()},
    {
        stem: tuple(row_digest(row["answers"], row["length"]) for row in map(json.loads, text.splitlines()))
        for stem, text in OFFICIAL.items()
    },
    hashlib.sha256(TEMPLATES).hexdigest(),
)


def placed(folder, files=OFFICIAL, templates=TEMPLATES):
    folder.mkdir()
    for stem, text in files.items():
        (folder / f"{stem}.jsonl").write_bytes(text)
    if templates:
        (folder / "dataset2prompt.json").write_bytes(templates)
    return folder


def seen(data=None, facts=FACTS):
    return {finding.check: finding for finding in look_around(data, facts=facts)}


def test_nothing_at_hand_is_no_problem():
    found = seen()
    assert (found["data"].level, found["data"].remedy) == ("notice", "longbench-eval data pull")
    assert (found["model smollm2"].level, found["model smollm2"].remedy) == (
        "notice",
        "longbench-eval models pull smollm2",
    )
    assert found["python"].message.startswith("Python 3.")
    assert found["disk"].level in ("ok", "notice")


def test_everything_at_hand(tmp_path, monkeypatch):
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    placed(tmp_path / "cache" / "longbench")
    model = ALIASES["smollm2"]
    model.path.parent.mkdir()
    with model.path.open("wb") as file:
        file.truncate(model.size)  # the hash was checked when the file was placed
    found = seen()
    assert {check: found[check].level for check in ("data", "templates", "model smollm2")} == {
        "data": "ok",
        "templates": "ok",
        "model smollm2": "ok",
    }
    assert "all 2 files" in found["data"].message


DATA = [
    ({"qasper": OFFICIAL["qasper"]}, TEMPLATES, "data", "notice", "1 of 2 files"),
    ({**OFFICIAL, "qasper": raw("qasper", 5, "\r\n")}, TEMPLATES, "data", "ok", "all 2 files"),
    ({**OFFICIAL, "qasper": raw("qasper", 4)}, TEMPLATES, "data", "problem", "qasper in"),
    ({**OFFICIAL, "trec": b"{"}, TEMPLATES, "data", "problem", "trec in"),
    (OFFICIAL, b"{}", "templates", "problem", "not the official file"),
    (OFFICIAL, None, "templates", "notice", "not here"),
]


@pytest.mark.parametrize(("files", "templates", "check", "level", "message"), DATA)
def test_data_that_is_named(tmp_path, files, templates, check, level, message):
    facts = replace(FACTS, files={**FACTS.files, "trec": OfficialFile("", 0)}, digests={**FACTS.digests, "trec": ()})
    folder = placed(tmp_path / "data", files, templates)
    finding = seen(folder, facts if "trec" in files else FACTS)[check]
    assert finding.level == level
    assert message in finding.message


def test_data_that_is_not_there(tmp_path):
    finding = seen(tmp_path / "nowhere")["data"]
    assert (finding.level, finding.remedy) == ("problem", "longbench-eval data pull")


def test_extras_come_from_the_package_s_own_metadata(monkeypatch):
    requires = [
        "rich>=1",
        "yes>=1; extra == 'good'",
        'no[a,b]>=2 ; extra == "bad"',
        "yes ; extra == 'bad'",
        "x ; extra == 'dev'",
    ]
    monkeypatch.setattr(installation, "requires", lambda package: requires)
    monkeypatch.setattr(installation, "_version", lambda package: "1.2" if package == "yes" else None)
    found = {check: finding for check, finding in seen().items() if check.startswith("extra")}
    assert found["extra good"].message == "yes 1.2"
    assert (found["extra bad"].level, found["extra bad"].message) == ("notice", "not installed: no")
    assert found["extra bad"].remedy == "pip install 'longbench-eval[bad]'"
    assert list(found) == ["extra good", "extra bad"]


def test_every_extra_of_this_installation_is_told():
    names = {extra for extra in metadata.metadata("longbench-eval").get_all("Provides-Extra") if extra != "dev"}
    assert {check.removeprefix("extra ") for check in seen() if check.startswith("extra")} == names


def test_a_full_disk(monkeypatch):
    usage = shutil.disk_usage(".")
    monkeypatch.setattr(installation.shutil, "disk_usage", lambda path: usage._replace(free=1 << 20))
    assert seen()["disk"].level == "notice"


def test_the_command(cli):
    code, out, _ = cli("doctor")
    assert code == 0
    assert "longbench-eval data pull" in out
    code, out, _ = cli("doctor", "--data", "nowhere", "--json")
    assert code == 1
    assert json.loads(out)["model"] is None


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the original files in ../shared")
def test_original_files():
    found = {finding.check: finding for finding in look_around(SHARED)}
    assert found["data"].level == "notice"
    assert found["data"].message.startswith("3 of 34 files")
    assert found["templates"].level == "ok"
