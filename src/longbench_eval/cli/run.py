"""`longbench-eval run`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longbench_eval.cli import options

if TYPE_CHECKING:
    from longbench_eval.runs import RunResult, RunSettings

ROWS_FAILED_EXIT = 3


def run(
    model: options.Model,
    suite: options.Suite = "longbench",
    tasks: options.Tasks = None,
    limit: Annotated[int | None, typer.Option("--limit", help="Only the first rows of each task.")] = None,
    data: options.Data = None,
    templates: options.Templates = None,
    allow_unofficial: options.AllowUnofficial = False,
    out: Annotated[Path | None, typer.Option("--out", help="The run directory; under runs/ by default.")] = None,
    max_input_tokens: options.MaxInputTokens = None,
    truncate: options.Truncate = "middle",
    chat: options.Chat = "official",
    deterministic: options.Deterministic = False,
    base_url: options.BaseUrl = None,
    api_key_env: options.ApiKeyEnv = None,
    tokenizer: options.Tokenizer = None,
    window: options.Window = None,
    concurrency: Annotated[int, typer.Option("--concurrency", help="Requests to a server at once.")] = 8,
    requests_per_minute: Annotated[
        float | None, typer.Option("--requests-per-minute", help="The server's limit, retries included.")
    ] = None,
    tokens_per_minute: Annotated[
        float | None, typer.Option("--tokens-per-minute", help="The server's limit: prompts and output caps.")
    ] = None,
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds to wait for one answer of a server.")] = 600.0,
    dtype: options.Dtype = None,
    device: options.Device = None,
    attention: options.Attention = None,
    batch_size: Annotated[
        int | None, typer.Option("--batch-size", help="hf: models: rows at once; by the GPU's memory, else 1.")
    ] = None,
    trust_remote_code: options.TrustRemoteCode = False,
    revision: options.Revision = None,
    json: options.Json = False,
) -> None:
    """Evaluate a model. Running the same command again finishes what is left."""
    from longbench_eval.models.base import ServerOptions
    from longbench_eval.models.hf.options import TransformersOptions
    from longbench_eval.runs import RunSettings

    server = ServerOptions(
        base_url=base_url,
        api_key_env=api_key_env,
        tokenizer=tokenizer,
        window=window,
        concurrency=concurrency,
        requests_per_minute=requests_per_minute,
        tokens_per_minute=tokens_per_minute,
        timeout_s=timeout,
    )
    settings = RunSettings(
        suite=suite,
        tasks=options.names(tasks),
        limit=limit,
        data=data,
        templates=templates,
        allow_unofficial=allow_unofficial,
        out=out,
        max_input_tokens=max_input_tokens,
        truncate=truncate,
        chat=chat,  # type: ignore[arg-type]  # checked by RunSettings.check, which offers the nearest name
        deterministic=deterministic,
        server=server,
        transformers=TransformersOptions(dtype, device, attention, batch_size, trust_remote_code, revision),
    )
    carry_out(model, settings, json=json)


def carry_out(model: str, settings: RunSettings, *, json: bool = False) -> None:
    """Run, print the table (or JSON), and exit with 3 when rows failed."""
    from longbench_eval.generate.progress import for_stream
    from longbench_eval.runs import run as run_settings

    result = run_settings(model, settings, progress=for_stream())
    _print(result, json)
    if result.summary.failed:
        raise typer.Exit(ROWS_FAILED_EXIT)


def _print(result: RunResult, json: bool) -> None:
    if json:
        from json import dumps

        print(dumps({"run": str(result.directory), **result.summary.to_json(counts=True)}, ensure_ascii=False))
        return
    from longbench_eval.reports import print_summary

    print_summary(result.summary, options.stdout())
    print(f"run: {result.directory}")
