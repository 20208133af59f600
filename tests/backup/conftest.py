"""A platform on Kafka, and stores and targets for its backups."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.settings import KafkaSettings
from services.common.objectstore.folder import FolderStore
from services.migration.migrate import to_kafka
from services.migration.sqlite_endpoint import SqliteEndpoint
from tests.audit.generated import wait_until_readable
from tests.audit.platform import make_operated_platform
from tests.brokers import own_topics


@pytest.fixture(scope="package")
def platform_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with three games and a table; one game is held, and operators have acted."""
    path = tmp_path_factory.mktemp("platform") / "signalbox.db"
    make_operated_platform(path)
    return path


def with_platform(platform_file: Path, kafka: KafkaSettings) -> KafkaSettings:
    """This Kafka, with the platform of the file in it."""
    with closing(SqliteEndpoint(platform_file, must_exist=True)) as file:
        to_kafka(file, kafka, lambda *_: None)
    wait_until_readable(kafka)
    return kafka


@pytest.fixture
def platform(platform_file: Path, kafka: KafkaSettings) -> KafkaSettings:
    """The Kafka with that platform."""
    return with_platform(platform_file, kafka)


@pytest.fixture
def target(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka as empty as a new one, other than that of the platform; its topics are there."""
    with own_topics(kafka_servers) as settings:
        yield settings


@pytest.fixture
def store(tmp_path: Path) -> FolderStore:
    """An empty store."""
    return FolderStore(tmp_path / "store")
