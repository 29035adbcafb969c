"""Explaining published scores: which rules reproduce them from the predictions."""

from longbench_eval.scoring.explain.averages import AVERAGINGS
from longbench_eval.scoring.explain.chance import CHANCE_LIMIT
from longbench_eval.scoring.explain.explain import explain, explain_scores
from longbench_eval.scoring.explain.explanation import Explained, Explanation
from longbench_eval.scoring.explain.published import Published, read_published
from longbench_eval.scoring.explain.rules import RULES, Rule

__all__ = [
    "AVERAGINGS",
    "CHANCE_LIMIT",
    "RULES",
    "Explained",
    "Explanation",
    "Published",
    "Rule",
    "explain",
    "explain_scores",
    "read_published",
]
