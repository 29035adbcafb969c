"""The command: the address it prints answers, ports, tokens, and what is missing."""

import re
import socket
import sys

import httpx2
import pytest

from longbench_eval.errors import UsageError
from longbench_eval.viewer.serve import PORT, Address, has_screen, listen, url_of
from viewer_runs import viewing


def test_it_serves_until_ctrl_c(folder):
    with viewing(folder.runs, "--port", 0, "--data", folder.data) as (url, _):
        assert "token" not in url
        assert "<main" in httpx2.get(url).text
        names = {run["name"] for run in httpx2.get(f"{url}api/runs").json()["runs"]}
        assert {"cut", "whole"} <= names
        query = {"run": "cut", "task": "qasper", "line": 1}
        assert httpx2.get(f"{url}api/prompt", params=query).json()["total"] > 0


def test_another_host_needs_a_token(folder):
    """Listening everywhere makes a token; the machine's own name is taken for the address, loopback reaches it too."""
    with viewing(folder.runs, "--port", 0, "--host", "0.0.0.0") as (url, _):
        port, token = re.search(r":(\d+)/\?token=([\w-]{32})$", url).groups()
        local = f"http://127.0.0.1:{port}/api/runs"
        assert httpx2.get(local).status_code == 401
        assert httpx2.get(local, params={"token": token}).status_code == 200


def test_a_token_of_ones_own_on_loopback(folder):
    with viewing(folder.runs, "--port", 0, "--token", "open sesame") as (url, _):
        assert url.endswith("?token=open%20sesame")
        assert httpx2.get(url.partition("?")[0]).status_code == 401
        assert httpx2.get(url).status_code == 200


def test_a_port_that_is_taken():
    with listen(Address(port=0)) as taken, pytest.raises(UsageError, match="Give another --host or --port"):
        listen(Address(port=taken.getsockname()[1]))
    with listen(Address()) as first, listen(Address()) as second:
        assert second.getsockname()[1] not in (first.getsockname()[1], PORT)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        (Address(port=70000), "--port is 70000"),
        (Address(port=-1), "--port is -1"),
        (Address("192.0.2.1", 0), "Cannot listen"),
    ],
)
def test_where_nothing_can_listen(address, says):
    with pytest.raises(UsageError, match=says):
        listen(address)


@pytest.mark.parametrize(
    ("host", "token", "url"),
    [
        ("127.0.0.1", None, "http://127.0.0.1:9/"),
        ("::1", None, "http://[::1]:9/"),
        ("0.0.0.0", "a b", f"http://{socket.gethostname()}:9/?token=a%20b"),
    ],
)
def test_the_address(host, token, url):
    assert url_of(host, 9, token) == url


def test_no_browser_without_a_screen(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert has_screen() is (sys.platform in ("darwin", "win32"))
    monkeypatch.setenv("DISPLAY", ":0")
    assert has_screen()


def test_a_browser_is_opened(cli, folder, monkeypatch):
    opened = []
    monkeypatch.setattr("longbench_eval.viewer.serve.open_browser", opened.append)
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: None)
    code, out, _ = cli("view", folder.runs, "--port", 0, "--templates", folder.data / "config" / "dataset2prompt.json")
    assert code == 0
    assert opened == re.findall(r"http://\S+", out)


def test_without_the_extra(cli, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    code, _, err = cli("view", folder.runs)
    assert code == 1
    assert err == "Error: The viewer needs uvicorn: install it with `pip install 'longbench-eval[view]'`.\n"


def test_no_such_folder(cli):
    code, _, err = cli("view", "nowhere", "--no-open")
    assert code == 1
    assert "'nowhere' is no folder" in err
