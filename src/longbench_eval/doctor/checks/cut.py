"""Is a long prompt read whole?"""

from __future__ import annotations

from collections.abc import Iterator

from longbench_eval.doctor.answers import Answer
from longbench_eval.doctor.finding import Finding, notice, ok, problem
from longbench_eval.doctor.known import Known

# Tokens that may be missing: a template's, which some servers do not count when they have it in a cache.
_SPARE_TOKENS, _SPARE_SHARE = 64, 0.03
_ESTIMATE_SHARE = 0.2


def check_cut(known: Known) -> Iterator[Finding]:
    """The longest prompt that was sent, against what the server says it read."""
    sent = known.long or known.page
    if known.server is None or sent is None:
        return
    if sent.failure is not None:
        yield _failed(sent, known)
    elif sent.prompt_tokens is None:
        yield _by_word(sent, known)
    elif (expected := _expected(known, sent)) is None:
        yield notice("silent cut", "not looked for: without a tokenizer it needs the long prompt", "Leave out --quick.")
    else:
        yield _by_count(known, sent.prompt_tokens, expected)


def _by_count(known: Known, read: int, expected: int) -> Finding:
    spare = max(_SPARE_TOKENS, expected * (_SPARE_SHARE if known.exact_tokens else _ESTIMATE_SHARE))
    if expected - read > spare:
        message = f"of a prompt of {expected} tokens the server read {read}: it cuts prompts without saying so"
        room = max(2, read - known.longest_answer)
        return problem("silent cut", message, f"{_REMEDY}, or run with --max-input-tokens {room}.")
    if known.long is None:
        message = f"a prompt of {read} tokens is read whole; longer ones were not tried"
        return notice("silent cut", message, "Leave out --quick.") if _longer(known) else ok("silent cut", message)
    return ok("silent cut", f"a prompt as long as the run's longest is read whole: {read} tokens")


_REMEDY = "Give the server a larger context (Ollama: OLLAMA_CONTEXT_LENGTH, or num_ctx in the Modelfile)"


def _longer(known: Known) -> bool:
    """Whether the run has longer prompts than the page."""
    page = known.page.counted if known.page and known.page.counted else 0
    return known.longest_prompt is None or known.longest_prompt > 2 * page


def _expected(known: Known, sent: Answer) -> int | None:
    """Tokens that the server should have read; from its own count of two shorter prompts where ours is an estimate."""
    if known.exact_tokens:
        return sent.counted
    page, short = known.page, known.short
    if known.long is None or page is None or None in (page.prompt_tokens, short.prompt_tokens, sent.counted):
        return None
    ours = (page.counted or 0) - (short.counted or 0)
    rate = ((page.prompt_tokens or 0) - (short.prompt_tokens or 0)) / max(1, ours)
    return int((page.prompt_tokens or 0) + rate * ((sent.counted or 0) - (page.counted or 0)))


def _by_word(sent: Answer, known: Known) -> Finding:
    """Without a count: does it know the word that stands at the very beginning?"""
    if (known.long_word if known.long else known.page_word) in sent.text.lower():
        return ok("silent cut", "the first line of a long prompt is known to the model, so nothing was cut from it")
    message = "cannot be told: the server counts no tokens, and the model did not name the word in the first line"
    return notice("silent cut", message, f"Make sure of the server's context. {_REMEDY}.")


def _failed(sent: Answer, known: Known) -> Finding:
    assert sent.failure is not None
    told = f"a prompt of about {sent.counted} tokens, as the run will send, "
    if sent.failure.kind == "overlong":
        message = f"{told}is refused: {sent.failure.message}"
        if not known.exact_tokens:
            # The run cuts such a prompt again; the estimate was off, and the window may be true.
            return notice("window", message, "Give --tokenizer, so that prompts are cut right the first time.")
        return problem("window", message, "Load the model with a larger context, or give the true --window N.")
    if sent.failure.kind == "timeout":
        seconds = known.server.options.timeout_s if known.server else 0
        message = f"{told}is not answered in {seconds:g} s"
        return problem("long prompt", message, "Give a longer --timeout, or a smaller --max-input-tokens.")
    return problem("long prompt", f"{told}fails: {sent.failure.message}", "Look into the server's log.")
