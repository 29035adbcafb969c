"""The metrics of LongBench v1, each a pure function of one prediction and one reference answer.

`METRICS` is the one table of them. To add a metric, write a function with the signature of `Metric` in a file of its
own and give it a row here; the shared tests run over every row.
"""

from __future__ import annotations

from longbench_eval.metrics.classification import classification
from longbench_eval.metrics.code_sim import code_sim, code_sim_levenshtein
from longbench_eval.metrics.count import count
from longbench_eval.metrics.f1 import qa_f1, qa_f1_zh
from longbench_eval.metrics.metric import Classes, Metric
from longbench_eval.metrics.retrieval import retrieval, retrieval_zh
from longbench_eval.metrics.rouge import rouge, rouge_zh

__all__ = [
    "METRICS",
    "Classes",
    "Metric",
    "classification",
    "code_sim",
    "code_sim_levenshtein",
    "count",
    "qa_f1",
    "qa_f1_zh",
    "retrieval",
    "retrieval_zh",
    "rouge",
    "rouge_zh",
]

METRICS: dict[str, Metric] = {
    "qa_f1": qa_f1,
    "qa_f1_zh": qa_f1_zh,
    "rouge": rouge,
    "rouge_zh": rouge_zh,
    "classification": classification,
    "retrieval": retrieval,
    "retrieval_zh": retrieval_zh,
    "count": count,
    "code_sim": code_sim,
    "code_sim_levenshtein": code_sim_levenshtein,
}
