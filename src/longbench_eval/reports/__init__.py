"""What people read: tables on the terminal."""

from longbench_eval.reports.contexts import print_contrast
from longbench_eval.reports.explanation import print_explanation
from longbench_eval.reports.table import print_profiles, print_summary

__all__ = ["print_contrast", "print_explanation", "print_profiles", "print_summary"]
