"""Runs against each other: paired rows, differences, and the evidence for them."""

from longbench_eval.comparison.compare import CompareSettings, compare
from longbench_eval.comparison.gate import judge
from longbench_eval.comparison.pairing import Pairing, pair
from longbench_eval.comparison.records import Comparison, Effect, Item, Side, Verdict

__all__ = [
    "CompareSettings",
    "Comparison",
    "Effect",
    "Item",
    "Pairing",
    "Side",
    "Verdict",
    "compare",
    "judge",
    "pair",
]
