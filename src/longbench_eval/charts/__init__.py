"""Charts (Altair): functions from plain records to charts of one look, and files of them. Needs the `report` extra."""

from longbench_eval.charts.kinds import KINDS, draw
from longbench_eval.charts.look import LOOKS, Frame
from longbench_eval.charts.save import save, to_svg

__all__ = ["KINDS", "LOOKS", "Frame", "draw", "save", "to_svg"]
