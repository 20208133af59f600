"""The cluster host of a test process: separately started services on the brokers of tests/brokers.py."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from devtools.brokers.kafka import KafkaServers
from services.common.grpc.limit_settings import LimitSettings
from services.common.redis.settings import RedisSettings
from services.common.settings.accounts import THROWAWAY_ACCOUNTS
from services.common.settings.service import Settings
from services.host.processes import ClusterHost
from tests.brokers import own_topics

SETTINGS = Settings(
    routing_workers=0,
    stop_grace_seconds=1,
    message_bytes_max=256 * 1024,
    limit=LimitSettings(player_watchers=4),
    worker_threads=12,
    log_level="warning",
    sign_in=THROWAWAY_ACCOUNTS,
)


@pytest.fixture(scope="session")
def cluster_host(
    kafka_servers: KafkaServers, redis_address: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ClusterHost]:
    """A running cluster host that all tests of this process share; nobody may end its processes."""
    folder = tmp_path_factory.mktemp("cluster")
    redis = RedisSettings(address=redis_address, key_prefix=f"{folder.parent.name}.{os.getpid()}:")
    with own_topics(kafka_servers) as kafka:
        host = ClusterHost(folder, kafka, redis, settings=SETTINGS)
        host.start()
        try:
            yield host
        finally:
            host.stop()
