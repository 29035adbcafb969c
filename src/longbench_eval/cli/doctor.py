"""`longbench-eval doctor`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from longbench_eval.cli import options

if TYPE_CHECKING:
    from longbench_eval.doctor import Report


def doctor(
    model: Annotated[
        str | None,
        typer.Option("--model", help="The model to examine; without one, the installation.", metavar="KIND:NAME"),
    ] = None,
    price: Annotated[
        str | None, typer.Option("--price", help="US dollars a million prompt and new tokens.", metavar="IN,OUT")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave out the one prompt as long as the run's longest.")
    ] = False,
    suite: options.Suite = "longbench",
    tasks: options.Tasks = None,
    limit: Annotated[int | None, typer.Option("--limit", help="Only the first rows of each task.")] = None,
    data: options.Data = None,
    templates: options.Templates = None,
    allow_unofficial: options.AllowUnofficial = False,
    max_input_tokens: options.MaxInputTokens = None,
    chat: options.Chat = "official",
    base_url: options.BaseUrl = None,
    api_key_env: options.ApiKeyEnv = None,
    tokenizer: options.Tokenizer = None,
    window: options.Window = None,
    concurrency: Annotated[int, typer.Option("--concurrency", help="Requests to a server at once.")] = 8,
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds to wait for one answer of a server.")] = 600.0,
    json: options.Json = False,
) -> None:
    """Examine a model, or the installation, before hours are spent. Exit code 1: a problem was found."""
    from longbench_eval.doctor import examine, examine_installation, read_price
    from longbench_eval.errors import UsageError
    from longbench_eval.models.base import ServerOptions
    from longbench_eval.runs.settings import RunSettings

    if model is None and (price is not None or base_url is not None or quick):
        raise UsageError("--price, --base-url and --quick are for the examination of a model: add --model KIND:NAME.")
    asked = read_price(price) if price is not None else None
    server = ServerOptions(
        base_url=base_url,
        api_key_env=api_key_env,
        tokenizer=tokenizer,
        window=window,
        concurrency=concurrency,
        timeout_s=timeout,
    )
    settings = RunSettings(
        suite=suite,
        tasks=options.names(tasks),
        limit=limit,
        data=data,
        templates=templates,
        allow_unofficial=allow_unofficial,
        max_input_tokens=max_input_tokens,
        chat=chat,  # type: ignore[arg-type]  # checked by RunSettings.check, which offers the nearest name
        server=server,
    )
    if model is None:
        _print(examine_installation(settings), json)
    else:
        _print(examine(model, settings, price=asked, quick=quick, say=_say), json)


def _say(what: str) -> None:
    print(f"{what} ...", file=sys.stderr, flush=True)


def _print(report: Report, json: bool) -> None:
    if json:
        from json import dumps

        print(dumps(report.to_json(), ensure_ascii=False))
    else:
        from longbench_eval.reports.examination import print_report

        print_report(report, options.stdout())
    if not report.healthy:
        raise typer.Exit(1)
