"""Where the tests of this folder find Kafka."""

import os

import pytest


@pytest.fixture(scope="session")
def kafka_servers() -> tuple[str, ...]:
    """Addresses of a running Kafka."""
    servers = os.environ.get("SIGNALBOX_TEST_KAFKA", "")
    if not servers:
        pytest.skip("no Kafka: SIGNALBOX_TEST_KAFKA names none")
    return tuple(servers.split(","))
