"""Starting the server on a free port, and telling where it is."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from urllib.parse import quote

from longbench_eval.errors import UsageError

PORT = 8321
_PORTS = range(65536)


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen.

    Attributes:
        host: A name or address of this machine.
        port: None for 8321, or any free one when that is taken; 0 for any free one.
        token: What visitors must know; None for none on loopback, elsewhere for a new one.
    """

    host: str = "127.0.0.1"
    port: int | None = None
    token: str | None = None


def serve(
    folder: Path, data: Path | None, templates: Path | None, address: Address, ready: Callable[[str], None]
) -> None:
    """Serve a folder until Ctrl-C.

    Args:
        folder: Holds runs.
        data: Where contexts come from; None for what `data pull` fetched.
        templates: The template file, if it lies elsewhere.
        address: Where to listen.
        ready: Told the address for the browser, token included, once it answers.

    Raises:
        RunError: There is no such folder.
        UsageError: Starlette or uvicorn are missing, or nothing can listen there.
    """
    try:
        import uvicorn

        from longbench_eval.viewer.app import make_app
        from longbench_eval.viewer.security import Guard, is_loopback, new_token
        from longbench_eval.viewer.shelf import Shelf
    except ImportError as error:
        raise UsageError(
            f"The viewer needs {error.name}: install it with `pip install 'longbench-eval[view]'`."
        ) from None
    token = address.token or (None if is_loopback(address.host) else new_token())
    shelf = Shelf(folder, data, templates)
    shelf.walk()
    with listen(address) as listening:
        config = uvicorn.Config(
            make_app(shelf, Guard(address.host, token)),
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        ready(url_of(address.host, listening.getsockname()[1], token))
        Thread(target=_warm_up, daemon=True).start()
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


def _warm_up() -> None:
    """Load the segmenter's dictionary, a tenth of a second, before the first Chinese row is opened."""
    from longbench_eval.metrics.segment import cut

    cut("词典")


def listen(address: Address) -> socket.socket:
    """Open the socket, so that the port is known before the server starts.

    Raises:
        UsageError: There is no such port, it is taken, or the host is not this machine.
    """
    if address.port is not None and address.port not in _PORTS:
        raise UsageError(f"--port is {address.port}; expected 0 (any free one) to {_PORTS[-1]}.")
    wanted = [PORT, 0] if address.port is None else [address.port]
    for port in wanted:
        try:
            return _bind(address.host, port)
        except OSError as error:
            reason = error.strerror or str(error)
    raise UsageError(f"Cannot listen on {address.host}, port {wanted[-1]}: {reason}. Give another --host or --port.")


def _bind(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, place = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def url_of(host: str, port: int, token: str | None) -> str:
    """The address that a browser opens."""
    name = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    name = f"[{name}]" if ":" in name and not name.startswith("[") else name
    return f"http://{name}:{port}/" + (f"?token={quote(token)}" if token else "")


def has_screen() -> bool:
    """Whether a browser window can be shown; elsewhere Python would start one in the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_browser(url: str) -> None:
    """Open a browser window, where there is a screen."""
    if has_screen():
        webbrowser.open(url)
