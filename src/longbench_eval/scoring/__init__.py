"""From predictions to scores: extraction, profiles, per-row scores, averages."""

from longbench_eval.scoring.averages import Average, Averages, averages_of
from longbench_eval.scoring.extract import extract_official, first_line
from longbench_eval.scoring.folder import Submission, read_folder, score, score_profiles
from longbench_eval.scoring.profiles import PROFILES, Profile, get_profile
from longbench_eval.scoring.recipe import evaluate
from longbench_eval.scoring.rows import score_row, score_rows
from longbench_eval.scoring.summarize import summarize
from longbench_eval.scoring.summary import Summary, TaskSummary

__all__ = [
    "PROFILES",
    "Average",
    "Averages",
    "Profile",
    "Submission",
    "Summary",
    "TaskSummary",
    "averages_of",
    "evaluate",
    "extract_official",
    "first_line",
    "get_profile",
    "read_folder",
    "score",
    "score_profiles",
    "score_row",
    "score_rows",
    "summarize",
]
