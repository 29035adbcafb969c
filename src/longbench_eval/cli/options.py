"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

Model = Annotated[
    str,
    typer.Option(
        "--model",
        help="smollm2, llama.cpp:FILE.gguf, hf:NAME, openai:NAME with --base-url, or replay:RUN.",
        metavar="KIND:NAME",
    ),
]
Suite = Annotated[str, typer.Option("--suite", help="longbench, longbench-e, minilongbench, or demo.")]
Tasks = Annotated[str | None, typer.Option("--tasks", help="Task names with commas between; all by default.")]
Data = Annotated[
    Path | None, typer.Option("--data", help="Folder or zip with the rows; else what `data pull` fetched.")
]
Templates = Annotated[
    Path | None, typer.Option("--templates", help="The template file (dataset2prompt.json), if it lies elsewhere.")
]
AllowUnofficial = Annotated[
    bool, typer.Option("--allow-unofficial", help="Take rows or templates not proved to be LongBench's.")
]
MaxInputTokens = Annotated[
    int | None, typer.Option("--max-input-tokens", help="M: cut longer prompts to this; by the window by default.")
]
Truncate = Annotated[str, typer.Option("--truncate", help="Where a long prompt is cut: middle, left, or right.")]
Chat = Annotated[str, typer.Option("--chat", help="Which tasks get the chat template: official, always, or never.")]
Deterministic = Annotated[
    bool, typer.Option("--deterministic", help="Make answers independent of order, resume and neighbours.")
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="The server of an openai: model, e.g. http://127.0.0.1:8000/v1.")
]
ApiKeyEnv = Annotated[
    str | None, typer.Option("--api-key-env", help="The variable that holds the server's key; OPENAI_API_KEY if set.")
]
Tokenizer = Annotated[
    str | None,
    typer.Option(
        "--tokenizer", help="For a server that has none to ask: folder, tokenizer.json, Hub name, or tiktoken's name."
    ),
]
Window = Annotated[int | None, typer.Option("--window", help="The model's window, where its server does not say.")]
Dtype = Annotated[
    str | None, typer.Option("--dtype", help="hf: models: float32, bfloat16 or float16; the checkpoint's by default.")
]
Device = Annotated[
    str | None, typer.Option("--device", help="hf: models: cuda, cuda:1, mps, cpu; the best there is by default.")
]
Attention = Annotated[
    str | None, typer.Option("--attn", help="hf: models: eager, sdpa, flash_attention_2; transformers' choice else.")
]
TrustRemoteCode = Annotated[
    bool, typer.Option("--trust-remote-code", help="hf: models: run Python code that comes with the checkpoint.")
]
Revision = Annotated[str | None, typer.Option("--revision", help="hf: models: a branch, tag or commit on the Hub.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def names(text: str | None) -> tuple[str, ...] | None:
    """Split names that stand with commas between; None stays None."""
    if text is None:
        return None
    return tuple(name.strip() for name in text.split(",") if name.strip())


def stdout() -> Console:
    """Where tables go: as wide as the terminal, but no narrower than the 80 columns they need."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    console.width = max(console.width, 80)
    return console
