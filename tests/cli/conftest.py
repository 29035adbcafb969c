"""Rows for the command line, and a recorded run."""

import json

import pytest

from samples import TASKS_USED, write_sample_data


@pytest.fixture
def data(tmp_path):
    return write_sample_data(tmp_path / "data", n=6)


@pytest.fixture
def recorded(data, tmp_path):
    """A recorded run to replay: every prediction is the row's number."""
    folder = tmp_path / "recorded"
    folder.mkdir()
    for task in TASKS_USED:
        rows = (data / "data" / f"{task}.jsonl").read_text("utf-8").splitlines()
        lines = [json.dumps({"pred": f"answer {i}", **json.loads(row)}) + "\n" for i, row in enumerate(rows)]
        (folder / f"{task}.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder
