"""An embedded host on loopback with ports of its own, and players signed in at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.common.settings import Settings
from services.host.embedded import EmbeddedHost
from tests.host.party import Party


def settings_in(folder: Path) -> Settings:
    """Settings of a host whose files are in `folder`."""
    return Settings(
        database=folder / "games.db",
        signing_key=folder / "key.pem",
        lobby_port=0,
        rules_port=0,
        routing_port=0,
        ledger_port=0,
        metrics_port=0,
        stop_grace_seconds=1.0,
        stream_limit=4,
        worker_threads=12,
    )


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
