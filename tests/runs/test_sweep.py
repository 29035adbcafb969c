"""A sweep: a run for each M, found again by the next one, and what is shown of them."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from longbench_eval import RunSettings, run, sweep
from longbench_eval.errors import UsageError
from longbench_eval.generate.progress import Progress
from longbench_eval.manifest import load_manifest
from longbench_eval.models.callable import CallableModel
from longbench_eval.reports.sweep import bar, print_sweep
from longbench_eval.runs.sweeping import MEAN_OF_TASKS
from own_samples import write_task
from samples import write_sample_data
from toys import ToyTokenizer

TASKS = ("qasper", "samsum")


class Reader:
    """Answers right where the prompt still holds the question, which is at its end; counts what it is asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, request):
        self.asked.append(request.prompt)
        question = request.prompt.text.partition("question ")[2].partition(" ")[0]
        return f"answer {question}" if question else "nothing"


@pytest.fixture
def settings(tmp_path):
    data = write_sample_data(tmp_path / "data", TASKS, n=4)
    return RunSettings(tasks=TASKS, data=data, allow_unofficial=True, out=tmp_path / "sweep")


def text_of(done, encoding="utf-8"):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    print_sweep(done, Console(file=stream, width=80, highlight=False, markup=False))
    stream.flush()
    return raw.getvalue().decode(encoding)


def test_one_run_for_each_m_and_one_model_for_all(settings):
    reader = Reader()
    done = sweep(reader, settings, (200, 20, 60), tokenizer=ToyTokenizer())
    assert [point.cut.max_input_tokens for point in done.points] == [20, 60, 200]
    assert [point.result.directory.name for point in done.points] == ["middle-20", "middle-60", "middle-200"]
    assert len(reader.asked) == 3 * 8
    longest = [max(len(prompt.token_ids) for prompt in reader.asked[i : i + 8]) for i in (0, 8, 16)]
    assert longest[0] < longest[1] < longest[2]
    assert [point.summary.signature.choices["trunc"] for point in done.points] == [
        "middle@20",
        "middle@60",
        "middle@200",
    ]
    score = {point.kept_tokens: point.summary.tasks["qasper"].score for point in done.points}
    assert score[20] < score[200] == 100


def test_the_second_time_nothing_is_asked(settings):
    reader = Reader()
    first = sweep(reader, settings, (60, 200), tokenizer=ToyTokenizer())
    again = Reader()
    done = sweep(again, settings, (60, 200, 100), tokenizer=ToyTokenizer())
    assert len(again.asked) == 8, "only the new M"
    assert [point.to_json() for point in done.points if point.kept_tokens != 100] == first.to_json()["points"]


def test_a_point_is_the_run_of_that_m(settings, tmp_path):
    alone = replace(settings, max_input_tokens=60, truncate="left", out=tmp_path / "alone")
    single = run(Reader(), alone, tokenizer=ToyTokenizer())
    [point] = sweep(Reader(), settings, (60,), ("left",), tokenizer=ToyTokenizer()).points
    assert load_manifest(point.result.directory).identity == load_manifest(single.directory).identity
    assert point.summary.to_json() == single.summary.to_json()


def test_several_ways_to_cut(settings):
    done = sweep(Reader(), settings, (60, 200), ("right", "middle", "right"), tokenizer=ToyTokenizer())
    assert [str(point.cut) for point in done.points] == ["right-60", "right-200", "middle-60", "middle-200"]
    right, middle = (done.points[i].summary.tasks["qasper"].score for i in (0, 2))
    assert right < middle, "the question stands at the end"


def test_an_m_that_the_model_cannot_hold_is_said(settings):
    model = CallableModel(Reader(), ToyTokenizer(), window=400)
    done = sweep(model, settings, (100, 300))
    # An answer of 128, a template of 2, and 32 to spare.
    assert [point.kept_tokens for point in done.points] == [100, 400 - 128 - 2 - 32]
    assert f"(kept {done.points[1].kept_tokens})" in text_of(done)


def test_records_for_charts(settings, tmp_path):
    own = replace(settings, tasks=(*TASKS, "leases"), own_tasks=(write_task(tmp_path),))
    records = sweep(Reader(), own, (60, 200), tokenizer=ToyTokenizer()).records()
    assert {record["kind"] for record in records} == {"task", "own task", "average"}
    by_name = {(record["max_input_tokens"], record["name"]): record["score"] for record in records}
    for tokens in (60, 200):
        mean = (by_name[tokens, "qasper"] + by_name[tokens, "samsum"]) / 2
        assert by_name[tokens, MEAN_OF_TASKS] == pytest.approx(mean), "without the user's own"
    json.dumps(records)


def test_the_overall_average_is_the_headline_where_there_is_one(tmp_path):
    done = sweep(Reader(), RunSettings(suite="demo", out=tmp_path / "s"), (50, 100), tokenizer=ToyTokenizer())
    assert done.headline == "All"
    assert "All" in text_of(done)
    assert {record["kind"] for record in done.records()} == {"task", "category", "average"}


