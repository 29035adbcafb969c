"""The disputed choices of scoring under one name each, applied to the same predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from longbench_eval.errors import unknown_name
from longbench_eval.metrics import METRICS, Metric


@dataclass(frozen=True, slots=True)
class Profile:
    """One way to score.

    Attributes:
        name: What `--profile` takes.
        about: One line for people.
        edit: The edit similarity behind `code_sim`, as the signature names it.
        replaced: Metrics that stand in for official ones, by name.
    """

    name: str
    about: str
    edit: str
    replaced: Mapping[str, str] = field(default_factory=dict)

    def metric(self, name: str) -> Metric:
        """The metric that this profile uses where the task table says `name`."""
        return METRICS[self.replaced.get(name, name)]


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("official", "the official scorer with its official requirements", "difflib"),
        Profile(
            "official-levenshtein",
            "the official scorer where python-Levenshtein is installed",
            "levenshtein",
            {"code_sim": "code_sim_levenshtein"},
        ),
    )
}


def get_profile(name: str) -> Profile:
    """Return the profile of that name.

    Raises:
        UsageError: There is none; the nearest name is offered.
    """
    if name not in PROFILES:
        raise unknown_name("profile", name, PROFILES)
    return PROFILES[name]
