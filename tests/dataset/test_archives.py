import stat
import struct
import zipfile
import zlib

import pytest
from fake_longbench import encode, make_rows, write, write_zip

from longbench_eval.dataset.archives import MAX_MEMBER_BYTES, Archive
from longbench_eval.dataset.sources import open_source
from longbench_eval.errors import DataError

ROWS = encode(make_rows(50))
NAMES = {"qasper.jsonl", "trec.jsonl"}


def of_mode(name, mode):
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


HOSTILE = [
    ({"../qasper.jsonl": ROWS}, "lies outside its folder"),
    ({"data/../../evil": b""}, "lies outside its folder"),
    ({"data\\..\\..\\evil": b""}, "lies outside its folder"),
    ({"/etc/qasper.jsonl": ROWS}, "has an absolute path"),
    ({"\\\\host\\share": b""}, "has an absolute path"),
    ({"C:\\qasper.jsonl": ROWS}, "has an absolute path"),
    ({"c:qasper.jsonl": ROWS}, "has an absolute path"),
    ({of_mode("data/qasper.jsonl", stat.S_IFLNK | 0o777): b"/etc/passwd"}, "is a symbolic link"),
    ({of_mode("pipe", stat.S_IFIFO | 0o644): b""}, "is not a plain file"),
    ({"data/qasper.jsonl": ROWS, "qasper.jsonl": ROWS}, "both claim to be qasper.jsonl"),
]


@pytest.mark.parametrize(("members", "message"), HOSTILE)
def test_a_hostile_archive_is_refused_whole(members, message, tmp_path):
    path = write_zip(tmp_path / "x.zip", {"data/trec.jsonl": ROWS, **members})
    with pytest.raises(DataError, match=message) as error:
        open_source(path)
    assert str(path) in str(error.value)
    assert "longbench-eval data pull" in str(error.value)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_one_name_twice_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("qasper.jsonl", ROWS)
        archive.writestr("qasper.jsonl", b"{}")
    with pytest.raises(DataError, match="both claim"):
        Archive(tmp_path / "x.zip", NAMES)


def patched(path, **fields):
    """Overwrite fields of the only member's entries, in the directory and where the member begins."""
    raw = bytearray(path.read_bytes())
    central, local = raw.rindex(b"PK\x01\x02"), 0
    offsets = {"flags": ("<H", 8, 6), "method": ("<H", 10, 8), "crc": ("<I", 16, 14), "size": ("<I", 24, 22)}
    for field, value in fields.items():
        kind, at_central, at_local = offsets[field]
        struct.pack_into(kind, raw, central + at_central, value)
        struct.pack_into(kind, raw, local + at_local, value)
    path.write_bytes(raw)
    return path


@pytest.fixture
def one(tmp_path):
    return write_zip(tmp_path / "x.zip", {"data/qasper.jsonl": ROWS})


def test_an_encrypted_member_is_refused(one):
    with pytest.raises(DataError, match="is encrypted"):
        Archive(patched(one, flags=1), NAMES)


def test_an_absurd_size_is_refused_before_reading(one):
    with pytest.raises(DataError, match="declares 1,073,741,825 bytes; expected at most"):
        Archive(patched(one, size=MAX_MEMBER_BYTES + 1), NAMES)


def test_an_unusual_compression_is_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("qasper.jsonl", ROWS)
    with pytest.raises(DataError, match="compressed by method 12; expected a plain zip"):
        Archive(tmp_path / "x.zip", NAMES)


LIES = {
    "more bytes than declared": {"size": len(ROWS) - 100},
    "more bytes than declared, with the hash of the first": {"size": 100, "crc": zlib.crc32(ROWS[:100])},
    "fewer bytes than declared": {"size": len(ROWS) + 100},
    "another hash": {"crc": 1},
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_member_that_lies_is_refused_while_it_streams(lie, method, tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w", method) as archive:
        archive.writestr("data/qasper.jsonl", ROWS)
    archive = Archive(patched(tmp_path / "x.zip", **lie), NAMES)
    with pytest.raises(DataError, match="damaged or forged"), archive.open("qasper.jsonl") as stream:
        stream.read()


def test_an_honest_member_streams(one):
    with Archive(one, NAMES).open("qasper.jsonl") as stream:
        assert b"".join(stream) == ROWS


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_archive_says_so(keep, one):
    raw = one.read_bytes()
    one.write_bytes(raw[: int(len(raw) * keep)])
    with pytest.raises(DataError, match=r"x\.zip is a zip archive that was cut short or damaged"):
        open_source(one)


def test_damage_inside_says_so(one):
    raw = bytearray(one.read_bytes())
    raw[60:90] = bytes(30)
    one.write_bytes(raw)
    with pytest.raises(DataError, match="damaged or forged"), Archive(one, NAMES).open("qasper.jsonl") as stream:
        stream.read()


NO_ZIPS = [
    (b"", "is not a zip archive"),
    (b"<html>not found</html>", "is not a zip archive"),
    (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "is a Git LFS pointer.*git lfs pull"),
]


@pytest.mark.parametrize(("content", "message"), NO_ZIPS)
def test_what_is_no_zip_says_what_it_is(content, message, tmp_path):
    path = write(tmp_path / "data.zip", content)
    for given in (path, tmp_path):
        with pytest.raises(DataError, match=message):
            open_source(given)


def test_flipped_bytes_are_one_error_or_change_nothing_that_is_read(one, tmp_path):
    whole = one.read_bytes()
    for position in range(len(whole)):
        raw = bytearray(whole)
        raw[position] ^= 1 << (position % 8)
        path = write(tmp_path / "flipped.zip", raw)
        assert _read(path) in (ROWS, "refused", "renamed")


def _read(path):
    try:
        stream = Archive(path, NAMES).open("qasper.jsonl")
        if stream is None:
            return "renamed"
        with stream:
            return stream.read()
    except DataError as error:
        return "refused" if path.name in str(error) else str(error)
