"""A llama.cpp server inside the process, through `xllamacpp`, and the tokenizer it serves."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from longbench_eval.errors import ModelError, UsageError
from longbench_eval.hardware import usable_cpus
from longbench_eval.models.gguf import GGUFHeader
from longbench_eval.models.loopback import Loopback
from longbench_eval.prompts.chat import ChatSetup

SPIN_COUNT = "GOMP_SPINCOUNT"


def start_server(path: Path, context_tokens: int) -> Any:
    """Load a GGUF file and serve it on the loopback, with one slot.

    Raises:
        ModelError: llama.cpp cannot load the file.
        UsageError: xllamacpp is not installed.
    """
    xllamacpp = _import_xllamacpp()
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel = context_tokens, 1
    params.port, params.verbosity, params.warmup, params.cache_ram_mib = 0, 0, False, 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = usable_cpus()
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise ModelError(
            f"llama.cpp cannot load {str(path)!r}: {error} It may be cut short or damaged, of a kind that this version "
            "of xllamacpp does not know, or too large for this machine. Fetch it again, or try another."
        ) from None


def _import_xllamacpp() -> Any:
    """Import the binding so that its threads soon sleep, and do not spin, while one waits for another.

    New tokens a second of SmolLM2 on 2 cores, idle and beside a busy process: 65 and 4 as OpenMP spins by default, 55
    and 25 with this count, 26 and 33 without any spinning. OpenMP reads the variable once, as it is loaded; what the
    user has set is left alone.
    """
    ours = not {"OMP_WAIT_POLICY", SPIN_COUNT} & os.environ.keys()
    if ours:
        os.environ[SPIN_COUNT] = "1000"
    try:
        import xllamacpp
    except ImportError:
        raise UsageError("llama.cpp: needs the package xllamacpp: pip install 'longbench-eval[local]'") from None
    finally:
        if ours:
            del os.environ[SPIN_COUNT]
    return xllamacpp


class LlamaCppTokenizer:
    """The model's own tokenizer, asked over the loopback."""

    def __init__(self, server: Loopback, header: GGUFHeader, chat: ChatSetup = ChatSetup()) -> None:  # noqa: B008 (frozen)
        self._server, self._header, self._chat = server, header, chat
        self.bos_id = header.bos_id
        self._special = header.special_ids

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
        plain = [i for i in ids if i not in self._special]
        return str(self._post("/detokenize", {"tokens": plain})["content"])

    def wrap_chat(self, text: str) -> str | None:
        """The model's own chat template around one user message; None when its file has none."""
        if not self._header.chat_template:
            return None
        body = {"messages": self._chat.messages(text), "chat_template_kwargs": self._chat.switches}
        return self._chat.finish(str(self._post("/apply-template", body)["prompt"]), self._header.chat_template)

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        reply = self._server.post(path, body)
        if reply.status != 200:
            raise ModelError(f"llama.cpp refused {path}: {reply.body.get('error', reply.body)}")
        return reply.body
