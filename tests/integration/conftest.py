"""One running host for all tests that leave it running."""

from collections.abc import Iterator

import pytest

from services.host.addresses import Addresses
from services.host.embedded import EmbeddedHost
from tests.hosting import settings_in
from tests.integration.tables import Gathering, gather


@pytest.fixture(scope="package")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedHost]:
    """The four services."""
    running = EmbeddedHost(settings_in(tmp_path_factory.mktemp("host")))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="package")
def addresses(host: EmbeddedHost) -> Addresses:
    """Where they answer."""
    return host.addresses


@pytest.fixture(scope="package")
def gathering(addresses: Addresses) -> Gathering:
    """Three people in a game."""
    return gather(addresses, ("Ann", "Bob", "Cem"))
