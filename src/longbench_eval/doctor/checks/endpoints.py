"""Plain prompts and chat: six tasks need the one, fifteen the other."""

from __future__ import annotations

from collections.abc import Iterator

from longbench_eval.doctor.finding import Finding, notice, ok, problem
from longbench_eval.doctor.known import Known


def check_completions(known: Known) -> Iterator[Finding]:
    """The tasks without chat template need /completions."""
    if known.server is None:
        return
    if known.server.no_completions is None:
        yield ok("completions", "plain prompts are answered")
    elif known.plain_tasks:
        message = (
            f"plain prompts are not answered ({known.server.no_completions}): {', '.join(known.plain_tasks)} would go "
            "through chat, other than by the protocol, and the signature would say so"
        )
        yield problem("completions", message, _REMEDY)
    else:
        yield notice("completions", "plain prompts are not answered; no task asked for needs them")


_REMEDY = (
    "Serve the model with something that has /v1/completions (vLLM, SGLang, llama.cpp), leave those tasks out with "
    "--tasks, or decide for --chat always and compare with such scores only."
)


def check_chat(known: Known) -> Iterator[Finding]:
    """The other tasks need a chat template."""
    if known.chat:
        yield ok("chat", "the model has a chat template" if known.server is None else "chat is answered")
        return
    why = f" ({known.server.no_chat})" if known.server and known.server.no_chat else ""
    yield notice(
        "chat",
        f"there is no chat template{why}: every prompt is sent plain, as fits a base model",
        "If it is an instruction-tuned model, give its server or file the model's own chat template.",
    )
