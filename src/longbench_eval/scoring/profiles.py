"""The disputed choices of scoring under one name each, applied to the same predictions.

A profile is data: which text is compared, which metric stands in for an official one, how several answers are
combined, whose classes count. The metrics are shared. What the peers do was read from their code; see docs/profiles.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from longbench_eval.errors import unknown_name
from longbench_eval.metrics import METRICS, Metric
from longbench_eval.scoring.extract import Extraction, extract_kvpress, extract_lm_eval, extract_official, recut
from longbench_eval.tasks import Suite

Classes = Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Profile:
    """One way to score.

    Attributes:
        name: What `--profile` takes.
        about: One line for people.
        edit: The edit similarity behind `code_sim`, as the signature names it.
        replaced: Metrics that stand in for official ones, by name.
        text: What of a prediction the metric is handed.
        text_e: The same for LongBench-E.
        summed: Metrics whose values are summed over the answers; of all others the maximum counts.
        between: What becomes of the text after each answer, by metric.
        classes_of: Whose `all_classes` every row is scored with: the last row's, the first row's, or its own.
    """

    name: str
    about: str
    edit: Literal["difflib", "levenshtein"] = "difflib"
    replaced: Mapping[str, str] = field(default_factory=dict)
    text: Extraction = extract_official
    text_e: Extraction | None = None
    summed: frozenset[str] = frozenset()
    between: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    classes_of: Literal["last", "first", "own"] = "last"

    def metric(self, name: str) -> Metric:
        """The metric that this profile uses where the task table says `name`."""
        return METRICS[self.replaced.get(name, name)]

    def extraction(self, suite: Suite) -> Extraction:
        """What of a prediction the metric is handed in this suite."""
        return self.text_e if self.text_e and suite.has_buckets else self.text


_INDEL = {"code_sim": "code_sim_levenshtein"}

PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("official", "the official scorer with its official requirements"),
        Profile(
            "official-levenshtein",
            "the official scorer where python-Levenshtein is installed",
            "levenshtein",
            _INDEL,
        ),
        Profile(
            "lm-eval",
            "EleutherAI's lm-evaluation-harness, task versions 5 and 6",
            text=extract_lm_eval,
            classes_of="own",
        ),
        Profile(
            "opencompass",
            "OpenCompass: sums over answers, python-Levenshtein, Chinese predictions cut again for every answer",
            "levenshtein",
            _INDEL,
            summed=frozenset({"count", "retrieval", "retrieval_zh", "classification"}),
            between={"rouge_zh": recut},
        ),
        Profile(
            "kvpress",
            "NVIDIA's kvpress: predictions lose their leading white space, but not in LongBench-E",
            text=extract_kvpress,
            text_e=extract_official,
            classes_of="first",
        ),
    )
}


def get_profile(name: str) -> Profile:
    """Return the profile of that name.

    Raises:
        UsageError: There is none; the nearest name is offered.
    """
    if name not in PROFILES:
        raise unknown_name("profile", name, [*PROFILES, "all"])
    return PROFILES[name]
