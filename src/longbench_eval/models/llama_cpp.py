"""GGUF models on this machine: a llama.cpp server inside the process, through `xllamacpp`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from longbench_eval.files import sha256_of
from longbench_eval.models.base import ModelOptions, NewlineStop, PrefixReuse, Serving
from longbench_eval.models.fetch import ALIASES, fetch_model
from longbench_eval.models.gguf import read_gguf
from longbench_eval.models.llama_server import LlamaCppTokenizer, start_server
from longbench_eval.models.loopback import Loopback
from longbench_eval.prompts.budget import default_budget
from longbench_eval.records import Completion, Failure, FinishReason, Request
from longbench_eval.thinking import template_thinks

# Room in the context for a chat template beside prompt and answer.
WRAP_ROOM_TOKENS = 1024

# Every sampling field by name: a server's own defaults (temperature 0.8, top-k 40 here) must not decide.
GREEDY: Mapping[str, Any] = {
    "temperature": 0.0,
    "dynatemp_range": 0.0,
    "top_k": 1,
    "top_p": 1.0,
    "min_p": 0.0,
    "typical_p": 1.0,
    "top_n_sigma": -1.0,
    "xtc_probability": 0.0,
    "mirostat": 0,
    "repeat_penalty": 1.0,
    "presence_penalty": 0.0,
    "frequency_penalty": 0.0,
    "dry_multiplier": 0.0,
    "samplers": ["top_k", "temperature"],
    "seed": 0,
    "stop": [],
    "n_probs": 0,
    "stream": False,
    "return_tokens": True,
}


class _Answer(NamedTuple):
    """What one or two requests to the server gave; `tokens` holds the end of text too, when it was generated."""

    tokens: list[int]
    stop_type: str
    cached_tokens: int


class LlamaCppModel:
    """One GGUF file, one slot: requests are answered one after another, a shared prefix is kept."""

    newline_stop: NewlineStop = "token"

    def __init__(self, path: Path, options: ModelOptions, name: str) -> None:
        self.name = name
        self.path = path
        self.header = read_gguf(path)
        self.window = self.header.window
        self.serving = Serving(thinks=template_thinks(self.header.chat_template))
        self.capacity = self._context_size(options)
        self.prefix_reuse: PrefixReuse = "off" if options.deterministic else "on"
        self._server = start_server(path, self.capacity)
        self._http = Loopback(self._server.listening_address)
        self.tokenizer = LlamaCppTokenizer(self._http, self.header, options.chat)

    def _context_size(self, options: ModelOptions) -> int:
        window = self.window or 4096
        budget = options.max_input_tokens or default_budget(window)
        thoughts = options.chat.thinking.budget(self.serving.thinks, self.window)
        return min(window, max(2, budget) + options.max_new_tokens + thoughts + WRAP_ROOM_TOKENS)

    def identity(self) -> Mapping[str, Any]:
        """The file's own hash: a name says too little about a quantization."""
        return {"kind": "llama.cpp", "sha256": self._sha256}

    @cached_property
    def _sha256(self) -> str:
        return sha256_of(self.path)

    def versions(self) -> Mapping[str, str]:
        """The binding's version, which pins llama.cpp's."""
        from importlib.metadata import version

        return {"xllamacpp": version("xllamacpp")}

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answer in the order of the requests."""
        return map(self._answer, requests)

    def _answer(self, request: Request) -> Completion:
        began = perf_counter()
        answer = self._ask(list(request.prompt.token_ids or ()), request)
        latency_s = perf_counter() - began
        if isinstance(answer, Failure):
            return Completion(request.example_id, "", latency_s=latency_s, error=answer)
        return self._completion(request, answer, latency_s)

    def _ask(self, ids: list[int], request: Request) -> _Answer | Failure:
        """Generate freely, but for a first token that may not end the text.

        Such a first token is generated alone, with every end forbidden, as transformers does it for a minimum length.
        The rest goes on from the state it left behind, which is the very state of one uninterrupted generation:
        reuse here makes no answer depend on another.
        """
        reuse = self.prefix_reuse == "on"
        if not request.min_new_tokens:
            return self._complete(ids, request.max_new_tokens, reuse)
        banned = [[self.tokenizer.newline_id, False]] if request.stop_at_newline else []
        first = self._complete(ids, 1, reuse, ignore_eos=True, logit_bias=banned)
        if isinstance(first, Failure) or request.max_new_tokens == 1:
            return first
        rest = self._complete(ids + first.tokens, request.max_new_tokens - 1, True)
        if isinstance(rest, Failure):
            return rest
        return _Answer(first.tokens + rest.tokens, rest.stop_type, first.cached_tokens)

    def _complete(self, ids: list[int], max_new_tokens: int, reuse: bool, **more: Any) -> _Answer | Failure:
        body = {**GREEDY, "prompt": ids, "n_predict": max_new_tokens, "cache_prompt": reuse, **more}
        reply = self._http.post("/completion", body)
        if reply.status == 200:
            return _Answer(reply.body["tokens"], reply.body["stop_type"], reply.body["timings"]["cache_n"])
        error = reply.body.get("error", {})
        kind = error.get("type") if isinstance(error, dict) else None
        return Failure("overlong" if kind == "exceed_context_size_error" else "model", str(error))

    def _completion(self, request: Request, answer: _Answer, latency_s: float) -> Completion:
        tokens, stop = answer.tokens, self.tokenizer.newline_id
        reason: FinishReason = "length" if answer.stop_type == "limit" else "stop"
        if request.stop_at_newline and stop in tokens:
            tokens, reason = tokens[: tokens.index(stop) + 1], "newline"
        # The end of turn is generated like any token, and counted, but it is no text.
        text = self.tokenizer.decode(tokens[:-1] if reason == "stop" else tokens)
        return Completion(
            request.example_id,
            text,
            reason,
            prompt_tokens=request.prompt.tokens,
            completion_tokens=len(tokens),
            cached_tokens=answer.cached_tokens,
            latency_s=latency_s,
        )

    def close(self) -> None:
        """Stop the server and free the model."""
        self._http.close()
        self._server = None


def open_llama_cpp(name: str, options: ModelOptions) -> LlamaCppModel:
    """Open a GGUF file by path, or an embedded model by its alias, fetching it first when needed."""
    path = fetch_model(name) if name in ALIASES else Path(name).expanduser()
    return LlamaCppModel(path, options, name if name in ALIASES else path.stem)
