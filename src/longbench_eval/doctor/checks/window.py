"""How long may a prompt be?"""

from __future__ import annotations

from collections.abc import Iterator

from longbench_eval.doctor.finding import Finding, notice, ok, problem, problem_of
from longbench_eval.doctor.known import Known
from longbench_eval.errors import UsageError


def check_window(known: Known) -> Iterator[Finding]:
    """The window, M, and whether the model is loaded with less than it was made for."""
    budget = known.budget
    if isinstance(budget, UsageError):
        yield problem_of("window", budget)
    elif budget is None:
        message = "the window is not known, so neither is M, the length to which prompts are cut"
        yield problem("window", message, "Give --window N, the model's window in tokens, or --max-input-tokens N.")
    elif budget.lowered_from is not None:
        yield notice("window", f"{_told(known)}; {budget.reason}", "Load the model with a larger context to keep M.")
    else:
        yield ok("window", f"{_told(known)}; prompts are cut to M = {budget.tokens} tokens")


def _told(known: Known) -> str:
    told = "the window is not known" if known.window is None else f"the window is {known.window} tokens"
    if known.capacity is None or known.capacity == known.window:
        return told
    return f"{told}, of which {known.capacity} are loaded"
