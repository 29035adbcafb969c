"""Signs of a broken set-up in predictions: what a weak model alone would not do."""

from longbench_eval.scoring.suspicion.detectors import DETECTORS, Detector
from longbench_eval.scoring.suspicion.filing import ROW_DETECTORS, RowDetector
from longbench_eval.scoring.suspicion.kinds import Kind, Suspicion
from longbench_eval.scoring.suspicion.suspect import suspect, suspect_answers, suspect_rows

__all__ = [
    "DETECTORS",
    "ROW_DETECTORS",
    "Detector",
    "Kind",
    "RowDetector",
    "Suspicion",
    "suspect",
    "suspect_answers",
    "suspect_rows",
]
