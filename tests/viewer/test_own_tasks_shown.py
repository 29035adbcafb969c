"""A run with a task of the user's own shows it beside the others."""

from starlette.testclient import TestClient

from conftest import asker
from longbench_eval import RunSettings, run
from longbench_eval.viewer.app import make_app
from longbench_eval.viewer.security import Guard
from longbench_eval.viewer.shelf import Shelf
from own_samples import write_sorting, write_task
from samples import write_sample_data


def test_own_tasks_have_scores_and_rows(tmp_path):
    data, own = write_sample_data(tmp_path / "data", n=4), (write_task(tmp_path), write_sorting(tmp_path))
    settings = RunSettings(
        tasks=("qasper", "leases", "letters"),
        own_tasks=own,
        data=data,
        allow_unofficial=True,
        out=tmp_path / "runs" / "a",
    )
    summary = run(lambda request: "the owner", settings).summary
    app = make_app(Shelf(tmp_path / "runs", data), Guard())
    ask = asker(TestClient(app, base_url="http://127.0.0.1:8321"))
    shown = {task["task"]: task for task in ask("run", run="a")["tasks"]}
    assert list(shown) == ["qasper", "leases", "letters"]
    assert shown["leases"]["category"].startswith("your own: ")
    assert shown["leases"]["score"] == summary.tasks["leases"].score
    row = ask("row", run="a", task="leases", line=1)
    assert (row["task"], row["score"]) == ("leases", summary.tasks["leases"].scores[0].value)
    assert ask("rows", run="a", task="letters")["n"] == summary.tasks["letters"].n
