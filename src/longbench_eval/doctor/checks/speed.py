"""How fast is it?"""

from __future__ import annotations

from collections.abc import Iterator

from longbench_eval.doctor.finding import Finding, notice, ok, problem
from longbench_eval.doctor.known import Known
from longbench_eval.doctor.speeds import Speeds, measure
from longbench_eval.prompts import Budget


def check_speed(known: Known) -> Iterator[Finding]:
    """Tokens a second, and whether the slowest answer comes before the run loses patience."""
    speeds = measure(known)
    if speeds is None:
        yield notice("speed", "not measured: an answer or its count of tokens is missing")
        return
    yield ok("speed", f"{speeds.prompt:.0f} prompt tokens a second, {speeds.new:.0f} new tokens a second")
    yield from _too_slow(known, speeds)


def _too_slow(known: Known, speeds: Speeds) -> Iterator[Finding]:
    longest = known.longest_prompt or (known.budget.tokens if isinstance(known.budget, Budget) else None)
    if known.server is None or longest is None:
        return
    needed_s, timeout_s = speeds.seconds(longest, known.longest_answer), known.server.options.timeout_s
    if needed_s > timeout_s:
        message = f"the longest row would take about {needed_s:.0f} s, and --timeout is {timeout_s:g} s"
        yield problem("speed", message, f"Give --timeout {int(2 * needed_s)}, or a smaller --max-input-tokens.")
