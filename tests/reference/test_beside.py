"""A run beside published rows."""

from pathlib import Path

import pytest

from longbench_eval.errors import UsageError
from longbench_eval.reference import published, set_beside
from longbench_eval.reference.beside import differences
from longbench_eval.scoring import PROFILES, score, summarize
from longbench_eval.signature import Signature
from longbench_eval.tasks import get_suite

ORACLE = Path(__file__).parents[3] / "shared" / "oracle"
needs_oracle = pytest.mark.skipif(not ORACLE.is_dir(), reason="needs the reference runs in ../shared")
AS_OFFICIAL = {"data": "official", "prompts": "official", "chat": "official", "trunc": "middle@7500"}


def empty(suite="longbench", **choices):
    return summarize(Signature(suite, choices), get_suite(suite), {}, PROFILES["official"])


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        (AS_OFFICIAL, []),
        (AS_OFFICIAL | {"data": "answers-agree", "trunc": "middle@31500"}, []),
        (AS_OFFICIAL | {"chat": "never"}, ["chat: never, official is official"]),
        (AS_OFFICIAL | {"trunc": "left@7500"}, ["trunc: left@7500, official is the middle"]),
        (AS_OFFICIAL | {"trunc": "middle@8000"}, ["trunc: middle@8000, official is the middle"]),
        (AS_OFFICIAL | {"limit": "5", "system": "x"}, ["limit: 5, official has none", "system: x, official has none"]),
        ({}, ["prompts: not on record", "chat: not on record", "data: not on record", "trunc: not on record"]),
    ],
)
def test_set_ups_that_differ_are_said(choices, said):
    found = list(differences(empty(**choices)))
    assert [line[: len(start)] for line, start in zip(found, said, strict=True)] == said


def test_without_common_tasks_there_is_no_distance_and_no_difference():
    found = set_beside(empty())
    assert len(found.rows) == len(published())
    assert {row.distance for row in found.rows} == {None}
    assert {cell.difference for row in found.rows for cell in row.cells} == {None}


@pytest.mark.parametrize("suite", ["minilongbench", "demo"])
def test_nothing_is_published_of_other_suites(suite):
    with pytest.raises(UsageError, match=suite):
        set_beside(empty(suite))


@needs_oracle
def test_a_run_that_was_published_is_found_by_its_scores():
    found = set_beside(score(ORACLE / "llama3-8b-instruct"))
    nearest = found.rows[0]
    assert (nearest.model, nearest.distance) == ("llama3-8b-instruct (community)", 0.0)
    assert {cell.name: cell.run for cell in nearest.cells}["All"] == 47.48
    distances = [row.distance for row in found.rows]
    assert distances == sorted(distances)


@needs_oracle
def test_edit_similarity_explains_what_differs():
    row = set_beside(score(ORACLE / "mistral-7b-full", "official-levenshtein"), "AdaKV").rows[0]
    assert row.distance == 0.0
    row = set_beside(score(ORACLE / "mistral-7b-full"), "AdaKV").rows[0]
    assert {cell.name for cell in row.cells if cell.run is not None and cell.difference} >= {"lcc", "repobench-p"}


@needs_oracle
def test_longbench_e_is_set_beside_by_length():
    row = set_beside(score(ORACLE / "llama2-7b-chat-e"), "Llama2").rows[0]
    cells = {cell.name: cell for cell in row.cells}
    assert cells["qasper 8k+"][1:] == (22.26, 21.1)
    assert cells["average 0-4k"].difference == pytest.approx(1.93)
