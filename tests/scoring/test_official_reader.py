"""A run's predictions folder, read and scored the way the official script does it.

The script knows nothing but the folder: each file is named after its task up to the first dot, and each line is an
object with the four official keys. It is restated here over the packages that it uses.
"""

import json
import re
import string
import unicodedata
import warnings
from collections import Counter
from difflib import SequenceMatcher
from functools import partial

import pytest
from rouge import Rouge

from longbench_eval.dataset import load_rows
from longbench_eval.files import json_line
from longbench_eval.manifest import Manifest
from longbench_eval.predictions import to_record
from longbench_eval.records import Completion, Failure, Prompt, Truncation
from longbench_eval.scoring import score
from longbench_eval.tasks import TASKS, get_suite

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # jieba's patterns, and fuzzywuzzy's regret that python-Levenshtein is missing
    import jieba
    from fuzzywuzzy import fuzz

    jieba.initialize()


def f1(prediction, answer):
    same = (Counter(prediction) & Counter(answer)).total()
    if not same:
        return 0
    precision, recall = same / len(prediction), same / len(answer)
    return 2 * precision * recall / (precision + recall)


def english(text):
    bare = "".join(c for c in text.lower() if c not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


def chinese(text):
    """Words without marks and spaces; the script lists the marks, and none it lacks is in the demo's answers."""
    words = ("".join(c for c in word.lower() if unicodedata.category(c)[0] not in "PSZ") for word in jieba.cut(text))
    return [word for word in map(str.strip, words) if word]


def rouge_l(prediction, answer):
    try:
        return Rouge().get_scores([prediction], [answer], avg=True)["rouge-l"]["f"]
    except Exception:
        return 0.0


def share(number, prediction):
    numbers = re.findall(r"\d+", prediction)
    return numbers.count(number) / len(numbers) if numbers else 0.0


def label(prediction, answer, all_classes):
    named = [name for name in all_classes if name in prediction]
    for name in named:
        if name in answer and name != answer:
            named.remove(name)
    return 1 / len(named) if answer in named else 0.0


def code(prediction, answer):
    lines = prediction.lstrip("\n").split("\n")
    kept = [line for line in lines if not re.search("`|#|//", line)]
    return fuzz.ratio(kept[0] if kept else "", answer) / 100


METRICS = {
    "qa_f1": lambda p, a: f1(english(p), english(a)),
    "qa_f1_zh": lambda p, a: f1(chinese(p), chinese(a)),
    "rouge": rouge_l,
    "rouge_zh": lambda p, a: rouge_l(" ".join(jieba.cut(p)), " ".join(jieba.cut(a))),
    "retrieval": lambda p, a: share(re.findall(r"Paragraph (\d+)", a)[0], p),
    "retrieval_zh": lambda p, a: share(re.findall(r"段落(\d+)", a)[0], p),
    "count": lambda p, a: share(a, p),
    "code_sim": code,
}
FIRST_LINE = ("trec", "triviaqa", "samsum", "lsht")


def official_scores(folder):
    """What the official script would write to result.json."""
    scores = {}
    for path in folder.iterdir():
        if not path.name.endswith("jsonl"):
            continue
        task = path.name.split(".")[0]
        with path.open(encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        metric = METRICS.get(TASKS[task].metric, partial(label, all_classes=rows[-1]["all_classes"]))
        total = 0.0
        for row in rows:
            pred = row["pred"].lstrip("\n").split("\n")[0] if task in FIRST_LINE else row["pred"]
            total += max(metric(pred, answer) for answer in row["answers"])
        assert all(isinstance(row["length"], int) for row in rows)
        scores[task] = round(100 * total / len(rows), 2)
    return scores


def mangled(answer, number):
    """Something between right and wrong."""
    words = answer.split(" ")
    half = " ".join(words[: len(words) // 2 + 1])
    return ["", f"\n{half}. Also 3\nand more", answer[: len(answer) * 2 // 3], f"{answer} \u2028 {number}"][number % 4]


@pytest.fixture
def run(tmp_path):
    """A run over the demo's rows, written as a run writes them; one row failed, one has half a character."""
    suite = get_suite("demo")
    Manifest("demo", {}, {"tasks": "21"}).save(tmp_path)
    (tmp_path / "predictions").mkdir()
    rows = load_rows(suite, suite.tasks, None, allow_unofficial=False)
    cut = Truncation(9, 8, 1, 2, 1)
    for i, (task, found) in enumerate(rows.items()):
        lines = []
        for j, example in enumerate(found.examples):
            completion = Completion(example.id, mangled(example.answers[0], i + j), "length", 9, 9)
            if (task, j) == ("qasper", 0):
                completion = Completion(example.id, "", error=Failure("model", "broken"))
            if (task, j) == ("lcc", 0):
                completion = Completion(example.id, "x = '\ud83d'\n")
            prompt = Prompt(example.id, "prompt", False, (1, 2), cut)
            lines.append(json_line(to_record(example, prompt, "00", completion)))
        (tmp_path / "predictions" / f"{task}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    return tmp_path


def test_the_official_script_reads_a_run_as_it_lies_and_finds_our_scores(run, monkeypatch):
    monkeypatch.setattr(fuzz, "SequenceMatcher", SequenceMatcher)  # as without python-Levenshtein
    expected = official_scores(run / "predictions")
    summary = score(run)
    assert {name: task.score for name, task in summary.tasks.items()} == expected
    assert expected.keys() == TASKS.keys()
    assert len(set(expected.values())) > 10, "scores of all kinds"
    assert summary.failed == 1
