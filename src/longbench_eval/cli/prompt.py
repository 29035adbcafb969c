"""`longbench-eval prompt`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from longbench_eval.cli import options


def prompt(
    task: Annotated[str, typer.Argument(help="A task's name.")],
    row: Annotated[str, typer.Argument(help="The row's number in the file, from 0, or its _id.")],
    model: Annotated[
        str | None, typer.Option("--model", help="Whose tokenizer, window and chat template; else the whole prompt.")
    ] = None,
    suite: options.Suite = "longbench",
    tasks: Annotated[
        str | None, typer.Option("--tasks", help="The tasks of the run, whose longest answer M must leave room for.")
    ] = None,
    data: options.Data = None,
    templates: options.Templates = None,
    allow_unofficial: options.AllowUnofficial = False,
    max_input_tokens: options.MaxInputTokens = None,
    truncate: options.Truncate = "middle",
    chat: options.Chat = "official",
    base_url: options.BaseUrl = None,
    api_key_env: options.ApiKeyEnv = None,
    tokenizer: options.Tokenizer = None,
    window: options.Window = None,
    trust_remote_code: options.TrustRemoteCode = False,
    revision: options.Revision = None,
    ids: Annotated[bool, typer.Option("--ids", help="Print the token ids instead.")] = False,
) -> None:
    """Print exactly what would be sent for one row, the cut marked."""
    from longbench_eval.errors import UsageError
    from longbench_eval.models.base import ServerOptions
    from longbench_eval.models.hf.options import TransformersOptions
    from longbench_eval.runs.preview import marked, preview
    from longbench_eval.runs.settings import RunSettings

    chosen = options.names(tasks)
    settings = RunSettings(
        suite=suite,
        tasks=chosen if chosen is None or task in chosen else (*chosen, task),
        data=data,
        templates=templates,
        allow_unofficial=allow_unofficial,
        max_input_tokens=max_input_tokens,
        truncate=truncate,
        chat=chat,  # type: ignore[arg-type]  # checked by RunSettings.check
        server=ServerOptions(base_url=base_url, api_key_env=api_key_env, tokenizer=tokenizer, window=window),
        transformers=TransformersOptions(trust_remote_code=trust_remote_code, revision=revision),
    )
    if model is None and (ids or max_input_tokens is not None):
        raise UsageError("--ids and --max-input-tokens need a tokenizer: add --model.")
    shown, notes = preview(task, row, model, settings)
    for note in notes:
        print(f"warning: {note}", file=sys.stderr)
    print(" ".join(map(str, shown.token_ids or ())) if ids else marked(shown))
