"""An examination of a server that behaves as it is told to."""

import pytest
from toy_server import Toy

from fault_server import Behaviour, fault_server
from longbench_eval import RunSettings
from longbench_eval.doctor import examine
from longbench_eval.models.base import ServerOptions


@pytest.fixture(autouse=True)
def nothing_at_hand(monkeypatch, tmp_path):
    """No data, no key, no address from the environment."""
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path / "cache"))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def told():
    return Behaviour()


@pytest.fixture
def address(told):
    with fault_server(told) as address:
        yield address


@pytest.fixture
def patient(told, address):
    """Examine a toy server; further words are settings of the run, or of the server's options."""

    def examined(toy: Toy, name="toy", *, quick=False, price=None, server=None, **settings):
        toy.install(told)
        options = ServerOptions(base_url=address, **(server or {}))
        return examine(f"openai:{name}", RunSettings(server=options, **settings), quick=quick, price=price)

    return examined
