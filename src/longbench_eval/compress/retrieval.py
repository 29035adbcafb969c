"""Keeping the chunks of a context that speak of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any, Protocol

from longbench_eval.compress.change import Changed, ContextChange
from longbench_eval.compress.kept import measure
from longbench_eval.compress.spec import RetrievalSpec
from longbench_eval.compress.split import split, split_as_published
from longbench_eval.errors import UsageError
from longbench_eval.models.base import ServerOptions
from longbench_eval.records import Example

Chunks = tuple[str, ...]
# Rows that share a context follow one another; a second place is for whoever looks ahead.
_CONTEXTS_AT_HAND = 2


class Ranker(Protocol):
    """Puts chunks in order.

    Attributes:
        name: For the signature.
    """

    name: str

    def identity(self) -> Mapping[str, Any]:
        """What decides the order (JSON values)."""
        ...

    def rank(self, chunks: Chunks, question: str) -> Sequence[int]:
        """The numbers of the chunks, the best first; equals in the order of the document."""
        ...

    def close(self) -> None:
        """Free what it holds."""
        ...


class Retrieval(ContextChange):
    """Each context becomes its best chunks for the question."""

    def __init__(self, spec: RetrievalSpec, ranker: Ranker) -> None:
        self._spec, self._ranker = spec, ranker
        published = spec.retriever == "paper-bm25"
        self._split = lru_cache(_CONTEXTS_AT_HAND)(split_as_published if published else split)
        self._join = _join_as_published if published else _join
        ranked = ",rank" if spec.order == "rank" and not published else ""
        self.name = f"{ranker.name}({spec.chunk},{spec.top}{ranked})"
        self.about = f"contexts are cut down to {spec.top} chunks of {spec.chunk} words: no LongBench scores"

    def identity(self) -> Mapping[str, Any]:
        """The choices, and what the ranker says of itself; where its server lies decides nothing."""
        choices = {k: v for k, v in asdict(self._spec).items() if k not in ("url", "key_env")}
        return {"kind": "retrieval", **choices, **self._ranker.identity()}

    def template(self, task: str, text: str) -> str:
        """The task's own template."""
        if "{input}" not in text or "{context}" not in text:
            raise UsageError(f"--compress retrieval ranks by a row's question, and {task} has none; leave it out.")
        return text

    def apply(self, example: Example) -> Changed:
        """Keep the best chunks."""
        chunks = tuple(self._split(example.context, self._spec.chunk))
        kept = list(self._ranker.rank(chunks, example.input))[: self._spec.top] if chunks else []
        kept = kept if self._spec.order == "rank" else sorted(kept)
        context = self._join({i: chunks[i] for i in kept})
        record = {"kind": self._ranker.name, "chunks": len(chunks), "kept": kept, **measure(example, context)}
        return Changed(replace(example, context=context), record)

    def close(self) -> None:
        """Close the ranker."""
        self._ranker.close()


def _join(chunks: Mapping[int, str]) -> str:
    """Put chunks together, neighbours as they stood and others on lines of their own."""
    text, last = "", None
    for number, chunk in chunks.items():
        apart = last is not None and number != last + 1 and not text.endswith("\n")
        text += ("\n" if apart else "") + chunk
        last = number
    return text


def _join_as_published(chunks: Mapping[int, str]) -> str:
    return "".join(chunks.values())


def open_ranker(spec: RetrievalSpec, server: ServerOptions) -> Ranker:
    """Open the retriever of a spec; its packages load here.

    Raises:
        UsageError: A package or an address is missing.
        ModelError: The embedding model cannot be had.
    """
    if spec.retriever == "bm25":
        from longbench_eval.compress.bm25 import WordBM25

        return WordBM25()
    if spec.retriever == "paper-bm25":
        from longbench_eval.compress.paper_bm25 import PaperBM25

        return PaperBM25()
    from longbench_eval.compress.embedding import EmbeddingRanker

    if spec.retriever == "embed":
        from longbench_eval.compress.sentence_embedder import SentenceEmbedder

        return EmbeddingRanker(SentenceEmbedder(spec.model))
    from longbench_eval.compress.server_embedder import open_server_embedder

    return EmbeddingRanker(open_server_embedder(spec, server))
