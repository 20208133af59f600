"""A backup that goes on beside a run, into an object store that can be cut off and slowed down; and the check of what it has."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import boto3

from services.backup.catalogue import Catalogue, NoPoint
from services.backup.contents import Source
from services.backup.format import BackedUpRecord, Content, Point
from services.backup.target import scan
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import FACTS
from services.common.objectstore.location import open_store
from services.common.objectstore.port import StoreError
from services.common.settings.service import PREFIX
from services.host.children import Child, answers, free_ports
from services.host.processes import environment_of
from services.host.sites import Site
from tests.faults.failures import Failure
from tests.s3_access import access_to

STORE = "store"
"""The place of the server of the object store."""
BUCKET = "platform"
EVERY_SECONDS = 10
START_SECONDS = 60.0
# A process that waits for a store which does not answer gives up after a minute and a half, and tries again.
POINT_SECONDS = 240.0
LOOK_EVERY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Backups:
    """Made by `backing_up`."""

    kafka: KafkaSettings
    server: Child
    process: Child
    access: Mapping[str, str]
    """Variables by which the store is reached."""

    def check(self) -> Iterator[Failure]:
        """What is wrong with the backup once nothing is written any more: everything in Kafka has to come into it."""
        if not self.process.is_running:
            yield Failure(
                "crash",
                f"{self.process.name} ended with code {self.process.exit_code}: {self.process.last_words()}",
            )
            return
        began_ms = int(time.time() * 1000)
        with patch.dict(os.environ, self.access):
            catalogue = Catalogue(open_store(f"s3:{BUCKET}"))
            point = self._point_after(catalogue, began_ms)
            if point is None:
                yield Failure("standstill", f"no point of the backup within {POINT_SECONDS:.0f} s")
                return
            names = {topic.name for topic in FACTS}
            stored = _content_of(
                ((each.topic, each.partition), each)
                for records in catalogue.records(point)
                for each in records
                if each.topic in names
            )
        if stored != (found := _content_of(scan(self.kafka, FACTS))):
            yield Failure("loss", f"point {point.number} of the backup has {stored}, Kafka {found}")

    @staticmethod
    def _point_after(catalogue: Catalogue, time_ms: int) -> Point | None:
        deadline = time.monotonic() + POINT_SECONDS
        while time.monotonic() < deadline:
            with suppress(NoPoint, StoreError):
                point = catalogue.newest_consistent()
                if point.time_ms >= time_ms:
                    return point
            time.sleep(LOOK_EVERY_SECONDS)
        return None


def _content_of(records: Iterable[tuple[Source, BackedUpRecord]]) -> dict[Source, Content]:
    """What partitions have that have any of these records."""
    found: dict[Source, Content] = {}
    for source, record in records:
        found[source] = found.get(source, Content()).with_record(record)
    return found


@contextmanager
def backing_up(folder: Path, kafka: KafkaSettings, place: Site) -> Iterator[Backups]:
    """A server of the S3 API at `place`, and `signalbox backup` into it; both end with the context. Raises `ChildFailed`."""
    port, metrics_port = free_ports(2)
    command = [sys.executable, "-m", "moto.server", "-H", place.host, "-p", str(port)]
    server = Child("store", place.command(command), folder / "store.log")
    access = access_to(f"http://{place.host}:{port}")
    own = {f"{PREFIX}METRICS_PORT": str(metrics_port)}
    environment = {**os.environ, **environment_of(kafka, f"{PREFIX}KAFKA_"), **access, **own}
    arguments = ["backup", "--store", f"s3:{BUCKET}", "--every", str(EVERY_SECONDS)]
    process = Child(
        "backup", [sys.executable, "-m", "services.cli", *arguments], folder / "backup.log", environment
    )
    try:
        server.start()
        server.wait_until(lambda: answers(port, place.host), START_SECONDS)
        with patch.dict(os.environ, access):
            boto3.client("s3").create_bucket(Bucket=BUCKET)
        process.start()
        yield Backups(kafka, server, process, access)
    finally:
        process.kill()
        server.kill()
