"""Are prompts counted in the model's own tokens?"""

from __future__ import annotations

from collections.abc import Iterator

from longbench_eval.doctor.finding import Finding, notice, ok, problem
from longbench_eval.doctor.known import Known

# Templates and line ends account for some tokens of some hundred; another tokenizer is further off.
_AGREES = 0.06


def check_tokens(known: Known) -> Iterator[Finding]:
    """Our count of a page against the server's."""
    page = known.page
    if known.server is None or page is None or page.failure is not None:
        return
    ratio = page.prompt_tokens / page.counted if page.prompt_tokens and page.counted else None
    if not known.exact_tokens:
        off = "" if ratio is None else f"; the server counts {ratio:.2f} tokens for each estimated one"
        remedy = "Give --tokenizer: the model's folder or tokenizer.json, its Hub name, or tiktoken's name."
        yield notice("tokens", f"prompts are counted in estimated tokens{off}", remedy)
    elif ratio is None:
        yield notice("tokens", "the server does not say how many tokens it read, so our count cannot be checked")
    elif known.server.own_tokens or abs(ratio - 1) <= _AGREES:
        yield ok("tokens", "counted by " + ("the server's own tokenizer" if known.server.own_tokens else "--tokenizer"))
    else:
        message = (
            f"--tokenizer counts {page.counted} tokens in a prompt in which the server counts {page.prompt_tokens}"
        )
        yield problem("tokens", message, "Give the tokenizer of this very model.")
