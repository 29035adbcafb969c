"""GGUF models on this machine: a llama.cpp server inside the process, through `xllamacpp`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any

from longbench_eval.errors import ModelError, UsageError
from longbench_eval.files import sha256_of
from longbench_eval.hardware import usable_cpus
from longbench_eval.models.base import ModelOptions, NewlineStop, PrefixReuse
from longbench_eval.models.fetch import ALIASES, fetch_model
from longbench_eval.models.gguf import GGUFHeader, read_gguf
from longbench_eval.models.loopback import Loopback
from longbench_eval.prompts.budget import default_budget
from longbench_eval.records import Completion, Failure, FinishReason, Request

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


class LlamaCppTokenizer:
    """The model's own tokenizer, asked over the loopback."""

    def __init__(self, server: Loopback, header: GGUFHeader) -> None:
        self._server, self._header = server, header
        self.bos_id = header.bos_id
        self._control = header.control_ids

    @cached_property
    def newline_id(self) -> int | None:
        """The last id of an encoded newline."""
        ids = self._tokenize("\n", add_special=False)
        return ids[-1] if ids else None

    def encode(self, text: str) -> list[int]:
        """Text to ids, BOS where the model asks for it, special tokens in the text recognized."""
        return self._tokenize(text, add_special=True)

    def _tokenize(self, text: str, *, add_special: bool) -> list[int]:
        body = {"content": text, "add_special": add_special, "parse_special": True}
        ids: list[int] = self._post("/tokenize", body)["tokens"]
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """Ids to text, special tokens left out; halves of a character become U+FFFD, as elsewhere."""
        plain = [i for i in ids if i not in self._control]
        return str(self._post("/detokenize", {"tokens": plain})["content"])

    def wrap_chat(self, text: str) -> str | None:
        """The model's own chat template around one user message; None when its file has none."""
        if not self._header.has_chat_template:
            return None
        return str(self._post("/apply-template", {"messages": [{"role": "user", "content": text}]})["prompt"])

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        reply = self._server.post(path, body)
        if reply.status != 200:
            raise ModelError(f"llama.cpp refused {path}: {reply.body.get('error', reply.body)}")
        return reply.body


class LlamaCppModel:
    """One GGUF file, one slot: requests are answered one after another, a shared prefix is kept."""

    newline_stop: NewlineStop = "token"

    def __init__(self, path: Path, options: ModelOptions, name: str) -> None:
        self.name = name
        self.path = path
        self.header = read_gguf(path)
        self.window = self.header.window
        self.capacity = self._context_size(options)
        self.prefix_reuse: PrefixReuse = "off" if options.deterministic else "on"
        self._server = _start_server(path, self.capacity)
        self._http = Loopback(self._server.listening_address)
        self.tokenizer = LlamaCppTokenizer(self._http, self.header)

    def _context_size(self, options: ModelOptions) -> int:
        window = self.window or 4096
        budget = options.max_input_tokens or default_budget(window)
        return min(window, max(2, budget) + options.max_new_tokens + WRAP_ROOM_TOKENS)

    def identity(self) -> Mapping[str, Any]:
        """The file's own hash: a name says too little about a quantization."""
        return {"kind": "llama.cpp", "name": self.name, "sha256": self._sha256}

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
        answer = self._complete(list(request.prompt.token_ids or ()), request.max_new_tokens)
        if request.min_new_tokens and isinstance(answer, dict) and self._starts_badly(answer, request):
            answer = self._complete_from_second(request)
        if isinstance(answer, Failure):
            return Completion(request.example_id, "", latency_s=perf_counter() - began, error=answer)
        return self._completion(request, answer, perf_counter() - began)

    def _complete(self, ids: list[int], max_new_tokens: int, **more: Any) -> dict[str, Any] | Failure:
        body = {**GREEDY, "prompt": ids, "n_predict": max_new_tokens, "cache_prompt": self.prefix_reuse == "on", **more}
        reply = self._http.post("/completion", body)
        if reply.status == 200:
            return reply.body
        error = reply.body.get("error", {})
        kind = error.get("type") if isinstance(error, dict) else None
        return Failure("overlong" if kind == "exceed_context_size_error" else "model", str(error))

    def _starts_badly(self, answer: dict[str, Any], request: Request) -> bool:
        """Whether the first token is one that a minimum length forbids: an end of text, or the newline that stops."""
        tokens = answer["tokens"]
        ended = answer["stop_type"] == "eos" and len(tokens) <= 1
        return ended or (request.stop_at_newline and tokens[:1] == [self.tokenizer.newline_id])

    def _complete_from_second(self, request: Request) -> dict[str, Any] | Failure:
        """Forbid the bad first token as a minimum length does, then go on freely from the next best one."""
        ids = list(request.prompt.token_ids or ())
        banned = [[self.tokenizer.newline_id, False]] if request.stop_at_newline else []
        first = self._complete(ids, 1, ignore_eos=True, logit_bias=banned)
        if isinstance(first, Failure) or request.max_new_tokens == 1:
            return first
        rest = self._complete(ids + first["tokens"], request.max_new_tokens - 1)
        if isinstance(rest, Failure):
            return rest
        tokens = first["tokens"] + rest["tokens"]
        return {**rest, "tokens": tokens, "content": self.tokenizer.decode(tokens)}

    def _completion(self, request: Request, answer: dict[str, Any], latency_s: float) -> Completion:
        tokens, text = answer["tokens"], answer["content"]
        reason: FinishReason = "length" if answer["stop_type"] == "limit" else "stop"
        if request.stop_at_newline and self.tokenizer.newline_id in tokens[1:]:
            tokens = tokens[: tokens.index(self.tokenizer.newline_id, 1) + 1]
            text, reason = self.tokenizer.decode(tokens), "newline"
        cached = int(answer.get("timings", {}).get("cache_n", 0))
        return Completion(request.example_id, text, reason, request.prompt.tokens, len(tokens), cached, latency_s)

    def close(self) -> None:
        """Stop the server and free the model."""
        self._http.close()
        self._server = None


def _start_server(path: Path, context_tokens: int) -> Any:
    try:
        import xllamacpp
    except ImportError:
        raise UsageError("llama.cpp: needs the package xllamacpp: pip install 'longbench-eval[local]'") from None
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel = context_tokens, 1
    params.port, params.verbosity, params.warmup, params.cache_ram_mib = 0, 0, False, 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = usable_cpus()
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise ModelError(
            f"llama.cpp cannot load {str(path)!r} (cut short, of an unknown kind, or too large): {error}"
        ) from None


def open_llama_cpp(name: str, options: ModelOptions) -> LlamaCppModel:
    """Open a GGUF file by path, or an embedded model by its alias, fetching it first when needed."""
    path = fetch_model(name) if name in ALIASES else Path(name).expanduser()
    return LlamaCppModel(path, options, name if name in ALIASES else path.stem)
