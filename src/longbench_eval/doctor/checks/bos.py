"""Does every prompt begin with BOS exactly once?"""

from __future__ import annotations

from collections.abc import Iterator

from longbench_eval.doctor.beginning import Beginning
from longbench_eval.doctor.finding import Finding, notice, ok, problem
from longbench_eval.doctor.known import Known

_NAMES = {"plain": "plain prompts", "chat": "chats"}


def check_bos(known: Known) -> Iterator[Finding]:
    """Each kind of prompt by itself: the two take different ways."""
    told = [begin for begin in known.beginnings if begin.surplus is not None]
    good = [_NAMES[begin.kind] for begin in told if begin.surplus == 0]
    for begin in told:
        if begin.surplus:
            yield _wrong(begin, begin.surplus)
    if good:
        has_bos = any(begin.bos is not None for begin in told)
        yield ok("BOS", f"{' and '.join(good)} begin as they should" + ("" if has_bos else " (without BOS)"))
    if not told:
        message = "whether BOS is there once cannot be told: the server does not show how it tokenizes"
        yield notice("BOS", message, "Serve the model with /tokenize (vLLM, SGLang, llama.cpp), or give --tokenizer.")


def _wrong(begin: Beginning, surplus: int) -> Finding:
    where = _NAMES[begin.kind]
    if surplus == 1:
        message = f"{where} begin with BOS twice: the model reads one token more than its tokenizer gives"
        return problem("BOS", message, _DOUBLED[begin.kind])
    if surplus == -1 and begin.bos is not None:
        message = f"{where} lack BOS (token {begin.bos}), with which the tokenizer begins every text"
        return problem("BOS", message, _MISSING[begin.kind])
    message = f"{where} have {abs(surplus)} tokens {'more' if surplus > 0 else 'fewer'} than the tokenizer gives"
    return notice("BOS", message, "Look at what the server puts around a prompt: a template, or a system prompt.")


_DOUBLED = {
    "chat": "Take BOS out of the chat template, or tell the server to add none of its own (vLLM and TGI: "
    "add_special_tokens false).",
    "plain": "Tell the server to add no BOS of its own (llama.cpp: tokenizer.ggml.add_bos_token), or mend the "
    "tokenizer's file so that it adds one only.",
}
_MISSING = {
    "chat": "Put BOS at the beginning of the chat template.",
    "plain": "Tell the server to add BOS (vLLM: add_special_tokens true; llama.cpp: tokenizer.ggml.add_bos_token), or "
    "convert the model again with its own tokenizer.",
}
