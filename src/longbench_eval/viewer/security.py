"""Who may read: loopback by its right names, anyone else with the token; and what a page may do."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_LOCAL_NAMES = {"localhost", "127.0.0.1", "::1"}


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True)
class Guard:
    """What a server asks of its visitors.

    Attributes:
        host: The address it listens on.
        token: What a visitor must know; None on loopback, where the names it may be called by are checked instead.
    """

    host: str = "127.0.0.1"
    token: str | None = None

    @property
    def cookie(self) -> str:
        """The name of the cookie that remembers the token; servers on other ports of this host share cookies."""
        return f"longbench_eval_{_digest(self.token or '')[:8]}"

    def knows_name(self, host_header: str) -> bool:
        """Whether the server may be called so: a site that has its name point here must not read (DNS rebinding)."""
        if not is_loopback(self.host):
            return True
        name = _without_port(host_header)
        return name in _LOCAL_NAMES or name == self.host.strip("[]")

    def is_token(self, given: str) -> bool:
        """Whether a text is the token, in a time that does not tell how much of it is right."""
        return self.token is not None and hmac.compare_digest(_digest(given), _digest(self.token))

    def is_cookie(self, given: str) -> bool:
        """Whether a cookie's value was given out for the token."""
        return self.token is not None and hmac.compare_digest(given.encode(), self.cookie_value.encode())

    @property
    def cookie_value(self) -> str:
        """What the cookie holds: not the token itself."""
        return _digest(f"cookie {self.token}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _without_port(host_header: str) -> str:
    if host_header.startswith("["):
        return host_header[1:].partition("]")[0].lower()
    return host_header.rpartition(":")[0].lower() if ":" in host_header else host_header.lower()


class Gate:
    """Lets requests through that the guard allows, reading ones only, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app, self._guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            return
        refusal = self._refuse(scope)
        remember = refusal is None and self._token_in_query(scope)

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
                if remember:
                    headers.append("Set-Cookie", self._set_cookie())
            await send(message)

        await (refusal or self._app)(scope, receive, dressed)

    def _refuse(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("This server only answers GET.", 405, {"Allow": "GET, HEAD"})
        if not self._guard.knows_name(headers.get("host", "")):
            return PlainTextResponse("This server is not called by that name; use the address it printed.", 421)
        if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
            return PlainTextResponse("Pages of other sites may not read this.", 403)
        if self._guard.token is None or self._token_in_query(scope) or self._has_token(headers):
            return None
        return PlainTextResponse("A token is needed: open the whole address that `longbench-eval view` printed.", 401)

    def _token_in_query(self, scope: Scope) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return self._guard.is_token(given)

    def _has_token(self, headers: Headers) -> bool:
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return self._guard.is_token(given)
        return self._guard.is_cookie(_cookies(headers.get("cookie", "")).get(self._guard.cookie, ""))

    def _set_cookie(self) -> str:
        return f"{self._guard.cookie}={self._guard.cookie_value}; Path=/; HttpOnly; SameSite=Strict"


def _cookies(header: str) -> Mapping[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}
