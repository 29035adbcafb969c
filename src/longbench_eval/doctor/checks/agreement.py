"""Are two equal requests answered alike?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from longbench_eval.doctor.finding import Finding, notice, ok, problem
from longbench_eval.doctor.known import Known

# Rounding parts two greedy answers now and then, mostly late; sampling parts them within some words.
_EARLY_CHARACTERS = 20


def check_agreement(known: Known) -> Iterator[Finding]:
    """One open question, put twice, one after the other."""
    if any(story.failure for story in known.stories) or len(known.stories) < 2:
        return
    one, other = (story.text for story in known.stories[:2])
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    if one == other:
        yield ok("agreement", "two equal requests get the same answer")
    elif same < _EARLY_CHARACTERS:
        message = f"two equal requests get different answers from character {same + 1} on, as if it sampled"
        remedy = (
            "Make the server honour temperature 0: no sampling settings of its own, no proxy that rewrites requests."
        )
        yield problem("agreement", message, remedy)
    else:
        message = f"two equal requests get answers that part after {same} characters: scores will not repeat exactly"
        yield notice("agreement", message, "Run with --deterministic, and start the server without prefix caching.")
