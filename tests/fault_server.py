"""An OpenAI-compatible server on the loopback that misbehaves on command."""

from __future__ import annotations

import hashlib
import json
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LATE_S = 3.0
Answers = Callable[[dict], tuple[int, Any]]


def text_of(body: Mapping[str, Any]) -> str:
    """The prompt of a request of either endpoint."""
    return body["messages"][0]["content"] if "messages" in body else str(body["prompt"])


def answer_to(text: str) -> str:
    """The right answer to a prompt: one of its own."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def good(body: Mapping[str, Any]) -> dict:
    """A whole and right answer."""
    text = answer_to(text_of(body))
    chat = {"message": {"role": "assistant", "content": text}}
    choice = {"index": 0, "finish_reason": "stop", **(chat if "messages" in body else {"text": text})}
    return {"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}


@dataclass
class Behaviour:
    """What the server does; tests change it.

    `faults` names what happens to the n-th request of an endpoint, counted over both: `None` for a good answer.
    `paths` replaces the answer of a path by (status, JSON).
    """

    faults: Callable[[int], str | None] = lambda number: None
    paths: dict[str, Answers] = field(default_factory=dict)
    wait_s: float = 0.0
    seen: list[tuple[str, dict]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    done: Counter = field(default_factory=Counter)
    asked: int = 0
    busy: int = 0
    most_busy: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body of an answer are sent apart
    behaviour: Behaviour

    def log_message(self, *args):
        pass

    def do_GET(self):
        self.behaviour.headers.append(dict(self.headers))
        self.reply(*self.of_path({}))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        told = self.behaviour
        told.headers.append(dict(self.headers))
        if not self.path.endswith("/completions") or self.path in told.paths:
            with told.lock:
                told.seen.append((self.path, body))
            self.reply(*self.of_path(body))
            return
        with told.lock:
            number, told.asked = told.asked, told.asked + 1
            told.seen.append((self.path, body))
            told.busy += 1
            told.most_busy = max(told.busy, told.most_busy)
        time.sleep(told.wait_s)
        with told.lock:  # before the answer, after which the client may at once send the next
            told.busy -= 1
        fault = told.faults(number)
        FAULTS[fault](self, body) if fault else self.finish_row(body)

    def finish_row(self, body):
        with self.behaviour.lock:
            self.behaviour.done[text_of(body)] += 1
        self.reply(200, good(body))

    def of_path(self, body) -> tuple[int, Any]:
        answers = self.behaviour.paths.get(self.path)
        if answers is not None:
            return answers(body)
        if self.path == "/v1/models":
            return 200, {"data": [{"id": "toy", "owned_by": "tests", "max_model_len": 4096}]}
        return 404, {"error": {"message": f"nothing at {self.path}"}}

    def reply(self, status: int, body: Any, headers: Mapping[str, str] = {}, cut: int | None = None):
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Length", str(len(payload)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload[:cut])
        except OSError:  # whoever asked went away
            self.close_connection = True
        if cut is not None:
            self.close_connection = True

    def reset(self, body):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()
        self.wfile = self.rfile = open("/dev/null", "wb")  # noqa: SIM115, PTH123

    def silence(self, body):
        time.sleep(LATE_S)
        self.finish_late(body)

    def finish_late(self, body):
        """An answer that nobody waits for any more."""
        self.reply(200, good(body))


FAULTS: dict[str, Callable[[Handler, dict], None]] = {
    "reset": Handler.reset,
    "429": lambda handler, body: handler.reply(429, {"error": {"message": "slow down"}}, {"Retry-After": "7"}),
    "500": lambda handler, body: handler.reply(500, b"oops"),
    "503": lambda handler, body: handler.reply(503, {"detail": "starting"}),
    "timeout": Handler.silence,
    "cut": lambda handler, body: handler.reply(200, good(body), cut=20),
    "html": lambda handler, body: handler.reply(200, b"<html>Bad gateway</html>"),
    "torn": lambda handler, body: handler.reply(200, json.dumps(good(body)).encode()[:-9]),
    "no choices": lambda handler, body: handler.reply(200, {"choices": [], "usage": None}),
    "no text": lambda handler, body: handler.reply(200, {"choices": [{"text": 7}]}),
    "null": lambda handler, body: handler.reply(200, b"null"),
    "error in 200": lambda handler, body: handler.reply(200, {"error": {"message": "overloaded"}}),
}
DISTURBANCES = ("reset", "429", "500", "timeout", "cut", "html", "torn", "no choices")


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        pass


@contextmanager
def fault_server(behaviour: Behaviour) -> Iterator[str]:
    """Serve until the end of the block; gives the address."""
    handler = type("Bound", (Handler,), {"behaviour": behaviour})
    server = QuietServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
