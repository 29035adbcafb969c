"""A client of the viewer over real runs."""

from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from longbench_eval.viewer.app import make_app
from longbench_eval.viewer.security import Guard
from longbench_eval.viewer.shelf import Shelf
from viewer_runs import Folder, build, write_hostile


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Folder:
    """Runs that no test changes."""
    made = build(tmp_path_factory.mktemp("viewer"))
    write_hostile(made)
    return made


@pytest.fixture
def own_folder(tmp_path) -> Folder:
    """Runs that a test may change."""
    return build(tmp_path, n=4)


def client_of(folder: Folder, guard: Guard = Guard(), host: str = "127.0.0.1:8321") -> TestClient:  # noqa: B008
    return TestClient(make_app(Shelf(folder.runs, folder.data), guard), base_url=f"http://{host}")


@pytest.fixture
def ask(folder):
    """Ask the API of the shared runs; the answer must have the status that is expected."""
    return asker(client_of(folder))


def asker(client: TestClient):
    def ask(name: str, status: int = 200, **query):
        query = {key.rstrip("_"): value for key, value in query.items()}
        answer = client.get(f"/api/{name}?{urlencode(query)}")
        assert answer.status_code == status, answer.text
        return answer.json()

    return ask
