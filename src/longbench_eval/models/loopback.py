"""JSON over kept connections to a server in this very process."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from threading import local
from typing import Any, NamedTuple
from urllib.parse import urlsplit


class Reply(NamedTuple):
    """A status and the decoded body."""

    status: int
    body: dict[str, Any]


class Loopback:
    """Posts JSON to an address of this machine, past any proxy that the environment names."""

    def __init__(self, address: str) -> None:
        host = urlsplit(address)
        self._host, self._port = host.hostname or "127.0.0.1", host.port
        self._mine = local()
        self._all: list[HTTPConnection] = []

    @property
    def _connection(self) -> HTTPConnection:
        """One for each thread: prompts are tokenized while answers are waited for."""
        if not hasattr(self._mine, "connection"):
            self._mine.connection = HTTPConnection(self._host, self._port)
            self._all.append(self._mine.connection)
        connection: HTTPConnection = self._mine.connection
        return connection

    def post(self, path: str, body: dict[str, Any]) -> Reply:
        """Send one request and wait for its whole answer."""
        payload = json.dumps(body).encode("ascii")
        try:
            return self._exchange(path, payload)
        except ConnectionError:
            # The server closes a connection that was idle for some seconds; a new one is opened by asking again.
            return self._exchange(path, payload)

    def _exchange(self, path: str, payload: bytes) -> Reply:
        try:
            self._connection.request("POST", path, payload, {"Content-Type": "application/json"})
            response = self._connection.getresponse()
            return Reply(response.status, json.loads(response.read()))
        except BaseException:
            # Half an exchange (Ctrl-C, say) must not be taken for the next one's answer.
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the connections."""
        for connection in self._all:
            connection.close()
