import django
import pytest
from pytest_django import Settings

from tests import plugin

_ground = plugin.prepare()
django.setup()  # now, so that a conftest further down may import what needs it

from tests import people  # noqa: E402 (models can be imported only after setup)


def pytest_unconfigure(config: pytest.Config) -> None:
    _ground.close()


@pytest.fixture(autouse=True)
def passwords_cost_little(settings: Settings) -> None:
    """A password's hash is slow on purpose, which no test is about."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def world(db: None) -> "people.World":
    """Everybody, in their two teams; see tests/people.py."""
    return people.make_world()
