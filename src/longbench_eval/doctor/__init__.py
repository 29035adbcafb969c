"""`doctor`: a few small requests before hours are spent."""

from longbench_eval.doctor.estimate import Estimate, Price, read_price
from longbench_eval.doctor.examine import Report, examine, examine_installation
from longbench_eval.doctor.finding import Finding

__all__ = ["Estimate", "Finding", "Price", "Report", "examine", "examine_installation", "read_price"]
