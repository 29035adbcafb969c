"""Runs to compare: folders of predictions that look like the official ones, and run directories."""

import pytest
from made_runs import of_a_run

from longbench_eval.manifest import Manifest
from scoring import official_rows


@pytest.fixture
def facts(monkeypatch):
    """Makes the rows of `official_rows` the official ones."""
    monkeypatch.setattr("longbench_eval.scoring.census.official_digests", official_rows.digests)


@pytest.fixture
def folder(tmp_path, facts):
    """Write a folder of official-format predictions."""
    return lambda name, files: official_rows.write(tmp_path / name, files)


@pytest.fixture
def run(tmp_path, facts):
    """Write a run directory."""

    def write(name, files, *, shared=1, suite="longbench", proof="official", data="d", **choices):
        made = {task: [of_a_run(task, i, row, shared) for i, row in enumerate(rows)] for task, rows in files.items()}
        official_rows.write(tmp_path / name / "predictions", made)
        evidence = {"data": {task: {"sha256": data, "proof": proof} for task in files}}
        known = {"tasks": "1", "data": proof, "prompts": "official", "trunc": "middle@7500", **choices}
        Manifest(suite, {}, known, evidence=evidence).save(tmp_path / name)
        return tmp_path / name

    return write
