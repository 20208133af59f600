"""What is in Kafka and in backups, for comparing both."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from services.backup.catalogue import Catalogue
from services.backup.contents import TOPICS, Source
from services.backup.format import BackedUpRecord, Point
from services.backup.target import scan
from services.common.kafka.clients import new_producer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import Topic
from services.common.objectstore.port import ObjectStore
from services.common.partitions import partition_of
from services.host.processes import environment_of

SECONDS = 120.0
# Of a record all but its offset.
Content = tuple[int, bytes | None, bytes | None, tuple[tuple[str, bytes | None], ...]]


def content(record: BackedUpRecord) -> Content:
    """What must be the same after a restore."""
    return record.timestamp_ms, record.key, record.value, record.headers


def in_kafka(kafka: KafkaSettings, topics: Sequence[Topic] = TOPICS) -> dict[Source, list[Content]]:
    """The records of each partition that has any."""
    found: dict[Source, list[Content]] = {}
    for source, record in scan(kafka, topics):
        found.setdefault(source, []).append(content(record))
    return found


def in_store(store: ObjectStore, point: Point) -> dict[Source, list[Content]]:
    """The records of each partition that a point has."""
    found: dict[Source, list[Content]] = {}
    for records in Catalogue(store).records(point):
        for each in records:
            found.setdefault((each.topic, each.partition), []).append(content(each))
    return found


class Writer:
    """Writes records one after another."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._kafka = kafka
        self._producer = new_producer(kafka)

    def write(
        self, topic: Topic, key: str, value: bytes | None, headers: Sequence[tuple[str, bytes]] = ()
    ) -> None:
        """Write a record and wait until it is there."""
        partition = partition_of(key, topic.partitions(self._kafka))
        name = topic.name_in(self._kafka)
        self._producer.produce(name, value, key.encode(), partition, headers=list(headers))
        assert self._producer.flush(SECONDS) == 0


def environment_for(kafka: KafkaSettings) -> dict[str, str]:
    """The variables by which a process finds this Kafka."""
    return environment_of(kafka, "SIGNALBOX_KAFKA_", skip=("instance",))


def command(kafka: KafkaSettings, *arguments: str, crash_at: str = "") -> subprocess.CompletedProcess[str]:
    """Run `signalbox` with these arguments as a process of its own, which may be killed at a point."""
    environment = os.environ | environment_for(kafka)
    if crash_at:
        environment["SIGNALBOX_CRASH_AT"] = crash_at
    ended = subprocess.run(
        [sys.executable, "-m", "services.cli", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert not crash_at or ended.returncode == -signal.SIGKILL, ended.stderr
    return ended
