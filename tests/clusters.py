"""The cluster host of a test process: separately started services on the brokers of tests/brokers.py."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from devtools.brokers.kafka import KafkaServers
from services.common.grpc.limit_settings import LimitSettings
from services.common.redis.settings import RedisSettings
from services.common.settings.accounts import THROWAWAY_ACCOUNTS
from services.common.settings.service import Settings
from services.host.kafka_game import NEVER_DIRECT_SECONDS
from services.host.processes import ClusterHost, Replicas
from tests.brokers import own_topics
from tests.distribution import CLUSTER, group_of

RUNNING = pytest.StashKey[ExitStack]()

SETTINGS = Settings(
    routing_workers=0,
    # Requests are read from the log of commands and carried out once more.
    rules_direct_after_seconds=NEVER_DIRECT_SECONDS,
    stop_grace_seconds=1,
    message_bytes_max=256 * 1024,
    limit=LimitSettings(player_watchers=4),
    worker_threads=12,
    log_level="warning",
    sign_in=THROWAWAY_ACCOUNTS,
)


ONE_EACH = Replicas(lobby=1, rules=1, routing=1, ledger=1, web=1)


@contextmanager
def cluster_to_kill(kafka_servers: KafkaServers, folder: Path) -> Iterator[ClusterHost]:
    """A running host with one process of each service, without Redis, whose processes may be ended."""
    with own_topics(kafka_servers) as kafka:
        host = ClusterHost(folder, kafka, None, ONE_EACH, SETTINGS)
        host.start()
        try:
            yield host
        finally:
            host.stop()


@pytest.fixture(scope="session")
def cluster_host(
    kafka_servers: KafkaServers,
    redis_address: str,
    tmp_path_factory: pytest.TempPathFactory,
    pytestconfig: pytest.Config,
) -> Iterator[ClusterHost]:
    """A running cluster host that all tests of this process share; nobody may end its processes."""
    folder = tmp_path_factory.mktemp("cluster")
    redis = RedisSettings(address=redis_address, key_prefix=f"{folder.parent.name}.{os.getpid()}:")
    with ExitStack() as running:
        kafka = running.enter_context(own_topics(kafka_servers))
        host = ClusterHost(folder, kafka, redis, settings=SETTINGS)
        running.callback(host.stop)
        host.start()
        pytestconfig.stash[RUNNING] = running
        yield host


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """End the host after the last test of its group: its processes take a tenth of a core as long as they run.

    Only pytest-xdist gives a process the tests of a group one after another."""
    last = group_of(item.nodeid) == CLUSTER and (nextitem is None or group_of(nextitem.nodeid) != CLUSTER)
    if last and hasattr(item.config, "workerinput") and RUNNING in item.config.stash:
        item.config.stash[RUNNING].close()
