"""Does the answer end where the model ends its turn?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from longbench_eval.doctor.answers import Answer
from longbench_eval.doctor.finding import Finding, notice, ok, problem
from longbench_eval.doctor.known import Known
from longbench_eval.scoring.suspicion import signs

# What is left of the marks between turns where a decoder drops special tokens: "Paris.assistant\n\nParis."
_ROLE_AT_END = re.compile(r"(?<=[^\s])(?:assistant|user|model)\s*\n", re.IGNORECASE)
_REMEDY = (
    "Name the token that ends a turn as a stop where the model is served: eos_token_id in generation_config.json "
    "(vLLM, SGLang, transformers), tokenizer.ggml.eot_token_id (GGUF), PARAMETER stop (Ollama); and check that its own "
    "chat template is used. A base model has no turns to end: run it with --chat never."
)


def check_ending(known: Known) -> Iterator[Finding]:
    """A question that needs one word, with room for many."""
    short = known.short
    if short.failure is not None:
        remedy = "Ask the server the same by hand; a run would fail in the same way."
        yield problem("answer", f"a short question is not answered: {short.failure.message}", remedy)
    elif not known.chatted or thinks(known):
        return
    elif sign := _sign(short):
        yield problem("end of turn", f"the answer goes on past its end: {sign}, in {_shown(short.text)}", _REMEDY)
    elif short.reason == "length":
        message = f"a question that needs one word was answered until the limit cut it off: {_shown(short.text)}"
        yield notice("end of turn", message, f"If that is not this model's way: {_REMEDY}")
    elif not short.text.strip():
        yield notice("end of turn", "a short question was answered with nothing", "Try the model by hand.")
    else:
        yield ok("end of turn", f"a short answer ends by itself: {_shown(short.text)}")


def thinks(known: Known) -> bool:
    """Whether any answer holds a thought, in its text or beside it."""
    return any(_thinks(answer) for answer in (known.short, *known.stories))


def _thinks(answer: Answer) -> bool:
    seen = signs.Answer(answer.text)
    return answer.thoughts or signs.holds_thinking(seen) or signs.thinks_without_end(seen)


def _sign(answer: Answer) -> str:
    seen = signs.Answer(answer.text, capped=answer.reason == "length")
    if signs.holds_chat_marker(seen):
        return "marks of the chat template are in it"
    if signs.plays_another_turn(seen) or _ROLE_AT_END.search(answer.text):
        return "it plays further turns"
    if signs.is_capped(seen) and signs.loops(seen):
        return "it repeats itself until the limit"
    return ""


def _shown(text: str) -> str:
    one_line = " ".join(text.split())
    return repr(one_line if len(one_line) <= 60 else f"{one_line[:60]}...")
