"""Who may read, and what a page may do."""

import pytest

from longbench_eval.viewer.security import POLICY, Guard, is_loopback
from viewer.conftest import client_of

PATHS = ["/", "/static/app.js", "/api/runs", "/api/run?run=nobody", "/api/nothing", "/nothing"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_headers(folder, path):
    headers = client_of(folder).get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers
    assert headers["cache-control"] in ("no-store", "no-cache")


def test_the_policy_allows_nothing_inline():
    assert "default-src 'none'" in POLICY
    assert "unsafe" not in POLICY
    assert "frame-ancestors 'none'" in POLICY


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
@pytest.mark.parametrize("path", ["/", "/api/runs"])
def test_reading_only(folder, method, path):
    assert client_of(folder).request(method, path).status_code == 405


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8321", 200),
        ("localhost:8321", 200),
        ("localhost", 200),
        ("[::1]:8321", 200),
        ("evil.example", 421),
        ("localhost.evil.example:8321", 421),
        ("127.0.0.1.evil.example", 421),
        ("", 421),
    ],
)
def test_only_loopback_names_are_answered(folder, host, status):
    """A site that has its name point to 127.0.0.1 would else read everything (DNS rebinding)."""
    assert client_of(folder).get("/api/runs", headers={"Host": host}).status_code == status


def test_other_sites_may_link_but_not_read(folder):
    client = client_of(folder)
    cross = {"Sec-Fetch-Site": "cross-site"}
    assert client.get("/api/runs", headers={**cross, "Sec-Fetch-Mode": "no-cors"}).status_code == 403
    assert client.get("/", headers={**cross, "Sec-Fetch-Mode": "navigate"}).status_code == 200
    assert client.get("/api/runs", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


GUARD = Guard("0.0.0.0", "right-token")


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token_nothing_is_told(folder, path):
    answer = client_of(folder, GUARD, "box.example:9").get(path)
    assert answer.status_code == 401
    assert "cut" not in answer.text


@pytest.mark.parametrize("token", ["wrong", "", "right-toke", "right-token2", "töken"])
def test_wrong_tokens(folder, token):
    client = client_of(folder, GUARD, "box.example:9")
    assert client.get("/api/runs", params={"token": token}).status_code == 401
    assert client.get("/api/runs", headers={"Authorization": f"Bearer {token}".encode()}).status_code == 401
    client.cookies.set(GUARD.cookie, "".join(char for char in token if char.isascii()))
    assert client.get("/api/runs").status_code == 401


def test_the_token_becomes_a_cookie(folder):
    client = client_of(folder, GUARD, "box.example:9")
    answer = client.get("/?token=right-token")
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "right-token" not in cookie
    assert client.get("/api/runs").status_code == 200
    assert "set-cookie" not in client.get("/api/runs").headers


def test_a_program_sends_the_token_as_a_header(folder):
    client = client_of(folder, GUARD, "box.example:9")
    assert client.get("/api/runs", headers={"Authorization": "Bearer right-token"}).status_code == 200


def test_a_cookie_of_another_server_is_no_key(folder):
    other = Guard("0.0.0.0", "other-token")
    client = client_of(folder, GUARD, "box.example:9")
    client.cookies.set(GUARD.cookie, other.cookie_value)
    assert client.get("/api/runs").status_code == 401


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"]
)
def test_static_files_only(folder, path):
    answer = client_of(folder).get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.7", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_loopback(host, loopback):
    assert is_loopback(host) is loopback
