"""The report of runs as one HTML file. Needs the `report` extra."""

from longbench_eval.reports.html.page import render_report, write_report
from longbench_eval.reports.html.read import ReportSettings

__all__ = ["ReportSettings", "render_report", "write_report"]
