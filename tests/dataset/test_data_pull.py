import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fake_hub import FakeHub
from fake_longbench import encode, facts_of, make_rows, write, write_zip

from longbench_eval.dataset.official import DATASET_REPOSITORIES, official_files
from longbench_eval.dataset.pull import pull
from longbench_eval.errors import DataError

TEMPLATES = json.dumps({"qasper": "{context}"}).encode()
FILES = {stem: make_rows(20 + number) for number, stem in enumerate(official_files())}
FACTS = facts_of(FILES, TEMPLATES)
CONTENTS = {stem: encode(rows) for stem, rows in FILES.items()}

# The Hub library reads its variables when it is imported, so each pull is a process of its own. Waits between its
# retries are cut short; nothing else is changed.
RUNNER = """
import json, sys, time
from longbench_eval.dataset.official import Facts, OfficialFile
from longbench_eval.dataset.pull import pull
from longbench_eval.errors import DataError
time.sleep = lambda seconds: None
files, digest, options = json.load(sys.stdin)
facts = Facts({stem: OfficialFile(*pair) for stem, pair in files.items()}, {}, digest)
try:
    done = pull(facts=facts, progress=lambda line: print(line, file=sys.stderr), **options)
except DataError as error:
    print(json.dumps({"error": str(error)}))
else:
    print(json.dumps({item.path.name: item.state for item in done}))
"""


def make_archive(folder, contents=CONTENTS):
    members = {f"data/{stem}.jsonl": content for stem, content in contents.items()}
    return write_zip(folder / "made" / "data.zip", members).read_bytes()


@pytest.fixture
def hub(tmp_path):
    with FakeHub(make_archive(tmp_path), templates=TEMPLATES).serve() as hub:
        yield hub


@pytest.fixture
def run(tmp_path, hub):
    """Pull in a process of its own, with its own caches, from the fake Hub."""

    def run(env=None, **options):
        own = {
            "HF_ENDPOINT": hub.url,
            "HF_HOME": str(tmp_path / "hf"),
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "LONGBENCH_EVAL_CACHE": str(tmp_path / "cache"),
            "LONGBENCH_EVAL_TEMPLATES_URL": f"{hub.url}/templates",
            "NO_PROXY": "127.0.0.1,localhost",
        }
        facts = [{s: [f.sha256, f.size] for s, f in FACTS.files.items()}, FACTS.templates_sha256, options]
        result = subprocess.run(
            [sys.executable, "-c", RUNNER],
            input=json.dumps(facts),
            env={**os.environ, **own, **(env or {})},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)

    return run


def run_until_done(run):
    """Go on as the message says: older versions of the library give up at once, and go on when asked again."""
    for _ in range(3):
        answer = run()
        if "error" not in answer:
            break
    return answer


def placed(tmp_path):
    folder = tmp_path / "cache" / "longbench"
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


EVERYTHING = {f"data/{stem}.jsonl" for stem in CONTENTS} | {"config/dataset2prompt.json"}


def test_everything_is_fetched_once_then_kept_without_a_network(hub, run, tmp_path):
    assert set(run().values()) == {"fetched"}
    assert placed(tmp_path) == EVERYTHING
    for stem, content in CONTENTS.items():
        assert (tmp_path / "cache/longbench/data" / f"{stem}.jsonl").read_bytes() == content
    asked = len(hub.requests)
    assert set(run().values()) == {"kept"}
    assert len(hub.requests) == asked


def test_a_download_that_breaks_off_goes_on_where_it_stopped(hub, run, tmp_path):
    chunk = 10 << 20  # the library writes, and so resumes, by chunks of this size
    hub.archive = make_archive(tmp_path, {**CONTENTS, "padding": os.urandom(2 * chunk)})
    hub.cuts = [chunk + 5000, chunk + 5000]
    assert "error" not in run_until_done(run)
    first, *others = [asked for _, _, asked in hub.asked("GET", "/storage/")]
    assert first is None
    assert len(others) == 2
    assert all(int(asked.removeprefix("bytes=").removesuffix("-")) >= chunk for asked in others)
    assert placed(tmp_path) == EVERYTHING


def test_a_server_without_ranges_is_asked_again_from_the_start(hub, run, tmp_path):
    hub.cuts, hub.accepts_ranges = [1000], False
    assert "error" not in run_until_done(run)
    assert placed(tmp_path) == EVERYTHING


def test_only_files_that_are_missing_or_wrong_are_placed_again(run, tmp_path):
    run()
    data = tmp_path / "cache" / "longbench" / "data"
    (data / "qasper.jsonl").unlink()
    write(data / "trec.jsonl", b"x" * len(CONTENTS["trec"]))
    write(data / "lcc.jsonl", CONTENTS["lcc"][:-5])
    kept = (data / "lsht.jsonl").stat()
    offline = {"HF_HUB_OFFLINE": "1"}  # the archive lies in the library's cache
    states = run(offline)
    assert {name for name, state in states.items() if state == "fetched"} == {"qasper.jsonl", "trec.jsonl", "lcc.jsonl"}
    assert placed(tmp_path) == EVERYTHING
    assert (data / "trec.jsonl").read_bytes() == CONTENTS["trec"]
    assert (data / "lsht.jsonl").stat().st_mtime_ns == kept.st_mtime_ns


@pytest.mark.parametrize("repository", DATASET_REPOSITORIES)
def test_either_name_of_the_repository_will_do(repository, hub, run):
    hub.repository = repository
    assert set(run().values()) == {"fetched"}


