"""One kept connection that survives what happens to it."""

import json
import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from longbench_eval.models.loopback import Loopback, Reply


class Echo(BaseHTTPRequestHandler):
    """Sends the body back; `wait` delays it, `drop` breaks the connection off, `status` sets the code."""

    protocol_version = "HTTP/1.1"
    timeout = 0.5  # an idle connection is closed
    connections: set

    def do_POST(self):
        self.connections.add(self.client_address)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(body.get("wait", 0))
        payload = json.dumps({"path": self.path, **body}).encode()
        self.close_connection = "drop" in body
        if not self.close_connection:
            self.send_response(body.get("status", 200))
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            with suppress(BrokenPipeError):  # whoever asked went away
                self.wfile.write(payload)

    def log_message(self, *args):
        pass


@pytest.fixture
def echo():
    handler = type("Handler", (Echo,), {"connections": set()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def http(echo):
    loopback = Loopback(f"http://127.0.0.1:{echo.server_port}")
    yield loopback
    loopback.close()


def test_any_text_goes_there_and_back(http):
    text = "é 中 👍 \0 \u2028 {x} \\"
    assert http.post("/a", {"text": text}) == Reply(200, {"path": "/a", "text": text})


def test_a_refusal_is_a_reply(http):
    assert http.post("/a", {"status": 400}).status == 400


def test_one_connection_serves_all(echo, http):
    for number in range(5):
        http.post("/a", {"number": number})
    assert len(echo.RequestHandlerClass.connections) == 1


def test_proxies_of_the_environment_are_passed_by(http, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert http.post("/a", {}).status == 200


@pytest.mark.skipif(sys.platform == "win32", reason="pthread_kill")
def test_ctrl_c_leaves_the_connection_usable(http):
    http.post("/a", {})
    main = threading.main_thread().ident
    threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        http.post("/slow", {"wait": 0.4})
    assert http.post("/next", {}).body == {"path": "/next"}, "not the late answer to what was broken off"


def test_a_connection_that_was_idle_for_too_long_is_opened_again(echo, http):
    http.post("/a", {})
    time.sleep(0.8)
    assert http.post("/b", {}).status == 200
    assert len(echo.RequestHandlerClass.connections) == 2


def test_a_request_that_breaks_every_connection_is_an_error(http):
    with pytest.raises(ConnectionError):
        http.post("/a", {"drop": True})
    assert http.post("/b", {}).status == 200


def test_nobody_listens():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(OSError, match=os.strerror(111) if sys.platform == "linux" else None):
        Loopback(f"http://127.0.0.1:{port}").post("/a", {})
