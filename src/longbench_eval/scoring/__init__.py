"""From predictions to scores: extraction, profiles, per-row scores, averages."""

from longbench_eval.scoring.averages import Average, averages_of, category_means
from longbench_eval.scoring.extract import first_line
from longbench_eval.scoring.folder import Scored, read_folder, score
from longbench_eval.scoring.profiles import PROFILES, Profile, get_profile
from longbench_eval.scoring.recipe import evaluate
from longbench_eval.scoring.rows import score_row, score_rows
from longbench_eval.scoring.summary import Summary, TaskSummary, summarize

__all__ = [
    "PROFILES",
    "Average",
    "Profile",
    "Scored",
    "Summary",
    "TaskSummary",
    "averages_of",
    "category_means",
    "evaluate",
    "first_line",
    "get_profile",
    "read_folder",
    "score",
    "score_row",
    "score_rows",
    "summarize",
]
