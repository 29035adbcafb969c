"""Scores pairs with the package `rouge` from as deep a stack as the official script does; run as a script.

Reads `{"rouge": [[prediction, answer], ...], "rouge_zh": [...]}` from stdin and writes `{"rouge": [score, ...], ...}`;
a score is null where the package raised RecursionError.
"""

import json
import sys

from rouge import Rouge


def scorer(metric, pairs):
    """Stands where `scorer` of eval.py does."""
    scores = []
    for prediction, answer in pairs:
        scores.append(metric(prediction, answer))  # a comprehension would be one frame more
    return scores


def rouge_score(prediction, answer):
    """Stands where `rouge_score` of metrics.py does."""
    package = Rouge()
    try:
        return package.get_scores([prediction], [answer], avg=True)["rouge-l"]["f"]
    except RecursionError:
        return None


def rouge_zh_score(prediction, answer):
    """Stands where `rouge_zh_score` of metrics.py does, for texts already cut."""
    return rouge_score(prediction, answer)


if __name__ == "__main__":
    requested = json.load(sys.stdin)
    english = scorer(rouge_score, requested["rouge"])
    chinese = scorer(rouge_zh_score, requested["rouge_zh"])
    json.dump({"rouge": english, "rouge_zh": chinese}, sys.stdout)
