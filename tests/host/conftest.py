"""Running hosts, and players signed in at them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.host.embedded import EmbeddedHost
from tests.host.signed_in_players import Party
from tests.hosting import HOSTS, Host, settings_in


@pytest.fixture(scope="module", params=HOSTS)
def host(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A started host, shared by the tests of a module."""
    if request.param == "cluster":
        yield request.getfixturevalue("cluster_host")
        return
    running = EmbeddedHost(settings_in(tmp_path_factory.mktemp("host")))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def party(host: Host) -> Iterator[Party]:
    """Players signed in at the shared host."""
    with Party(host.addresses) as party:
        yield party


@pytest.fixture
def game_id(party: Party) -> str:
    """A fresh game of 1824 on the shared host."""
    return party.begin()
