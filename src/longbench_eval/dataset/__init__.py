"""Where rows and templates come from, and how they are proved right."""

from longbench_eval.dataset.load import Rows, load_examples, load_rows
from longbench_eval.dataset.sources import Source, open_source
from longbench_eval.dataset.templates import Templates, load_templates
from longbench_eval.dataset.verify import Proof, Verdict, verify_file

__all__ = [
    "Proof",
    "Rows",
    "Source",
    "Templates",
    "Verdict",
    "load_examples",
    "load_rows",
    "load_templates",
    "open_source",
    "verify_file",
]
