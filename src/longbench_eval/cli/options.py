"""Options that several commands share, and how they become settings.

An option's Python name is the name of the field it fills, in `RunSettings` or `ServerOptions`: a new setting is a field
there and an option here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import Console

    from longbench_eval.runs import RunSettings

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Function], Function]

FILE = click.Path(path_type=Path)


class Command(click.Command):
    """Takes `--thinking budget N` as it is written, in two words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the two words before options are told from values."""
        for at, word in enumerate(args[:-2]):
            if word == "--thinking" and args[at + 1] == "budget":
                args = [*args[: at + 1], f"budget {args[at + 2]}", *args[at + 3 :]]
                break
        return super().parse_args(ctx, args)


def together(*options: Decorator[Any]) -> Decorator[Any]:
    """Several options as one decorator, in the order in which the help lists them."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


MODEL_HELP = "smollm2, llama.cpp:FILE.gguf, hf:NAME, openai:NAME with --base-url, or replay:RUN."
model = click.option("--model", metavar="KIND:NAME", required=True, help=MODEL_HELP)
out = click.option("--out", type=FILE, help="The run directory; under runs/ by default.")
limit = click.option("--limit", type=int, help="Only the first rows of each task.")
json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

suite = click.option("--suite", help="longbench (the default), longbench-e, minilongbench, or demo.")
tasks = click.option("--tasks", help="Task names with commas between; all by default.")
own_tasks = click.option(
    "--task-file",
    "own_tasks",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="A task of your own, as a TOML file; once for each.",
)
data = click.option("--data", type=FILE, help="Folder or zip with the rows; else what `data pull` fetched.")
templates = click.option(
    "--templates", type=FILE, help="The template file (dataset2prompt.json), if it lies elsewhere."
)
rows = together(
    data,
    templates,
    click.option("--allow-unofficial", is_flag=True, help="Take rows or templates not proved to be LongBench's."),
)
cutting = together(
    click.option("--max-input-tokens", type=int, help="M: cut longer prompts to this; by the window by default."),
    click.option("--truncate", help="Where a long prompt is cut: middle (the default), left, or right."),
)
wrapping = together(
    click.option("--chat", help="Which tasks get the chat template: official (the default), always, or never."),
    click.option("--system", metavar="TEXT", help="A system message in the chat template; official prompts have none."),
    click.option(
        "--thinking",
        metavar="auto|off|budget N",
        help="Whether a thinking model thinks; its thoughts have N tokens beside the cap. auto: as its template says, "
        "with N = 4096, or a quarter of a small window.",
    ),
)
prompting = together(cutting, wrapping)
context = together(
    click.option("--no-context", is_flag=True, help="Ask the QA tasks without their documents."),
    click.option(
        "--compress",
        metavar="SPEC",
        help="Shorten documents first: retrieval:bm25,chunk=200,top=7 or summarize:part=500,max_new=200.",
    ),
)
shard = click.option("--shard", metavar="i/n", help="Only the i-th of n parts of the rows; see `runs merge`.")
deterministic = click.option(
    "--deterministic", is_flag=True, help="Make answers independent of order, resume and neighbours."
)
server = together(
    click.option("--base-url", help="The server of an openai: model, e.g. http://127.0.0.1:8000/v1."),
    click.option("--api-key-env", help="The variable that holds the server's key; OPENAI_API_KEY if set."),
    click.option(
        "--tokenizer", help="For a server that has none to ask: folder, tokenizer.json, Hub name, or tiktoken's name."
    ),
    click.option("--window", type=int, help="The model's window, where its server does not say."),
)
checkpoint = together(
    click.option(
        "--trust-remote-code", is_flag=True, help="hf: models: run Python code that comes with the checkpoint."
    ),
    click.option("--revision", help="hf: models: a branch, tag or commit on the Hub."),
)
computation = together(
    click.option("--dtype", help="hf: models: float32, bfloat16 or float16; the checkpoint's by default."),
    click.option("--device", help="hf: models: cuda, cuda:1, mps, cpu; the best there is by default."),
    click.option("--attn", "attention", help="hf: models: eager, sdpa, flash_attention_2; transformers' choice else."),
    click.option("--batch-size", type=int, help="hf: models: rows at once; by the GPU's memory, else 1."),
)
pace = together(
    click.option("--concurrency", type=int, help="Requests to a server at once; 8 by default."),
    click.option("--requests-per-minute", type=float, help="The server's limit, retries included."),
    click.option("--tokens-per-minute", type=float, help="The server's limit: prompts and output caps."),
    click.option("--timeout", "timeout_s", type=float, help="Seconds to wait for one answer of a server; 600."),
)


def settings_of(given: Mapping[str, Any]) -> RunSettings:
    """Make a run's settings of options; what was not given keeps its default.

    Args:
        given: Values by the names of the fields they fill.
    """
    from longbench_eval.models.base import ServerOptions
    from longbench_eval.models.hf.options import TransformersOptions
    from longbench_eval.runs import RunSettings

    values = {**given, "tasks": names(given.get("tasks"))}
    server = ServerOptions(**_of(ServerOptions, values))
    transformers = TransformersOptions(**_of(TransformersOptions, values))
    return RunSettings(**_of(RunSettings, values), server=server, transformers=transformers)


def _of(record: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    known = {field.name for field in fields(record)}
    return {name: value for name, value in values.items() if name in known and value is not None}


def names(text: str | None) -> tuple[str, ...] | None:
    """Split names that stand with commas between; None stays None."""
    if text is None:
        return None
    return tuple(name.strip() for name in text.split(",") if name.strip())


def print_json(value: object, indent: int | None = None) -> None:
    """What machines read, on one line unless `indent` says otherwise."""
    from json import dumps

    print(dumps(value, ensure_ascii=False, indent=indent))


def stdout() -> Console:
    """Where tables go: as wide as the terminal, but no narrower than the 80 columns they need."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    console.width = max(console.width, 80)
    return console
