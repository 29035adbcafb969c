"""Embeddings of an OpenAI-compatible server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from longbench_eval.compress.embedding import Vectors
from longbench_eval.compress.spec import RetrievalSpec
from longbench_eval.errors import ModelError
from longbench_eval.models.base import ServerOptions
from longbench_eval.models.openai.address import Address, read_address
from longbench_eval.models.openai.client import Call, Client, GaveUp, Pace, Refused
from longbench_eval.models.openai.loop import LoopThread

_BATCH = 64
# A chunk has 200 words or 500, but a table without a sentence end can be longer than what the model takes: a batch
# that is refused is sent again with its texts cut shorter.
_MOST_CHARS = (8000, 2000, 500)


class ServerEmbedder:
    """A model behind `/v1/embeddings`.

    Args:
        name: The model, as the server knows it.
        address: Where it is, and its key.
        options: How it is asked.
        pace: How patiently.
    """

    def __init__(self, name: str, address: Address, options: ServerOptions, pace: Pace = Pace()) -> None:  # noqa: B008
        self._model, self._address = name, address
        self.name = f"server-{name.rpartition('/')[2]}"
        self._options, self._pace = options, pace
        self._slots = asyncio.Semaphore(options.concurrency)

    def identity(self) -> Mapping[str, Any]:
        """The model's name."""
        return {"served_model": self._model}

    def embed_chunks(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, several batches at once."""
        batches = [texts[i : i + _BATCH] for i in range(0, len(texts), _BATCH)]
        return np.concatenate(self._connection.loop.call(self._embed_all(batches)))

    def embed_question(self, text: str) -> Vectors:
        """Embed one text."""
        vector: Vectors = self.embed_chunks([text])[0]
        return vector

    async def _embed_all(self, batches: Sequence[Sequence[str]]) -> list[Vectors]:
        return await asyncio.gather(*map(self._embed_batch, batches))

    async def _embed_batch(self, texts: Sequence[str]) -> Vectors:
        refusal = None
        for most in _MOST_CHARS:
            try:
                async with self._slots:
                    return await self._ask([_sendable(text, most) for text in texts])
            except Refused as error:
                refusal = error
                if error.status not in (400, 413, 422, 500) or all(len(text) <= _MOST_CHARS[-1] for text in texts):
                    break
            except GaveUp as error:
                raise ModelError(f"{self._address.shown} embeds nothing with {self._model!r}: {error}") from None
        raise ModelError(f"{self._address.shown} refuses to embed with {self._model!r}: {refusal}")

    async def _ask(self, texts: list[str]) -> Vectors:
        def check(body: Any) -> None:
            read_vectors(body, len(texts))

        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        tokens = sum(map(len, texts)) // 4  # an estimate, for the limit of tokens a minute
        answered = await self._connection.client.ask(Call(f"{self._address.api}/embeddings", body, tokens, check))
        return read_vectors(answered.body, len(texts))

    def close(self) -> None:
        """Break off what is under way, and close the connections."""
        if "_connection" in self.__dict__:
            self._connection.close()

    @cached_property
    def _connection(self) -> _Connection:
        return _Connection(self._address, self._options, self._pace)


class _Connection:
    """The client, and the loop it lives in."""

    def __init__(self, address: Address, options: ServerOptions, pace: Pace) -> None:
        self.loop = LoopThread()
        self.client = self.loop.call(self._open(address, options, pace))

    async def _open(self, address: Address, options: ServerOptions, pace: Pace) -> Client:
        return Client(address, options, pace)

    def close(self) -> None:
        if not self.loop.closed:
            self.loop.call(self.client.close())
            self.loop.close()


def _sendable(text: str, most: int) -> str:
    """At most so many characters; servers refuse an empty text."""
    return text[:most] if text[:most].strip() else "."


def read_vectors(body: Any, count: int) -> Vectors:
    """Take the vectors out of an answer, in the order of the texts.

    Raises:
        ValueError: The body is no answer to so many texts.
    """
    try:
        entries = sorted(body["data"], key=lambda entry: entry["index"])
        vectors = np.array([entry["embedding"] for entry in entries], dtype=np.float32)
        indices = [entry["index"] for entry in entries]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ValueError("no list of embeddings") from None
    if indices != list(range(count)) or vectors.ndim != 2 or not np.isfinite(vectors).all():
        raise ValueError(f"not one vector for each of {count} texts")
    return vectors


def open_server_embedder(spec: RetrievalSpec, options: ServerOptions) -> ServerEmbedder:
    """Open the model at the spec's `url`, or at `--base-url`.

    The key of `--base-url` is sent nowhere else: a server at a `url` of its own gets the one that `key_env` names.

    Raises:
        UsageError: The address is missing or wrong, or a key is.
    """
    options.check()
    if spec.url is None:
        return ServerEmbedder(spec.model, read_address(options), options)
    own = replace(options, base_url=spec.url, api_key_env=spec.key_env)
    address = read_address(own)
    return ServerEmbedder(spec.model, address if spec.key_env else replace(address, key=None), own)
