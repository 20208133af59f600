"""Running hosts, one in this process and one of processes of their own, for all tests that leave them running."""

from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.auth.tokens import load_or_create_signing_key
from services.host.addresses import Addresses
from services.host.embedded import EmbeddedHost
from services.host.processes import ClusterHost
from tests.hosting import HOSTS, Host, settings_in
from tests.integration.tables import Gathering, gather


@pytest.fixture(scope="package", params=HOSTS)
def host(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """The four services."""
    if request.param == "cluster":
        yield request.getfixturevalue("cluster_host")
        return
    running = EmbeddedHost(settings_in(tmp_path_factory.mktemp("host")))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="package")
def signing_key(host: Host, tmp_path_factory: pytest.TempPathFactory) -> Ed25519PrivateKey:
    """The key with which its lobby signs tokens."""
    files = "cluster*/signing-key.pem" if isinstance(host, ClusterHost) else "host*/key.pem"
    return load_or_create_signing_key(next(tmp_path_factory.getbasetemp().glob(files)))


@pytest.fixture(scope="package")
def addresses(host: Host) -> Addresses:
    """Where they answer."""
    return host.addresses


@pytest.fixture(scope="package")
def gathering(addresses: Addresses) -> Gathering:
    """Three people in a game."""
    return gather(addresses, ("Ann", "Bob", "Cem"))
