from collections.abc import Iterator

import pytest
from pytest_django.live_server_helper import LiveServer

from riskgate.client import Client
from tests.people import World


@pytest.fixture
def client(live_server: LiveServer, world: World) -> Iterator[Client]:
    """The client of the agent, and the whole application at the other end of a socket."""
    with Client(live_server.url, world.api_key, patience=0) as client:
        yield client
