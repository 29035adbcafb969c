import io
import json

import pytest
from fake_longbench import SHARED, encode, facts_of, make_rows, needs_shared, write, write_zip

from longbench_eval.dataset.official import official_digests, official_facts, official_files, row_digest
from longbench_eval.dataset.verify import verify, verify_file
from longbench_eval.errors import DataError, UsageError
from longbench_eval.tasks import get_suite

OFFICIAL = make_rows(6)
FACTS = facts_of({"qasper": OFFICIAL, "qasper_e": make_rows(4, length=7), "trec": make_rows(2)})


def judge(raw, stem="qasper"):
    return verify_file(stem, io.BytesIO(raw), facts=FACTS)


def changed(number, **fields):
    return [row | fields if i == number else row for i, row in enumerate(OFFICIAL)]


def test_the_official_bytes_are_exact():
    verdict = judge(encode(OFFICIAL))
    assert (verdict.state, verdict.proof, verdict.detail) == ("exact", "official", "the official file")
    assert (verdict.rows, verdict.expected_rows, verdict.sha256) == (6, 6, FACTS.files["qasper"].sha256)


def test_crlf_copies_are_exact_and_say_so():
    verdict = judge(encode(OFFICIAL, "\r\n"))
    assert (verdict.state, verdict.detail) == ("exact", "the official file, with CRLF line ends")
    assert verdict.size == FACTS.files["qasper"].size + 6


@pytest.mark.parametrize(
    "raw",
    [
        encode(changed(2, context="other")),
        encode(changed(2, input="other?")),
        encode(make_rows(6, _id=...)),
        encode(OFFICIAL)[:-1],
        b"\n" + encode(OFFICIAL),
    ],
)
def test_other_bytes_with_the_same_answers_agree(raw):
    verdict = judge(raw)
    assert (verdict.state, verdict.proof) == ("answers-agree", "answers-agree")
    assert "contexts are unproved" in verdict.detail


DIFFERENT = [
    (changed(2, answers=["no"]), "row 2 (line 3) is different: its answers or its length are not LongBench's"),
    (changed(5, length=0), "row 5 (line 6) is different: its answers or its length"),
    (changed(0, length=None), "row 0 (line 1) is different: it stores no length"),
    (
        OFFICIAL[:3] + OFFICIAL[4:],
        "row 3 (line 4) is missing: LongBench's row 4 stands in its place; 5 rows, LongBench",
    ),
    (OFFICIAL[:4], "row 4 is missing: the file ends after 4 rows; 4 rows, LongBench has 6"),
    (OFFICIAL[:2] + OFFICIAL[1:], "row 2 (line 3) is doubled: it is LongBench's row 1 again; 7 rows"),
    ([*OFFICIAL[:2], OFFICIAL[3], OFFICIAL[2], *OFFICIAL[4:]], "row 2 (line 3) is moved: it is LongBench's row 3"),
    ([], "row 0 is missing: the file ends after 0 rows"),
    (make_rows(4, length=7), "these are the rows of qasper_e.jsonl"),
]


@pytest.mark.parametrize(("rows", "detail"), DIFFERENT, ids=[detail[:30] for _, detail in DIFFERENT])
def test_the_first_bad_row_is_named(rows, detail):
    verdict = judge(encode(rows))
    assert (verdict.state, verdict.proof) == ("different", "unofficial")
    assert detail in verdict.detail


def test_a_broken_row_is_a_verdict_too():
    verdict = judge(encode(OFFICIAL[:2]) + b"{oops\n")
    assert verdict.state == "different"
    assert "qasper.jsonl, line 3: no JSON" in verdict.detail


def test_an_unreadable_stream_is_a_verdict_too():
    class Failing(io.BytesIO):
        def __next__(self):
            raise OSError(5, "Input/output error")

    verdict = verify_file("qasper", Failing(), facts=FACTS)
    assert (verdict.state, verdict.detail) == ("different", "qasper.jsonl cannot be read: Input/output error.")


def test_a_whole_suite_is_checked_file_by_file(tmp_path):
    facts = facts_of({stem: make_rows(2) for stem in official_files()})
    write(tmp_path / "data" / "qasper.jsonl", encode(make_rows(2)))
    write(tmp_path / "data" / "trec.jsonl", encode(make_rows(2)))  # lacks all_classes
    write(tmp_path / "data" / "lcc_e.jsonl", encode(make_rows(1)))
    states = {verdict.stem: verdict.state for verdict in verify(tmp_path, facts=facts)}
    assert len(states) == 34
    assert {stem for stem, state in states.items() if state == "absent"} == set(official_files()) - {
        "qasper",
        "trec",
        "lcc_e",
    }
    assert (states["qasper"], states["trec"], states["lcc_e"]) == ("exact", "different", "different")
    assert [v.stem for v in verify(tmp_path, ["longbench-e"], facts=facts)] == [
        f"{task}_e" for task in get_suite("longbench-e").tasks
    ]


