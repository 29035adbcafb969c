"""Tokenizers for servers that have none to ask: from a file, from the Hub, from tiktoken, or a guess."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from longbench_eval.errors import UsageError
from longbench_eval.files import sha256_of
from longbench_eval.prompts.tokenizer import Tokenizer, adapt_tokenizer

if TYPE_CHECKING:
    import tiktoken

# A word of up to seven letters with the space before it, up to three digits, a run of spaces or of line ends, or any
# one character, which is what Chinese costs at most with the tokenizers of today.
_PIECES = re.compile(r" ?[A-Za-z]{1,7}|\d{1,3}| {1,4}|\s{1,2}|.", re.DOTALL)


class Source(NamedTuple):
    """A tokenizer, what identifies it, and whether it is the model's own as far as anyone can know."""

    tokenizer: Tokenizer
    name: str
    exact: bool = True


class EstimatedTokenizer:
    """Counts what a tokenizer might count, by a fixed rule over characters; an id is its own piece of text."""

    bos_id = None
    newline_id = None

    def encode(self, text: str) -> list[int]:
        """Pieces of text as numbers: their UTF-8 bytes behind a 1."""
        pieces = _PIECES.findall(text)
        return [int.from_bytes(b"\1" + piece.encode("utf-8", "surrogatepass"), "big") for piece in pieces]

    def decode(self, ids: Sequence[int]) -> str:
        """The very text."""
        pieces = [i.to_bytes((i.bit_length() + 7) // 8, "big")[1:] for i in ids]
        return b"".join(pieces).decode("utf-8", "surrogatepass")

    def wrap_chat(self, text: str) -> str | None:
        """None is known."""
        return None


class TiktokenTokenizer:
    """An encoding of tiktoken; marks of special tokens in a text are text."""

    bos_id = None

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self._encoding = encoding

    @property
    def newline_id(self) -> int | None:
        """The last id of an encoded newline."""
        return self.encode("\n")[-1]

    def encode(self, text: str) -> list[int]:
        """Text to ids."""
        return self._encoding.encode(text, disallowed_special=())

    def decode(self, ids: Sequence[int]) -> str:
        """Ids to text; halves of a character become U+FFFD."""
        return self._encoding.decode(list(ids))

    def wrap_chat(self, text: str) -> str | None:
        """None is known."""
        return None


def load_tokenizer(name: str) -> Source:
    """Load what `--tokenizer` names: a folder, a tokenizer.json, tiktoken's encoding or model, or a Hub name.

    Raises:
        UsageError: There is no such thing, or the package that reads it is missing.
    """
    path = Path(name).expanduser()
    if path.exists():
        return _from_file(path / "tokenizer.json" if path.is_dir() else path)
    if path.suffix == ".json" or name.startswith((".", "/", "~")):
        raise UsageError(f"There is no tokenizer file {name!r}.")
    return _from_tiktoken(name) or _from_hub(name)


def _from_file(path: Path) -> Source:
    if not path.is_file():
        raise UsageError(f"The folder {str(path.parent)!r} has no tokenizer.json.")
    return Source(_adapted(lambda rust: rust.from_file(str(path)), str(path)), f"file:{sha256_of(path)}")


def _from_hub(name: str) -> Source:
    return Source(_adapted(lambda rust: rust.from_pretrained(name), name), f"hub:{name}")


def _adapted(load: Any, name: str) -> Tokenizer:
    try:
        from tokenizers import Tokenizer as Rust
    except ImportError:
        raise UsageError(f"--tokenizer {name} needs the package tokenizers: pip install tokenizers") from None
    try:
        tokenizer = adapt_tokenizer(load(Rust))
    except Exception as error:  # the binding raises a bare Exception for whatever is wrong with a file
        reason = " ".join(str(error).split())
        raise UsageError(
            f"--tokenizer {name!r} cannot be loaded: {reason}. Give a folder, a tokenizer.json, a Hub name, or an "
            "encoding of tiktoken such as o200k_base."
        ) from None
    assert tokenizer is not None
    return tokenizer


def _from_tiktoken(name: str) -> Source | None:
    """An encoding by its name or its model's; None when tiktoken is not there or does not know it."""
    try:
        import tiktoken
    except ImportError:
        if re.fullmatch(r"\w+_base|o200k_\w+", name):
            raise UsageError(f"--tokenizer {name} needs the package tiktoken: pip install tiktoken") from None
        return None
    try:
        encoding_name = name if name in tiktoken.list_encoding_names() else tiktoken.encoding_name_for_model(name)
    except KeyError:
        return None
    try:
        encoding = tiktoken.get_encoding(encoding_name)
    except Exception as error:  # its file is fetched on first use, by whatever means tiktoken has
        raise UsageError(f"tiktoken cannot load {encoding_name}: {error}") from None
    return Source(TiktokenTokenizer(encoding), f"tiktoken:{encoding_name}")
