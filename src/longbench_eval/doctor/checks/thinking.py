"""Does the model think before it answers?"""

from __future__ import annotations

from collections.abc import Iterator

from longbench_eval.doctor.checks.ending import thinks
from longbench_eval.doctor.finding import Finding, notice
from longbench_eval.doctor.known import Known


def check_thinking(known: Known) -> Iterator[Finding]:
    """Thoughts eat the official caps of 32 to 512 tokens; answers would be cut off or empty."""
    if thinks(known):
        yield notice(
            "thinking",
            "the model thinks before it answers, and the official limits of 32 to 512 tokens hold no thoughts",
            "A run gives them tokens beside these; decide by --thinking off or --thinking budget N.",
        )
