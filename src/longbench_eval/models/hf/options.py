"""What a user may say of a model that runs through transformers. Imports nothing heavy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from longbench_eval.errors import UsageError, unknown_name

DTYPES = ("float32", "bfloat16", "float16")
FLAGS: Mapping[str, str] = {
    "dtype": "--dtype",
    "device": "--device",
    "attention": "--attn",
    "batch_size": "--batch-size",
    "trust_remote_code": "--trust-remote-code",
    "revision": "--revision",
}


@dataclass(frozen=True, slots=True)
class TransformersOptions:
    """How a model is loaded and asked. For `hf:` models; None is a default that follows from model and machine.

    Attributes:
        dtype: A name in `DTYPES`; by default the checkpoint's own, or float32 where the device is slow in that.
        device: As torch names it; by default CUDA, else Apple's, else the processor.
        attention: An attention implementation of transformers; by default what transformers takes for the model.
        batch_size: Rows answered at once, at most; 1 under `--deterministic`.
        trust_remote_code: Run Python code that comes with the checkpoint.
        revision: A branch, tag or commit on the Hub.
    """

    dtype: str | None = None
    device: str | None = None
    attention: str | None = None
    batch_size: int | None = None
    trust_remote_code: bool = False
    revision: str | None = None

    def check(self) -> None:
        """Refuse values that no model could have.

        Raises:
            UsageError: With the option's name.
        """
        if self.dtype is not None and self.dtype not in DTYPES:
            raise unknown_name("dtype", self.dtype, DTYPES)
        if self.batch_size is not None and self.batch_size < 1:
            raise UsageError(f"--batch-size is {self.batch_size}; it must be at least 1.")

    def given(self) -> tuple[str, ...]:
        """The command-line names of what differs from the defaults."""
        default = TransformersOptions()
        return tuple(flag for name, flag in FLAGS.items() if getattr(self, name) != getattr(default, name))

    def to_json(self) -> dict[str, Any]:
        """As given, for the manifest."""
        return asdict(self)
