"""The line that says how a score came about; it is printed with every score and stored with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from longbench_eval.version import __version__


@dataclass(frozen=True, slots=True)
class Signature:
    """Named choices in a fixed order, in the manner of sacrebleu: `longbench|tasks:21|...|v:0.1.0`."""

    suite: str
    choices: Mapping[str, str]

    def add(self, **choices: str) -> Signature:
        """The same with more choices at its end."""
        return Signature(self.suite, {**self.choices, **choices})

    def __str__(self) -> str:
        parts = [f"{name}:{value}" for name, value in self.choices.items()]
        return "|".join([self.suite, *parts, f"v:{__version__}"])
