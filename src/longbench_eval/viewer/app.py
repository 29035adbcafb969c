"""The routes: one page, its static files, and an API of a few reading calls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from longbench_eval.errors import LongBenchError, UsageError
from longbench_eval.viewer.calls import CALLS, Call
from longbench_eval.viewer.security import Gate, Guard
from longbench_eval.viewer.shelf import NotThereError, Shelf
from longbench_eval.viewer.wire import Json

STATIC = Path(__file__).parent / "static"


def make_app(shelf: Shelf, guard: Guard = Guard()) -> Starlette:  # noqa: B008 (frozen)
    """The web application over a shelf, behind a guard."""
    calls = [Route(f"/api/{name}", _endpoint(shelf, call), methods=["GET"]) for name, call in CALLS.items()]
    static = Mount("/static", _Static(directory=STATIC))
    return Starlette(routes=[Route("/", _page), *calls, static], middleware=[Middleware(Gate, guard=guard)])


class _Static(StaticFiles):
    """Files that a browser asks for again when they may have changed."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        answer = super().file_response(*args, **more)
        answer.headers["Cache-Control"] = "no-cache"
        return answer


def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


def _endpoint(shelf: Shelf, call: Call) -> Callable[[Request], Response]:
    """A call as a route; Starlette runs it in a thread. What goes wrong on purpose is told in the answer."""

    def answer(request: Request) -> Response:
        try:
            return Json(call(shelf, request.query_params))
        except NotThereError as error:
            return Json({"error": f"Not found: {error.args[0]}."}, 404)
        except UsageError as error:
            return Json({"error": str(error)}, 400)
        except (LongBenchError, OSError) as error:
            return Json({"error": str(error)}, 409)

    return answer
