"""A server of the OpenAI protocol that behaves as it is told to."""

import pytest

from fault_server import Behaviour, fault_server


@pytest.fixture
def told():
    return Behaviour()


@pytest.fixture
def address(told, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with fault_server(told) as address:
        yield address
