"""LongBench v1 scored the official way: the packages `rouge`, `jieba` and `fuzzywuzzy`, one call a pair.

A harness of our own that follows the protocol, to measure against: nothing is shared between rows or answers, every
text is cut and normalized anew for each pair. As a script it scores folders of predictions and prints them as JSON:

    python benchmarks/official_way.py RUN/predictions [--rows]
"""

# ruff: noqa: D103
from __future__ import annotations

import json
import logging
import re
import string
import sys
import warnings
from collections import Counter
from pathlib import Path

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jieba
    from fuzzywuzzy import fuzz
    from rouge import Rouge

from difflib import SequenceMatcher

jieba.setLogLevel(logging.WARNING)
fuzz.SequenceMatcher = SequenceMatcher  # what fuzzywuzzy takes where python-Levenshtein is not installed

FULL_WIDTH = set(
    map(chr, [*range(0xFF01, 0xFF10), *range(0xFF1A, 0xFF21), *range(0xFF3B, 0xFF41), *range(0xFF5B, 0xFF65)])
)
CHINESE_PUNCTUATION = FULL_WIDTH - {"．"} | set("、。〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏")
FIRST_LINE = {"trec", "triviaqa", "samsum", "lsht"}


def cut(text):
    return list(jieba.cut(text, cut_all=False))


def english_words(text):
    unwanted = set(string.punctuation)
    bare = "".join(char for char in text.lower() if char not in unwanted)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split()).split()


def chinese_words(text):
    return [word for word in map(normalize_chinese, cut(text)) if word]


def normalize_chinese(word):
    unwanted = set(string.punctuation) | CHINESE_PUNCTUATION
    return "".join("".join(char for char in word.lower() if char not in unwanted).split())


def f1(prediction, answer):
    same = sum((Counter(prediction) & Counter(answer)).values())
    if not same:
        return 0.0
    precision, recall = same / len(prediction), same / len(answer)
    return (2 * precision * recall) / (precision + recall)


def qa_f1(prediction, answer, classes):
    return f1(english_words(prediction), english_words(answer))


def qa_f1_zh(prediction, answer, classes):
    return f1(chinese_words(prediction), chinese_words(answer))


def rouge(prediction, answer, classes):
    try:
        return Rouge().get_scores([prediction], [answer], avg=True)["rouge-l"]["f"]
    except (ValueError, RecursionError):
        return 0.0


def rouge_zh(prediction, answer, classes):
    return rouge(" ".join(cut(prediction)), " ".join(cut(answer)), classes)


def classification(prediction, answer, classes):
    named = [name for name in classes if name in prediction]
    for name in named:
        if name in answer and name != answer:
            named.remove(name)  # while iterating: a quirk of the official scorer
    return 1.0 / len(named) if answer in named else 0.0


def number_share(prediction, number):
    numbers = re.findall(r"\d+", prediction)
    return sum(found == number for found in numbers) / len(numbers) if numbers else 0.0


def retrieval(prediction, answer, classes):
    return number_share(prediction, re.findall(r"Paragraph (\d+)", answer)[0])


def retrieval_zh(prediction, answer, classes):
    return number_share(prediction, re.findall(r"段落(\d+)", answer)[0])


def count(prediction, answer, classes):
    return number_share(prediction, answer)


def code_sim(prediction, answer, classes):
    lines = prediction.lstrip("\n").split("\n")
    code = next((line for line in lines if not any(mark in line for mark in ("`", "#", "//"))), "")
    return fuzz.ratio(code, answer) / 100


METRICS = {
    "narrativeqa": qa_f1,
    "qasper": qa_f1,
    "multifieldqa_en": qa_f1,
    "multifieldqa_zh": qa_f1_zh,
    "hotpotqa": qa_f1,
    "2wikimqa": qa_f1,
    "musique": qa_f1,
    "dureader": rouge_zh,
    "gov_report": rouge,
    "qmsum": rouge,
    "multi_news": rouge,
    "vcsum": rouge_zh,
    "trec": classification,
    "triviaqa": qa_f1,
    "samsum": rouge,
    "lsht": classification,
    "passage_count": count,
    "passage_retrieval_en": retrieval,
    "passage_retrieval_zh": retrieval_zh,
    "lcc": code_sim,
    "repobench-p": code_sim,
}


def score_task(task, rows):
    """The scores of all rows of a task: the best over the answers."""
    metric, classes, scores = METRICS[task], rows[-1]["all_classes"] if rows else None, []
    for row in rows:
        text = row["pred"].lstrip("\n").split("\n")[0] if task in FIRST_LINE else row["pred"]
        scores.append(max([0.0, *(metric(text, answer, classes) for answer in row["answers"])]))
    return scores


def read_rows(path):
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


if __name__ == "__main__":
    results = {}
    for file in sorted(Path(sys.argv[1]).glob("*.jsonl")):
        scores = score_task(file.stem, read_rows(file))
        results[file.stem] = scores if "--rows" in sys.argv else round(100 * sum(scores) / len(scores), 2)
    print(json.dumps(results))
