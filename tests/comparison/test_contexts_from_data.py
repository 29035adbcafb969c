"""`--data` tells which rows share a context."""

import json

from made_runs import FEW

from longbench_eval.comparison import CompareSettings, compare
from samples import rows_of, write_sample_data


def predictions(folder, task, wrong):
    folder.mkdir()
    lines = []
    for i, row in enumerate(rows_of(task)):
        kept = {key: row[key] for key in ("answers", "all_classes", "length")}
        lines.append(json.dumps({"pred": "no" if i in wrong else row["answers"][0], **kept}) + "\n")
    (folder / f"{task}.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def test_contexts_of_folders_without_ids(tmp_path):
    data = write_sample_data(tmp_path / "data", ("qasper",))
    paths = [predictions(tmp_path / name, "qasper", range(k)) for name, k in (("a", 3), ("b", 20))]
    unknown, known = (compare(*paths, settings=CompareSettings(resampling=FEW, data=d)) for d in (None, data))
    assert (unknown.by_name["qasper"].clusters, known.by_name["qasper"].clusters) == (40, 3)
    assert "rows of one context are kept together: qasper" in known.notes
    assert any(note.startswith("contexts are unknown") for note in unknown.notes)


def test_tasks_that_the_data_lack_stay_unknown(tmp_path):
    data = write_sample_data(tmp_path / "data", ("qasper",))
    paths = []
    for name in "ab":
        folder = predictions(tmp_path / name, "qasper", range(3))
        extra = predictions(tmp_path / f"{name}-extra", "samsum", range(5))
        paths.append((extra / "samsum.jsonl").rename(folder / "samsum.jsonl").parent)
    found = compare(*paths, settings=CompareSettings(resampling=FEW, data=data))
    assert "rows of one context are kept together: qasper; contexts are unknown in samsum" in found.notes
    assert "|clusters:contexts-in-part|" in str(found.signature)
