"""How requests reach a model: in which order, and what happens when it fails."""

from longbench_eval.generate.engine import answer
from longbench_eval.generate.order import group_by_context

__all__ = ["answer", "group_by_context"]
