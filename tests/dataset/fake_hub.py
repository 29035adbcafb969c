"""A server that speaks the part of the Hub's protocol which a download uses, and serves the template file."""

import hashlib
import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "1" * 40


@dataclass
class FakeHub:
    """What is served, what goes wrong, and what was asked.

    `cuts` lists after how many bytes of the archive each of the first answers breaks off.
    """

    archive: bytes
    repository: str = "zai-org/LongBench"
    renamed: str | None = None
    templates: bytes = b"{}"
    cuts: list[int] = field(default_factory=list)
    accepts_ranges: bool = True
    requests: list[tuple[str, str, str | None]] = field(default_factory=list)
    url: str = ""

    @contextmanager
    def serve(self):
        hub = self
        server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub}))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def asked(self, method, part):
        return [request for request in self.requests if request[0] == method and part in request[1]]


class _Handler(BaseHTTPRequestHandler):
    hub: FakeHub
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self._answer()

    def do_GET(self):
        self._answer()

    def log_message(self, *args):
        pass

    def _answer(self):
        hub = self.hub
        hub.requests.append((self.command, self.path, self.headers.get("Range")))
        resolve = "/datasets/{}/resolve/main/data.zip"
        if self.path == resolve.format(hub.repository):
            self._redirect_to_storage()
        elif hub.renamed and self.path == resolve.format(hub.renamed):
            self._send(307, {"Location": resolve.format(hub.repository)})
        elif self.path == "/storage/blob":
            self._send_archive()
        elif self.path == "/templates":
            self._send(200, {}, hub.templates)
        else:
            self._send(404, {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"})

    def _redirect_to_storage(self):
        """As for large files: the metadata here, the bytes elsewhere."""
        etag = hashlib.sha256(self.hub.archive).hexdigest()
        linked = {"X-Linked-Etag": f'"{etag}"', "X-Linked-Size": str(len(self.hub.archive)), "X-Repo-Commit": COMMIT}
        # `localhost` is another host than 127.0.0.1, as storage is another host than the Hub.
        storage = self.hub.url.replace("127.0.0.1", "localhost") + "/storage/blob"
        self._send(302, {**linked, "ETag": f'"{etag}"', "Location": storage})

    def _send_archive(self):
        whole, start = self.hub.archive, 0
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
        if asked and self.hub.accepts_ranges:
            start = int(asked[1])
        ranged = {"Content-Range": f"bytes {start}-{len(whole) - 1}/{len(whole)}"} if start else {}
        cut = self.hub.cuts.pop(0) if self.hub.cuts and self.command == "GET" else None
        self._send(206 if start else 200, {"Accept-Ranges": "bytes", **ranged}, whole[start:], cut)

    def _send(self, status, headers, body=b"", cut=None):
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body[:cut])
        if cut is not None:
            self.close_connection = True
