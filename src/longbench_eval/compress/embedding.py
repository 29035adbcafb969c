"""Ranking by embeddings, of which those of chunks are kept on disk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from longbench_eval.compress.retrieval import Chunks
from longbench_eval.files import atomic_writer, cache_dir

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors.

    Attributes:
        name: For the signature.
    """

    name: str

    def identity(self) -> Mapping[str, Any]:
        """What decides the vectors (JSON values)."""
        ...

    def embed_chunks(self, texts: Sequence[str]) -> Vectors:
        """A row a text."""
        ...

    def embed_question(self, text: str) -> Vectors:
        """One vector."""
        ...

    def close(self) -> None:
        """Free what it holds."""
        ...


class EmbeddingRanker:
    """Ranks by the cosine between question and chunk."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._cache = VectorCache(embedder.identity())
        self._vectors = lru_cache(2)(self._unit_vectors)
        self.name = embedder.name

    def identity(self) -> Mapping[str, Any]:
        """The embedder's."""
        return self._embedder.identity()

    def rank(self, chunks: Chunks, question: str) -> Sequence[int]:
        """The nearest chunk first; a question of no length is equally near to all."""
        scores = self._vectors(chunks) @ _unit(self._embedder.embed_question(question)[np.newaxis])[0]
        order: list[int] = np.argsort(-scores, kind="stable").tolist()
        return order

    def _unit_vectors(self, chunks: Chunks) -> Vectors:
        return _unit(self._cache.get(chunks, self._embedder.embed_chunks))

    def close(self) -> None:
        """Close the embedder."""
        self._embedder.close()


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: Vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return units


class VectorCache:
    """Vectors on disk: a file a context, named after the model and the texts of its chunks."""

    def __init__(self, model: Mapping[str, Any]) -> None:
        self._folder = cache_dir() / "embeddings" / _sha256([json.dumps(model, sort_keys=True)])[:16]

    def get(self, chunks: Chunks, embed: Callable[[Sequence[str]], Vectors]) -> Vectors:
        """The vectors of a context's chunks, made by `embed` when they are not there yet."""
        path = self._folder / f"{_sha256(chunks)}.npy"
        vectors = _load(path, len(chunks))
        if vectors is None:
            vectors = embed(chunks)
            with atomic_writer(path) as file:
                np.save(file, vectors, allow_pickle=False)
        return vectors


def _load(path: Path, rows: int) -> Vectors | None:
    """Read vectors; None for a file that is missing, damaged or of something else."""
    # read_array, unlike np.load, takes nothing but the one format.
    with suppress(OSError, ValueError), path.open("rb") as file:
        vectors = np.lib.format.read_array(file, allow_pickle=False)
        if vectors.dtype == np.float32 and vectors.ndim == 2 and len(vectors) == rows:
            loaded: Vectors = vectors
            return loaded
    return None


def _sha256(texts: Sequence[str]) -> str:
    """One hash of several texts, in which the borders count."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    return digest.hexdigest()
