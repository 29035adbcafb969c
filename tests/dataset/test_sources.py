import json
import shutil

import pytest
from fake_longbench import encode, make_rows, write, write_zip

from longbench_eval.dataset.official import TEMPLATES_NAME
from longbench_eval.dataset.sources import open_data, open_source
from longbench_eval.errors import DataError

ROWS = encode(make_rows(2))
ROWS_E = encode(make_rows(3))


def folder_of(*names):
    def make(path):
        for name in names:
            write(path / name, ROWS_E if "_e" in name else ROWS)
        return path

    return make


def zip_of(*names, at="x.zip"):
    def make(path):
        return write_zip(path / at, {name: ROWS_E if "_e" in name else ROWS for name in names})

    return make


def hub_clone(path):
    zip_of("data/qasper.jsonl", "data/qasper_e.jsonl", at="data.zip")(path)
    return path


LAYOUTS = {
    "files in the folder": folder_of("qasper.jsonl", "qasper_e.jsonl", "README.md"),
    "files in data/": folder_of("data/qasper.jsonl", "data/qasper_e.jsonl"),
    "some here, some there": folder_of("data/qasper.jsonl", "qasper_e.jsonl"),
    "a Hub clone": hub_clone,
    "a zip with data/": zip_of("data/qasper.jsonl", "data/qasper_e.jsonl"),
    "a flat zip": zip_of("qasper.jsonl", "qasper_e.jsonl"),
    "a zip of a folder": zip_of("LongBench/data/qasper.jsonl", "LongBench/data/qasper_e.jsonl", "LongBench/LICENSE"),
    "a zip from Windows": zip_of("data\\qasper.jsonl", "data\\qasper_e.jsonl"),
    "a zip from macOS": zip_of("qasper.jsonl", "__MACOSX/._qasper.jsonl", "qasper_e.jsonl"),
}


@pytest.mark.parametrize("make", LAYOUTS.values(), ids=LAYOUTS)
def test_every_layout_is_read(make, tmp_path):
    source = open_source(make(tmp_path))
    assert source.stems == ("qasper", "qasper_e")
    for stem, content in (("qasper", ROWS), ("qasper_e", ROWS_E)):
        with source.open(stem) as stream:
            assert list(stream) == content.splitlines(keepends=True)
        assert f"{stem}.jsonl" in source.where(stem)
    assert source.open("trec") is None
    assert "trec.jsonl" in source.where("trec")


def test_files_beside_an_archive_win(tmp_path):
    hub_clone(tmp_path)
    write(tmp_path / "qasper.jsonl", b"mine")
    source = open_source(tmp_path)
    assert source.stems == ("qasper",)
    with source.open("qasper") as stream:
        assert stream.read() == b"mine"


REFUSED = [
    ("nothing there", lambda path: path / "no", "There is no .*no; expected a folder or zip"),
    ("an empty folder", folder_of(), r"holds no LongBench files; looked for TASK.jsonl .* in data/ and in data.zip"),
    ("a name too long", lambda path: path / ("x" * 5000), "cannot be read: File name too long"),
    ("other files", folder_of("train.jsonl"), "holds no LongBench files"),
    ("a zip of other files", zip_of("train.jsonl"), "holds no LongBench files; .* anywhere in it"),
    ("one file", lambda path: write(path / "qasper.jsonl", ROWS), "is a single file; expected the folder"),
]


@pytest.mark.parametrize(("make", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_is_no_source_is_refused_with_a_remedy(make, message, tmp_path):
    with pytest.raises(DataError, match=message) as error:
        open_source(make(tmp_path))
    assert "--data" in str(error.value)


def test_without_a_path_it_is_what_was_pulled(tmp_path, monkeypatch):
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path))
    with pytest.raises(DataError, match="longbench-eval data pull"):
        open_data(None)
    write(tmp_path / "longbench" / "data" / "trec.jsonl", ROWS)
    assert open_data(None).stems == ("trec",)


TEMPLATES = json.dumps({"qasper": "{context}"}).encode()
PLACES = [
    ("data", "data", "dataset2prompt.json"),
    ("data", "data", "config/dataset2prompt.json"),
    ("LongBench/data", "LongBench/data", "../config/dataset2prompt.json"),
    ("LongBench", "LongBench/data", "../config/dataset2prompt.json"),
    ("LongBench", "LongBench", "config/dataset2prompt.json"),
]


@pytest.mark.parametrize(("given", "rows", "templates"), PLACES)
def test_templates_near_a_folder(given, rows, templates, tmp_path):
    write(tmp_path / rows / "qasper.jsonl", ROWS)
    (tmp_path / rows / templates).parent.mkdir(exist_ok=True)
    write((tmp_path / rows / templates).resolve(), TEMPLATES)
    assert open_source(tmp_path / given).templates()[1] == TEMPLATES


def test_templates_near_the_current_folder(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    write(folder / "qasper.jsonl", ROWS)
    write(tmp_path / "config" / TEMPLATES_NAME, TEMPLATES)
    monkeypatch.chdir(folder)
    assert open_source(type(folder)(".")).templates()[1] == TEMPLATES


@pytest.mark.parametrize(
    "inside", ["dataset2prompt.json", "config/dataset2prompt.json", "LongBench/config/dataset2prompt.json"]
)
def test_templates_inside_a_zip(inside, tmp_path):
    path = write_zip(tmp_path / "data.zip", {"data/qasper.jsonl": ROWS, inside: TEMPLATES})
    assert open_source(path).templates() == (f"{path}:{inside}", TEMPLATES)
    assert open_source(tmp_path).templates() == (f"{path}:{inside}", TEMPLATES)


@pytest.mark.parametrize("beside", ["dataset2prompt.json", "config/dataset2prompt.json"])
def test_templates_beside_a_zip(beside, tmp_path):
    path = zip_of("qasper.jsonl")(tmp_path)
    assert open_source(path).templates() is None
    write(tmp_path / beside, TEMPLATES)
    assert open_source(path).templates() == (str(tmp_path / beside), TEMPLATES)


def test_a_file_that_vanishes_is_one_clear_error(tmp_path):
    source = open_source(folder_of("qasper.jsonl")(tmp_path / "f"))
    shutil.rmtree(tmp_path / "f")
    with pytest.raises(DataError, match="cannot be read"):
        source.open("qasper")