def test_a_renamed_repository_is_followed(hub, run):
    hub.repository, hub.renamed = "new/name", DATASET_REPOSITORIES[0]
    assert set(run().values()) == {"fetched"}


def test_a_named_repository_is_the_only_one_asked(hub, run, tmp_path):
    error = run(repository="someone/else")["error"]
    assert "data.zip could not be fetched (someone/else: not found)." in error
    assert not hub.asked("HEAD", "LongBench")
    hub.repository = "someone/else"
    assert set(run(repository="someone/else", destination=str(tmp_path / "there")).values()) == {"fetched"}
    assert (tmp_path / "there" / "data" / "qasper.jsonl").is_file()


def test_a_bad_repository_name_is_one_message(run):
    assert "a b/c/d: Repo id must" in run(repository="a b/c/d")["error"]


def test_a_changed_file_is_named_and_the_others_come(hub, run, tmp_path):
    wrong = {
        "qasper": CONTENTS["qasper"].replace(b"answer 3", b"answer 4"),
        "lcc": CONTENTS["lcc"] + b"\n",
        "trec": CONTENTS["trec"][:-1],
    }
    hub.archive = make_archive(tmp_path, {s: c for s, c in {**CONTENTS, **wrong}.items() if s != "lsht"})
    error = run()["error"]
    assert "qasper.jsonl: found SHA-256 " in error
    assert f"expected {FACTS.files['qasper'].sha256}" in error
    size = FACTS.files["lcc"].size
    assert f"lcc.jsonl: found more than {size:,} bytes, expected {size:,}. It was not placed." in error
    assert f"trec.jsonl: found {len(wrong['trec']):,} bytes, expected" in error
    assert "has no lsht.jsonl; expected all 34 task files" in error
    assert "delete it to have it fetched anew" in error
    assert placed(tmp_path) == EVERYTHING - {f"data/{stem}.jsonl" for stem in ("qasper", "lcc", "trec", "lsht")}


def test_a_damaged_archive_is_fetched_anew_once_deleted(hub, run, tmp_path):
    good = hub.archive
    hub.archive = good[: len(good) // 2]
    error = run()["error"]
    assert "cut short or damaged" in error
    assert placed(tmp_path) == {"config/dataset2prompt.json"}
    hub.archive = good
    Path(re.search(r"The archive is (.+); delete it", error)[1]).unlink()
    assert set(run().values()) == {"fetched", "kept"}
    assert placed(tmp_path) == EVERYTHING


def test_a_hostile_archive_places_nothing(hub, run, tmp_path):
    hub.archive = write_zip(tmp_path / "x.zip", {"data/qasper.jsonl": CONTENTS["qasper"], "../evil": b""}).read_bytes()
    assert "lies outside its folder" in run()["error"]
    assert placed(tmp_path) == {"config/dataset2prompt.json"}


def test_another_template_file_is_not_placed(hub, run, tmp_path):
    hub.templates = b"{}"
    error = run()["error"]
    assert "dataset2prompt.json: fetched SHA-256" in error
    assert f"expected {FACTS.templates_sha256}. Nothing was placed." in error
    assert placed(tmp_path) == EVERYTHING - {"config/dataset2prompt.json"}
    hub.templates = b"x" * (2 << 20)
    assert "over 1,048,576 bytes" in run()["error"]


def test_an_archive_alone_needs_no_template_server(run, tmp_path):
    error = run({"LONGBENCH_EVAL_TEMPLATES_URL": "http://127.0.0.1:9/none"})["error"]
    assert "dataset2prompt.json could not be fetched from http://127.0.0.1:9/none" in error
    assert placed(tmp_path) == EVERYTHING - {"config/dataset2prompt.json"}
    assert "expected an http or https URL" in run({"LONGBENCH_EVAL_TEMPLATES_URL": "file:///etc/passwd"})["error"]


@pytest.mark.parametrize("env", [{"HF_ENDPOINT": "http://127.0.0.1:9"}, {"HF_HUB_OFFLINE": "1"}])
def test_without_a_network_the_message_names_the_other_way(env, hub, run, tmp_path):
    error = run({**env, "LONGBENCH_EVAL_TEMPLATES_URL": "http://127.0.0.1:9/none"})["error"]
    assert error.count("data.zip could not be fetched (zai-org/LongBench: ") == 1
    assert "THUDM/LongBench: not in the cache" in error
    assert error.endswith("name that folder: --data FOLDER.")
    assert placed(tmp_path) == set()
    assert not hub.requests


def test_a_full_disk_is_one_message_and_leaves_nothing_half(tmp_path, monkeypatch):
    cached = write_zip(tmp_path / "data.zip", {f"{stem}.jsonl": content for stem, content in CONTENTS.items()})
    monkeypatch.setattr("longbench_eval.dataset.pull._download", lambda repositories: cached)
    monkeypatch.setattr("os.fsync", _full)
    write(tmp_path / "to" / "config" / "dataset2prompt.json", TEMPLATES)
    with pytest.raises(DataError, match=r"Cannot write to .*: No space left on device. Make room, or .* --to"):
        pull(tmp_path / "to", facts=FACTS)
    assert list((tmp_path / "to" / "data").iterdir()) == []


def test_a_destination_that_is_a_file_is_one_message(tmp_path):
    write(tmp_path / "to", b"")
    with pytest.raises(DataError, match=r"Cannot write to .*to: File exists. .* --to"):
        pull(tmp_path / "to", facts=FACTS)


def _full(descriptor):
    raise OSError(28, "No space left on device")
