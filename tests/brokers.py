"""A real Kafka and a real Redis for tests, shared by all processes of a test session.

Where none can be had the test skips with one line that names what is missing; where CI=true or
SIGNALBOX_NEED_BROKERS=true it fails. The libraries of Kafka are imported by the tests that need them only: that takes a
while.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.opening import KAFKA_VARIABLE, REDIS_VARIABLE
from devtools.brokers.redis import RedisServer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import TOPICS, Topic
from services.common.settings.service import addresses
from tests.conftest import REPOSITORY
from tests.shared_brokers import KAFKA, MISSING, REDIS, USERS

START_SECONDS = 900.0
"""The first time Maven may have to fetch the jars."""
LOOK_EVERY_SECONDS = 0.05
PARTITIONS = 3
NEED_VARIABLE = "SIGNALBOX_NEED_BROKERS"


def need(message: str) -> NoReturn:
    """End the test that needs brokers which are missing."""
    if any(os.environ.get(name, "").lower() == "true" for name in ("CI", NEED_VARIABLE)):
        pytest.fail(message)
    pytest.skip(message)


class SharedBrokers:
    """The brokers of this session; `folder` is shared by all its processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._house: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._users = (folder / USERS).open("a")
        fcntl.flock(self._users, fcntl.LOCK_SH)

    def address(self, name: str, variable: str) -> str:
        """Where this broker is; started when nobody has before. Ends the test when it is missing."""
        if os.environ.get(variable):
            return os.environ[variable]
        self._open()
        file = self._folder / name
        missing = file.with_suffix(MISSING)
        deadline = time.monotonic() + START_SECONDS
        while not file.exists():
            if missing.exists():
                need(missing.read_text())
            if time.monotonic() > deadline or (self._house is not None and self._house.poll() is not None):
                pytest.fail(f"the keeper of the brokers does not come up: {self._log.read_text()[-2000:]}")
            time.sleep(LOOK_EVERY_SECONDS)
        return file.read_text()

    @property
    def _log(self) -> Path:
        return self._folder / "house.log"

    def _open(self) -> None:
        with (self._folder / "start.lock").open("w") as start:
            fcntl.flock(start, fcntl.LOCK_EX)
            if self._log.exists():
                return
            with self._log.open("wb") as log:
                self._house = subprocess.Popen(
                    [sys.executable, "-m", "tests.shared_brokers", str(self._folder)],
                    cwd=REPOSITORY,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )

    def close(self) -> None:
        """Needed no more by this process."""
        self._users.close()


@pytest.fixture(scope="session")
def shared_brokers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedBrokers]:
    """The brokers of the whole session, whatever number of processes runs its tests."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    house = SharedBrokers(shared / "brokers")
    yield house
    house.close()


@pytest.fixture(scope="session")
def kafka_servers(shared_brokers: SharedBrokers) -> KafkaServers:
    """The Kafka of the session; nobody may kill it. For faults start one with `open_kafka(..., is_own=True)`."""
    return KafkaServers(addresses(KAFKA_VARIABLE, shared_brokers.address(KAFKA, KAFKA_VARIABLE)))


@contextmanager
def own_topics(
    servers: KafkaServers, partitions: int = PARTITIONS, topics: Sequence[Topic] = TOPICS
) -> Iterator[KafkaSettings]:
    """These topics, all if none are named, under a prefix of their own; gone at the end."""
    from confluent_kafka.admin import AdminClient

    from services.common.kafka.administration import apply_topics
    from services.common.kafka.clients import client_config

    settings = servers.settings(f"t{uuid.uuid4().hex[:10]}.", partitions=partitions)
    apply_topics(settings, topics)
    try:
        yield settings
    finally:
        admin = AdminClient(client_config(settings))
        for gone in admin.delete_topics([topic.name_in(settings) for topic in topics]).values():
            gone.exception()


@pytest.fixture
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka as empty as a new one for this test."""
    with own_topics(kafka_servers) as settings:
        yield settings


@pytest.fixture(scope="module")
def kafka_module(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka as empty as a new one for the tests of this module."""
    with own_topics(kafka_servers) as settings:
        yield settings


@pytest.fixture(scope="session")
def redis_server(shared_brokers: SharedBrokers) -> RedisServer:
    """The Redis of the session; nobody may kill or flush it. For faults use `open_redis(..., is_own=True)`."""
    return RedisServer(shared_brokers.address(REDIS, REDIS_VARIABLE))


@pytest.fixture(scope="session")
def redis_address(redis_server: RedisServer) -> str:
    """Where the Redis of the session is, host:port."""
    return redis_server.address


@pytest.fixture
def redis_prefix(redis_server: RedisServer) -> Iterator[str]:
    """What this test puts before its keys; they are gone at the end."""
    prefix = f"t{uuid.uuid4().hex[:10]}:"
    yield prefix
    with redis_server.client() as client:
        for key in client.scan_iter(match=f"{prefix}*", count=1000):
            client.delete(key)