def test_what_is_printed(settings):
    done = sweep(Reader(), settings, (20, 200), tokenizer=ToyTokenizer())
    text = text_of(done)
    assert "cut middle, M =" in text
    assert "█" in text
    assert text.count("rows not proved to be LongBench's") == 1, "said once for all runs"
    assert str(done.points[1].result.directory) in text.replace("\n", "")
    assert "#" in text_of(done, "ascii")


@pytest.mark.parametrize(("share", "drawn"), [(0.0, ""), (1.0, "█" * 40), (0.5, "█" * 20), (0.0125, "▌"), (0.01, "▍")])
def test_bars(share, drawn):
    assert bar(share, Console(file=io.StringIO())) == drawn


@pytest.mark.parametrize(
    ("budgets", "truncations", "change", "said"),
    [
        ((), (), {}, "No M is given"),
        ((1,), (), {}, "it must be at least 2"),
        ((20,), ("midle",), {}, "Did you mean 'middle'"),
        ((20,), (), {"max_input_tokens": 30}, "takes its values of M as budgets"),
        ((20,), (), {"out": None}, "Give a function's run a name"),
    ],
)
def test_mistakes_are_told_before_anything_is_asked(settings, budgets, truncations, change, said):
    reader = Reader()
    with pytest.raises(UsageError, match=said):
        sweep(reader, replace(settings, **change), budgets, truncations, tokenizer=ToyTokenizer())
    assert not reader.asked


def test_without_a_tokenizer_nothing_can_be_cut(settings):
    with pytest.raises(UsageError, match="needs a tokenizer"):
        sweep(Reader(), settings, (20,))


def test_failed_rows_are_counted(settings):
    def breaks(request):
        raise ValueError("no")

    model = CallableModel(lambda request: breaks(request) if len(request.prompt.text) < 60 else "x", ToyTokenizer())
    done = sweep(model, replace(settings, limit=2), (20, 200))
    assert done.failed == 4
    assert "4 rows have no answer; the same command asks them again" in text_of(done)


@pytest.mark.parametrize("text", ["", "2000,", "2k", "a", "1.5", "-3"])
def test_the_command_takes_whole_numbers(cli, text):
    code, _, err = cli("sweep", "--model", "smollm2", "--max-input-tokens", text)
    if text == "2000,":
        assert "LongBench data is not here yet" in err
    else:
        assert f"--max-input-tokens is {text!r}; expected whole numbers" in err
    assert code == 1


@pytest.mark.model
def test_the_command_on_the_embedded_model(cli, tmp_path):
    task = write_task(tmp_path)
    words = ["sweep", "--model", "smollm2", "--suite", "demo", "--tasks", "leases", "--task-file", task]
    words += ["--max-input-tokens", "12,40", "--truncate", "middle,left"]
    code, out, err = cli(*words, "--out", "points")
    assert code == 0
    assert "M = 12, left (3 of 4)" in err
    assert sorted(path.name for path in (tmp_path / "points").iterdir()) == [
        "left-12",
        "left-40",
        "middle-12",
        "middle-40",
        "report.html",
    ]
    page = (tmp_path / "points" / "report.html").read_text("utf-8")
    assert all(name in page for name in ("left-12", "left-40", "middle-12", "middle-40"))
    code, again, err = cli(*words, "--out", "points", "--json")
    shape = json.loads(again)
    assert err.count("3 of 3 rows are there already") == 4
    assert [point["kept_tokens"] for point in shape["points"]] == [12, 40, 12, 40]
    assert f"{shape['points'][0]['own_tasks']['leases']['score']:.2f}" in out
    code, _, _ = cli(*words)
    assert len(list((tmp_path / "runs").iterdir())) == 4


class Listener(Progress):
    """Writes down what it is told."""

    def __init__(self):
        self.heard = []

    def note(self, message):
        self.heard.append(message)

    def row(self, task, completion):
        self.heard.append(task)


def test_warnings_are_said_once_for_all_runs_and_each_run_is_announced(settings):
    listener, lines = Listener(), []
    few = replace(settings, tasks=("qasper",), limit=1)
    sweep(Reader(), few, (20, 60), tokenizer=ToyTokenizer(), progress=listener, announce=lines.append)
    assert listener.heard.count("rows not proved to be LongBench's: qasper") == 1
    assert listener.heard.count("qasper") == 2
    assert lines == ["M = 20, middle (1 of 2)", "M = 60, middle (2 of 2)"]


@pytest.mark.parametrize("change", [{"no_context": True}, {"compress": "retrieval:bm25,chunk=5,top=1"}])
def test_contexts_may_be_changed_in_every_run(settings, change):
    reader = Reader()
    changed = replace(settings, tasks=("qasper",), **change)
    done = sweep(reader, changed, (60, 200), tokenizer=ToyTokenizer())
    assert len(reader.asked) == 2 * 4
    assert len({point.summary.signature.choices["trunc"] for point in done.points}) == 2
