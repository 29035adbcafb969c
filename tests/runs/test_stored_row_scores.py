"""What a run stores so that intervals and comparisons need neither the data nor scoring again."""

import hashlib
import json

from longbench_eval import CallableModel, CompareSettings, RunSettings, compare, run
from longbench_eval.scoring import PROFILES, read_folder
from longbench_eval.scoring.stored import SCORES, read_stored
from samples import TASKS_USED, answer_by_hash, rows_of, write_sample_data


def made(tmp_path, name, answer):
    settings = RunSettings(tasks=TASKS_USED, data=tmp_path / "data", allow_unofficial=True, out=tmp_path / name)
    return run(CallableModel(answer), settings)


def test_rows_are_stored_with_their_context_and_the_hash_of_what_was_scored(tmp_path):
    write_sample_data(tmp_path / "data")
    result = made(tmp_path, "one", answer_by_hash)
    found = read_folder(result.directory)
    for task in TASKS_USED:
        expected = [hashlib.sha256(row["context"].encode()).hexdigest() for row in rows_of(task)]
        assert [row.context_sha256 for row in found.files[task]] == expected
    assert read_stored(result.directory, found.files, PROFILES["official"]).keys() == set(TASKS_USED)
    shape = json.loads((result.directory / "summary.json").read_text("utf-8"))
    assert shape == result.summary.to_json(counts=True)
    assert result.summary.uncertainty.contexts_known


def test_a_run_whose_predictions_were_changed_is_scored_again(tmp_path, monkeypatch):
    write_sample_data(tmp_path / "data")
    paths = [made(tmp_path, name, answer_by_hash).directory for name in ("one", "two")]
    file = paths[1] / "predictions" / "qasper.jsonl"
    rows = [json.loads(line) | {"pred": "answer"} for line in file.read_text("utf-8").splitlines()]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert (paths[1] / SCORES).exists()
    found = compare(*paths, settings=CompareSettings()).by_name
    assert found["qasper"].effects[0].wins > 0
    assert (found["samsum"].effects[0].wins, found["samsum"].effects[0].losses) == (0, 0)
