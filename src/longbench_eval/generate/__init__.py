"""How requests reach a model: in which order, how far ahead, and what becomes of the answers."""

from longbench_eval.generate.ahead import Ahead
from longbench_eval.generate.engine import answer
from longbench_eval.generate.order import schedule
from longbench_eval.generate.settle import settle

__all__ = ["Ahead", "answer", "schedule", "settle"]
