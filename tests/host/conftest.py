"""An embedded host on loopback with ports of its own, and players signed in at it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.host.embedded import EmbeddedHost
from tests.host.party import Party
from tests.hosting import settings_in


def party_at(host: EmbeddedHost, known: bool = False) -> Party:
    """The players of `host`."""
    return Party(host.addresses.lobby, host.addresses.rules, host.addresses.ledger, known)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedHost]:
    """A started host, shared by the tests of a module."""
    host = EmbeddedHost(settings_in(tmp_path_factory.mktemp("host")))
    host.start()
    yield host
    host.stop()


@pytest.fixture(scope="module")
def party(host: EmbeddedHost) -> Iterator[Party]:
    """Players signed in at the shared host."""
    with party_at(host) as party:
        yield party


@pytest.fixture
def game_id(party: Party) -> str:
    """A fresh game of 1824 on the shared host."""
    return party.begin()