def test_a_damaged_member_is_the_verdict_of_its_file_only(tmp_path):
    facts = facts_of({stem: make_rows(40) for stem in official_files()})
    path = write_zip(tmp_path / "x.zip", {"lcc.jsonl": encode(make_rows(40)), "qasper.jsonl": encode(make_rows(40))})
    raw = bytearray(path.read_bytes())
    raw[60:90] = bytes(30)  # in the first member's bytes
    path.write_bytes(raw)
    verdicts = {verdict.stem: verdict for verdict in verify(path, ["longbench"], facts=facts)}
    assert verdicts["qasper"].state == "exact"
    assert verdicts["lcc"].state == "different"
    assert "damaged" in verdicts["lcc"].detail


def test_suites_without_official_files_are_refused(tmp_path):
    with pytest.raises(UsageError, match="no official files; try longbench or longbench-e"):
        verify(tmp_path, ["demo"])
    with pytest.raises(UsageError, match="Did you mean 'longbench-e'"):
        verify(tmp_path, ["longbench-f"])
    with pytest.raises(DataError, match="holds no LongBench files"):
        verify(tmp_path)


def test_the_facts_fit_the_task_table():
    assert len(official_files()) == 34
    for suite in (get_suite("longbench"), get_suite("longbench-e")):
        for task in suite.tasks:
            assert len(official_digests(task + suite.file_suffix)) == suite.counts[task]
    assert official_facts().digests.keys() == official_files().keys()
    assert sum(len(digests) for digests in official_facts().digests.values()) == 4750 + 3668


def test_the_digest_is_of_answers_and_length():
    assert row_digest(["yes"], 12) == "35a00da7a4f2"
    assert row_digest(("yes",), 12) == row_digest(["yes"], 12)
    assert (
        len({row_digest(["yes"], 12), row_digest(["yes"], 13), row_digest(["ye", "s"], 12), row_digest([], None)}) == 4
    )
    assert len(row_digest(["\ud800"], 1)) == 12


ORIGINALS = ["multi_news", "multifieldqa_zh", "passage_retrieval_zh"]


@needs_shared
@pytest.mark.parametrize("stem", ORIGINALS)
class TestOriginalFiles:
    @pytest.fixture
    def lines(self, stem):
        return (SHARED / "data" / f"{stem}.jsonl").read_bytes().splitlines(keepends=True)

    @pytest.fixture
    def check(self, stem):
        return lambda lines: verify_file(stem, io.BytesIO(b"".join(lines)))

    def test_they_are_exact_also_with_crlf(self, lines, check):
        assert check(lines).state == "exact"
        crlf = check([line[:-1] + b"\r\n" for line in lines])
        assert (crlf.state, crlf.detail) == ("exact", "the official file, with CRLF line ends")

    def test_bad_rows_are_found_where_they_are(self, lines, check):
        other = json.dumps(json.loads(lines[70]) | {"answers": ["?"]}).encode() + b"\n"
        cases = {
            ("missing", 40): lines[:40] + lines[41:],
            ("missing", 199): lines[:199],
            ("doubled", 50): lines[:50] + lines[49:],
            ("doubled", 200): lines + lines[:1],
            ("moved", 60): [*lines[:60], lines[61], lines[60], *lines[62:]],
            ("different", 70): [*lines[:70], other, *lines[71:]],
        }
        for expected, changed_lines in cases.items():
            difference = check(changed_lines).difference
            assert (difference.kind, difference.row) == expected

    def test_another_context_leaves_answers_agreeing(self, lines, check):
        other = json.dumps(json.loads(lines[70]) | {"context": "?"}).encode() + b"\n"
        assert check([*lines[:70], other, *lines[71:]]).state == "answers-agree"


@needs_shared
def test_rows_that_share_a_digest_may_stand_for_each_other():
    stem = "multifieldqa_zh"
    lines = (SHARED / "data" / f"{stem}.jsonl").read_bytes().splitlines(keepends=True)
    digests = official_digests(stem)
    first, second = (i for i, digest in enumerate(digests) if digests.count(digest) == 2)
    lines[first], lines[second] = lines[second], lines[first]
    assert verify_file(stem, io.BytesIO(b"".join(lines))).state == "answers-agree"
    del lines[second]
    difference = verify_file(stem, io.BytesIO(b"".join(lines))).difference
    assert (difference.kind, difference.row) == ("missing", second)
