"""Heavy imports with a helpful error, and transformers without its chatter."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from longbench_eval.errors import UsageError


def need(*names: str) -> None:
    """Import packages of the `hf` extra.

    Raises:
        UsageError: One is missing.
    """
    for name in names:
        try:
            import_module(name)
        except ImportError as error:
            raise UsageError(
                f"hf: models need the package {error.name or name}: pip install 'longbench-eval[hf]'"
            ) from None


@contextmanager
def quiet() -> Iterator[None]:
    """Hold back progress bars and warnings: what a user must know is said by this package, in its own words."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), _bars(logging)
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def _bars(logging: Any) -> bool:
    return bool(logging.is_progress_bar_enabled())
