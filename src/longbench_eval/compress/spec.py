"""`--compress KIND:NAME,key=value,...`: what it says, checked, before anything is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longbench_eval.compress.change import QA_TASKS, SUMMARY_TASKS
from longbench_eval.errors import UsageError, unknown_name

RETRIEVERS = ("bm25", "embed", "server", "paper-bm25")
ORDERS = ("document", "rank")
# The paper keeps 7 chunks of 200 words or 3 of 500.
_KEPT_WORDS = 1400
_EXAMPLE = "retrieval:bm25,chunk=200,top=7 or summarize:part=500,max_new=200"


@dataclass(frozen=True, slots=True)
class RetrievalSpec:
    """Which chunks of a context are kept.

    Attributes:
        retriever: One of `RETRIEVERS`.
        model: The embedding model, for `embed` and `server`.
        chunk: Words a chunk may have.
        top: How many chunks are kept.
        order: In which order they are put together: one of `ORDERS`.
        url: Where the embedding server is, if not at `--base-url`.
        key_env: The variable with the key of the server at `url`.
    """

    retriever: str
    model: str
    chunk: int
    top: int
    order: str
    url: str | None = None
    key_env: str | None = None

    tasks = QA_TASKS


@dataclass(frozen=True, slots=True)
class SummarizeSpec:
    """How a context becomes summaries of its parts.

    Attributes:
        part: Words a part may have.
        max_new: Tokens a summary may have.
        by: The model that summarizes; None for the one that is evaluated.
    """

    part: int
    max_new: int
    by: str | None = None

    tasks = SUMMARY_TASKS


Spec = RetrievalSpec | SummarizeSpec


def parse_spec(text: str) -> Spec:
    """Read the value of `--compress`.

    Raises:
        UsageError: A kind, retriever or key is unknown (the nearest one is offered), or a value is impossible.
    """
    kind, _, rest = text.partition(":")
    if kind not in _KINDS:
        raise unknown_name("compression", kind, _KINDS)
    spec: Spec = _KINDS[kind](text, [part.strip() for part in rest.split(",") if part.strip()])
    return spec


def _retrieval(text: str, parts: Sequence[str]) -> RetrievalSpec:
    if not parts or "=" in parts[0].partition(":")[0]:
        raise UsageError(f"--compress {text!r} names no retriever; write retrieval:bm25. There are {_named()}.")
    retriever, model = _split_retriever(parts[0])
    values = _values(text, parts[1:], _keys_of(retriever))
    chunk = _whole(text, "chunk", values.get("chunk", "200"))
    top = _whole(text, "top", values.get("top", str(max(1, round(_KEPT_WORDS / chunk)))))
    order = values.get("order", "rank" if retriever == "paper-bm25" else "document")
    if order not in ORDERS:
        raise unknown_name("order", order, ORDERS)
    return RetrievalSpec(retriever, model, chunk, top, order, values.get("url"), values.get("key_env"))


def _keys_of(retriever: str) -> tuple[str, ...]:
    return ("chunk", "top", "order", *(("url", "key_env") if retriever == "server" else ()))


def _split_retriever(text: str) -> tuple[str, str]:
    retriever, _, model = text.partition(":")
    if retriever not in RETRIEVERS:
        raise unknown_name("retriever", retriever, RETRIEVERS)
    if bool(model) != (retriever in ("embed", "server")):
        wanted = f"{retriever} alone" if model else f"{retriever}:MODEL"
        raise UsageError(f"The retriever is {text!r}; write {wanted}. There are {_named()}.")
    return retriever, model


def _named() -> str:
    return "bm25, embed:MODEL, server:MODEL and paper-bm25"


def _summarize(text: str, parts: Sequence[str]) -> SummarizeSpec:
    values = _values(text, parts, ("part", "max_new", "by"))
    part, max_new = (_whole(text, key, values.get(key, given)) for key, given in (("part", "500"), ("max_new", "200")))
    return SummarizeSpec(part, max_new, values.get("by"))


def _values(text: str, parts: Sequence[str], known: Sequence[str]) -> Mapping[str, str]:
    values: dict[str, str] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if key not in known:
            raise unknown_name("key of --compress", key, known)
        if not equals or not value:
            raise UsageError(f"--compress {text!r}: {part!r} has no value; write {key}=VALUE.")
        if key in values:
            raise UsageError(f"--compress {text!r} gives {key} twice.")
        values[key] = value
    return values


def _whole(text: str, key: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 10 and int(value) > 0):
        raise UsageError(f"--compress {text!r}: {key} is {value!r}; expected a whole number from 1, as in {_EXAMPLE}.")
    return int(value)


_KINDS: Mapping[str, Callable[[str, Sequence[str]], Any]] = {"retrieval": _retrieval, "summarize": _summarize}
